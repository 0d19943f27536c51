/** Messages of the embedded store: the limits that clients ask for, and answers that PostGIS breaks off. */
import { once } from 'node:events';
import pg from 'pg';
import { expect, test } from 'vitest';
import { localLimitOf, query, readStartup } from '../../src/db/wire-messages.ts';
import { createWireServer } from '../../src/db/wire-server.ts';
import { ownFolder } from '../support/opened.ts';

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

function message(type: string, body: string): Buffer {
  const head = Buffer.from(`${type}0000`);
  head.writeInt32BE(4 + Buffer.byteLength(body), 1);
  return Buffer.concat([head, Buffer.from(body)]);
}

const DONE = message('Z', 'I');
const NOTED = 'SWARNING\0C01000\0Msnapshot 0xa2840e8 still active\0RAtEOXact_Snapshot\0\0';
const FAILED = 'SERROR\0VERROR\0C22012\0Mdivision by zero\0\0';

test.each([
  ['XX000', 'suspended', message('s', '')],
  ['XX000', 'without its end', message('N', NOTED)],
  ['22012', 'ended twice', Buffer.concat([message('E', FAILED), DONE])],
])('is %s for a statement that is %s, and the next has its own answer', async (code, _, broken) => {
  const host = ownFolder('lost');
  const good = message('C', 'SELECT 0\0');
  const server = createWireServer({
    ready: Promise.resolve('17.5'),
    run: (batch) => Promise.resolve(Buffer.concat([batch.includes('lost') ? broken : good, DONE])),
    onIdle: () => undefined,
    onBroken: (error) => expect(error).toBeNull(),
  }).listen(`${host}/.s.PGSQL.5432`);
  await once(server, 'listening');
  const client = new pg.Client({ host, user: 'postgres' });
  await client.connect();
  for (const values of [undefined, [1]]) {
    const [lost, next] = ['select lost', 'select'].map((text) => client.query(text, values));
    await expect(lost).rejects.toMatchObject({ code });
    expect(await next).toMatchObject({ command: 'SELECT', rows: [] });
  }
  client.end().catch(() => undefined);
  server.close();
});
