import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Example, RegisterDocument } from '../../core/document.ts';
import type { Register } from '../../core/register.ts';
import { jobExamples } from './jobs/examples.ts';

type Examples = Readonly<Record<string, Example>>;

/** Files that test/http/examples.test.ts records from the sample and checks. */
export function exampleFiles(registers: readonly Pick<RegisterDocument, 'examplesFile'>[]) {
  return [
    join(import.meta.dirname, 'examples.json'),
    ...registers.map(({ examplesFile }) => examplesFile),
  ];
}

export function examples(registers: readonly RegisterDocument[]): Examples {
  const files = exampleFiles(registers).map((file) => readJson(file) as Examples);
  return { ...(Object.assign({}, ...files) as Examples), ...jobExamples() };
}

export function danish(
  registers: readonly Pick<Register, 'document' | 'questions'>[],
): Readonly<Record<string, string>> {
  const general = readJson(join(import.meta.dirname, 'danish.json'));
  const stated = registers.flatMap(({ document, questions }) => [
    document.danish,
    ...questions.map((each) => each.danish ?? {}),
  ]);
  return Object.assign({}, general, ...stated) as Readonly<Record<string, string>>;
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}
