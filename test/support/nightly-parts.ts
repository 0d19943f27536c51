/** Runs heavy parts of the tests one after the other, and says of each how it went. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Part {
  /** A word; its output lies in a file of this name. */
  readonly name: string;
  readonly args: readonly string[];
  /** Beside the environment of this process. */
  readonly env: Readonly<Record<string, string>>;
  /** After that it hangs: it is ended and has failed. */
  readonly limitMs: number;
  /** The line that tells its result; the last that matches is shown, and without one it has failed. */
  readonly result: RegExp;
}

export interface PartsOptions {
  readonly directory: string;
  readonly say: (line: string) => void;
  /** Called after each part, so that a night that is cut short keeps what it ran. */
  readonly ended?: (name: string, outcome: PartOutcome) => void;
}

/** Lines of a failed part that are shown. */
const SHOWN = 40;

export interface PartOutcome {
  readonly seconds: number;
  readonly passed: boolean;
  readonly result: string;
}

/** Never rejects because a part fails. The closing line is `N passed, N failed`. */
export async function runParts(
  parts: readonly Part[],
  { directory, say, ended: onEnd = () => undefined }: PartsOptions,
): Promise<{ readonly passed: number; readonly failed: number }> {
  let failed = 0;
  for (const part of parts) {
    const startedMs = performance.now();
    const path = join(directory, `${part.name}.log`);
    const ended = await run(part, path);
    const lines = plainLines(readFileSync(path, 'utf8'));
    const result = lines.findLast((line) => part.result.test(line));
    const isGood = ended === 'exit code 0' && result !== undefined;
    if (!isGood) failed += 1;
    const seconds = Math.round((performance.now() - startedMs) / 1000);
    // A file whose preparation fails has no failed test.
    const files = lines.findLast((line) => /^\s*Test Files .*failed/.test(line));
    const told = `${files ?? ''} ${result ?? lines.at(-1) ?? 'no output'}`.trim();
    const verdict = isGood ? 'passed' : `FAILED (${ended}; ${path})`;
    say(`${part.name.padEnd(17)} ${String(seconds).padStart(6)} s  ${told}  ${verdict}`);
    const shown = [...lines.filter((line) => /^\s*FAIL /.test(line)), ...lines.slice(-SHOWN)];
    if (!isGood) for (const line of shown) say(`  | ${line}`);
    onEnd(part.name, { seconds, passed: isGood, result: told });
  }
  const passed = parts.length - failed;
  say(`${passed} passed, ${failed} failed`);
  return { passed, failed };
}

/** How it ended, in words. Its output is in the file. */
async function run({ args, env, limitMs }: Part, path: string): Promise<string> {
  const log = openSync(path, 'w');
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', log, log],
    env: { ...process.env, ...env },
    // What it starts is ended with it: a group of its own.
    detached: true,
  });
  closeSync(log);
  const end = (): void => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
  };
  const stop = (): never => {
    end();
    process.exit(1);
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const late = setTimeout(end, limitMs);
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  clearTimeout(late);
  process.off('SIGINT', stop).off('SIGTERM', stop);
  return code === null ? `ended by ${signal}, at most ${limitMs / 1000} s` : `exit code ${code}`;
}

/** Without the colours of a terminal, and without empty lines. */
function plainLines(text: string): string[] {
  // oxlint-disable-next-line no-control-regex -- a colour begins with one
  const colour = /\u001b\[[0-9;]*m/g;
  return text
    .replace(colour, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
}
