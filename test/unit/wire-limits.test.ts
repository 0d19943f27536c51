/** The limits of statements that clients of the embedded store ask for, as their messages say them. */
import { expect, test } from 'vitest';
import { localLimitOf, query, readStartup } from '../../src/db/wire-messages.ts';

function startup(parameters: Readonly<Record<string, string>>): Buffer {
  const words = Object.entries(parameters).flat();
  const body = Buffer.from(`${[...words, ''].join('\0')}\0`);
  const head = Buffer.alloc(8);
  head.writeInt32BE(8 + body.length, 0);
  head.writeInt32BE(196_608, 4);
  return Buffer.concat([head, body]);
}

test.each([
  [{ user: 'postgres', statement_timeout: '18000' }, 18_000],
  [{ user: 'statement_timeout', database: '5' }, null],
  [{ user: 'postgres', statement_timeout: '0' }, null],
  [{ user: 'postgres', statement_timeout: 'soon' }, null],
  [{ user: 'postgres' }, null],
])('a start with %j has the limit %s', (parameters, statementMs) => {
  const message = startup(parameters);
  expect(readStartup(message)).toEqual({ kind: 'start', bytes: message.length, statementMs });
});

test.each([
  ['set local statement_timeout = 1800000', 1_800_000],
  ['SET LOCAL statement_timeout TO 5;', 5],
  ["set local statement_timeout = '7s'", null],
  ['select 1 -- set local statement_timeout = 5', null],
  ['begin', null],
])('the statement %j sets the limit %s for its transaction', (text, limitMs) => {
  expect(localLimitOf(query(text))).toBe(limitMs);
  // The same as a parsed statement without a name.
  const parse = Buffer.concat([Buffer.from('P\0\0\0\0\0'), Buffer.from(`${text}\0\0\0`)]);
  expect(localLimitOf(parse)).toBe(limitMs);
});
