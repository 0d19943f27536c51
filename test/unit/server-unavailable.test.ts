import { connect } from 'node:net';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { isServerUnavailable } from '../../src/kernel/server-unavailable.ts';

const coded = (code: string, message = 'so') => Object.assign(new Error(message), { code });
const connecting = (path: string) =>
  new Promise<unknown>((resolve) => connect(path).once('error', resolve));

test.each([
  ['nobody listens', coded('ECONNREFUSED')],
  ['the server is shutting down', coded('57P01')],
  ['the server is starting up', coded('57P03')],
  ['a connection broke', coded('08006')],
  ['the driver gave up', new Error('Connection terminated unexpectedly')],
  [
    'a client is spent',
    new Error('Client has encountered a connection error and is not queryable'),
  ],
  ['both addresses refuse', new AggregateError([coded('ECONNREFUSED'), coded('ECONNREFUSED')])],
])('a database is away when %s', (_what, error) => {
  expect(isServerUnavailable(error)).toBe(true);
});

test('it is away when its socket is gone, not when a file is', async () => {
  expect(isServerUnavailable(await connecting('/nowhere/at/all/.s.PGSQL.5432'))).toBe(true);
  expect(
    isServerUnavailable(await readFile('/nowhere/at/all').catch((error: unknown) => error)),
  ).toBe(false);
});

test.each([
  ['a password is wrong', coded('28P01')],
  ['a statement is', coded('42601', 'syntax error at or near "timeouts"')],
  ['the database is unknown', coded('3D000')],
  ['something else is thrown', 'ECONNREFUSED'],
])('it is there when %s', (_what, error) => {
  expect(isServerUnavailable(error)).toBe(false);
});
