import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Example, RegisterDocument } from '../../core/document.ts';
import type { Register } from '../../core/register.ts';
import { jobExamples } from './jobs/examples.ts';

type Examples = Readonly<Record<string, Example>>;

/** Recorded from the sample and checked by test/http/examples.test.ts. */
export function exampleFiles(registers: readonly Pick<RegisterDocument, 'folder'>[]) {
  return filesOf('examples.json', registers);
}

export function examples(registers: readonly RegisterDocument[]): Examples {
  const files = exampleFiles(registers).map((file) => readJson(file) as Examples);
  return { ...(Object.assign({}, ...files) as Examples), ...jobExamples() };
}

export function danish(
  registers: readonly Pick<Register, 'document' | 'questions'>[],
): Readonly<Record<string, string>> {
  const files = filesOf(
    'danish.json',
    registers.map(({ document }) => document),
  );
  const stated = registers.flatMap(({ questions }) => questions.map((each) => each.danish ?? {}));
  return Object.assign({}, ...files.map(readJson), ...stated) as Readonly<Record<string, string>>;
}

/** The general file first. */
function filesOf(name: string, registers: readonly Pick<RegisterDocument, 'folder'>[]): string[] {
  return [import.meta.dirname, ...registers.map(({ folder }) => folder)].map((folder) =>
    join(folder, name),
  );
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}
