import { expect, test } from 'vitest';
import { databaseAddress } from '../../src/kernel/database-address.ts';

test('names one server, or several as libpq does, whose primary is then meant', () => {
  expect(databaseAddress('postgres://u:p@h/db?sslmode=require')).toEqual({
    url: 'postgres://u:p@h/db?sslmode=require',
    servers: [{ host: 'h', port: 5432 }],
    wanted: 'any',
  });
  expect(databaseAddress('postgresql://u:p%40@h1:5433,h2,[::1]:5434/db')).toEqual({
    url: 'postgresql://u:p%40@h1:5433/db',
    servers: [
      { host: 'h1', port: 5433 },
      { host: 'h2', port: 5432 },
      { host: '::1', port: 5434 },
    ],
    wanted: 'primary',
  });
});

test('takes target_session_attrs, and leaves nothing of it to the driver', () => {
  const of = (attrs: string) => databaseAddress(`postgres://h/db?target_session_attrs=${attrs}`);
  expect(of('read-write')).toMatchObject({ url: 'postgres://h/db', wanted: 'primary' });
  const wanted = ['primary', 'standby', 'prefer-standby'].map((attrs) => of(attrs)?.wanted);
  expect(wanted).toEqual(['primary', 'standby', 'any']);
  expect(of('read-only')).toBeNull();
});

test('of a socket is its folder', () => {
  const address = databaseAddress('postgres://postgres@localhost/db?host=%2Frun%2Fpg');
  expect(address?.servers).toEqual([{ host: '/run/pg', port: 5432 }]);
});

test.each(['mysql://h/db', 'postgres://h1,h2:x/db', 'h1,h2', ''])('is not %j', (text) => {
  expect(databaseAddress(text)).toBeNull();
});
