/**
 * A reporter for vitest that writes down, per test file, how long it took and what failed in it: what
 * `npm test` adds up and prints at its very end, where it is seen however long the log is.
 */
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { secretsIn } from './secrets.ts';

export interface Failure {
  /** Full name of the test; null: the file itself failed, before or after its tests. */
  readonly test: string | null;
  readonly message: string;
}

export interface FileReport {
  readonly file: string;
  /** Project of vitest.config.ts. */
  readonly lane: string;
  /** Import, hooks and tests together. */
  readonly seconds: number;
  readonly passed: number;
  readonly skipped: number;
  readonly failures: readonly Failure[];
  /** What failed in the whole run and passed when the file was run again. */
  readonly flaky?: readonly Failure[];
}

export interface RunReport {
  readonly files: readonly FileReport[];
  /** First lines of errors that belong to no file, as of a store that did not start. */
  readonly errors: readonly string[];
}

export const RUN_REPORT_ENV = 'TEST_RUN_REPORT';

export default class RunReporter implements Reporter {
  /** Whatever else passed: a run that printed a secret has failed. */
  readonly printedSecrets: string[] = [];

  onUserConsoleLog({ content }: { readonly content: string }): void {
    for (const found of secretsIn(content)) {
      this.printedSecrets.push(`a test printed a secret: ${found}`);
    }
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly { message: string }[]): void {
    const path = process.env[RUN_REPORT_ENV];
    if (path === undefined) return;
    const report: RunReport = {
      files: modules.map(fileReport),
      errors: [...errors.map(firstLine), ...this.printedSecrets],
    };
    writeFileSync(path, JSON.stringify(report));
  }
}

function fileReport(module: TestModule): FileReport {
  const tests = [...module.children.allTests()];
  const withState = (state: string) => tests.filter((test) => test.result().state === state);
  const { collectDuration, duration } = module.diagnostic();
  const failures: Failure[] = module
    .errors()
    .map((error) => ({ test: null, message: firstLine(error) }));
  for (const suite of module.children.allSuites()) {
    for (const error of suite.errors()) {
      failures.push({ test: suite.fullName, message: firstLine(error) });
    }
  }
  for (const test of withState('failed')) {
    const [error] = test.result().errors ?? [];
    failures.push({ test: test.fullName, message: firstLine(error ?? { message: '' }) });
  }
  return {
    file: relative(process.cwd(), module.moduleId),
    lane: module.project.name,
    seconds: (collectDuration + duration) / 1000,
    passed: withState('passed').length,
    // What hooks that failed kept from running is neither passed nor failed: the failure tells it.
    skipped: withState('skipped').length + withState('pending').length,
    failures,
  };
}

function firstLine({ message }: { readonly message: string }): string {
  return message.split('\n')[0]?.slice(0, 200) ?? '';
}
