/** What the published document says beside the routes' own words: an example each, and the Danish. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Example } from '../plugins/examples.ts';
import { jobExamples } from './jobs/examples.ts';

/**
 * By operation: what the sample answers, as test/http/examples.test.ts records it and holds it
 * against the service.
 */
export function examples(): Readonly<Record<string, Example>> {
  return { ...(read('examples.json') as Readonly<Record<string, Example>>), ...jobExamples() };
}

/** Danish by the English it translates. */
export function danish(): Readonly<Record<string, string>> {
  return read('danish.json') as Readonly<Record<string, string>>;
}

function read(name: string): unknown {
  return JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8'));
}
