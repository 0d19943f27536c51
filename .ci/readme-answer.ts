/**
 * Holds the first answer of the README, and the whole one of docs/an-answer.md, against the running
 * service: `node .ci/readme-answer.ts <base> <key>`.
 */
import { deepStrictEqual, partialDeepStrictEqual } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const base = process.argv[2] ?? 'http://127.0.0.1:8080';
const page = (name: string): string => readFileSync(join(import.meta.dirname, '..', name), 'utf8');
const shownIn = (text: string): string => {
  const shown = /```json\n([\s\S]+?)\n```/.exec(text)?.[1];
  if (shown === undefined) throw new Error('The page shows no answer.');
  return shown;
};
const readme = page('README.md');
const address = /curl .*'http:\/\/127\.0\.0\.1:8080([^']+)'/.exec(readme)?.[1];
if (address === undefined) throw new Error('The README shows no curl.');

// Ports are the machine's business: the rest must be true to the letter.
const withoutPorts = (text: string): unknown =>
  JSON.parse(text.replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1'));
const headers = { authorization: `Bearer ${process.argv[3] ?? ''}` };
const answer = withoutPorts(await (await fetch(base + address, { headers })).text());
deepStrictEqual(answer, withoutPorts(shownIn(page('docs/an-answer.md'))));
partialDeepStrictEqual(answer, JSON.parse(shownIn(readme)));
console.log('The README shows a true answer.');
