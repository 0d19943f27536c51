/** Holds the README's first answer against the running service: `node .ci/readme-answer.ts <base> <key>`. */
import { readFileSync } from 'node:fs';
import { deepStrictEqual } from 'node:assert';
import { join } from 'node:path';

const base = process.argv[2] ?? 'http://127.0.0.1:8080';
const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
const address = /curl .*'http:\/\/127\.0\.0\.1:8080([^']+)'/.exec(readme)?.[1];
const shown = /```json\n([\s\S]+?)\n```/.exec(readme)?.[1];
if (address === undefined || shown === undefined) throw new Error('The README shows no answer.');

// Ports are the machine's business: the rest must be true to the letter.
const withoutPorts = (text: string): unknown =>
  JSON.parse(text.replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1'));
const headers = { authorization: `Bearer ${process.argv[3] ?? ''}` };
const answer = await fetch(base + address, { headers });
deepStrictEqual(withoutPorts(await answer.text()), withoutPorts(shown));
console.log('The README shows a true answer.');
