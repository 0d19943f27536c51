/** `TEST_DATABASE_URL` judged by real servers: one that serves, and the ways in which one does not. */
import { inject } from 'vitest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import pg from 'pg';
import { findPostgres } from '../support/postgres-binaries.ts';
import { startCluster } from '../support/postgres-cluster.ts';
import type { Cluster } from '../support/postgres-cluster.ts';
import { askServer } from '../support/test-store.ts';

const here = inject('storeTemplate').kind === 'postgres' && findPostgres() !== null;

describe.runIf(here)('a server of one address', () => {
  let cluster: Cluster;
  let owner: pg.Client;
  beforeAll(async () => {
    cluster = await startCluster();
    owner = new pg.Client({ connectionString: cluster.url('postgres') });
    owner.on('error', () => undefined);
    await owner.connect();
    await owner.query('create role guest login');
    await owner.query('create role maker login createdb');
  });
  afterAll(async () => {
    await owner.end();
    await cluster.stop();
  });
  const as = (role: string, database = 'anything'): string =>
    cluster.url(database).replace('postgres@', `${role}@`);

  test('that may do all that the tests do serves, and nothing is left of the trial', async () => {
    expect(await askServer(as('postgres'))).toBeNull();
    const { rows } = await owner.query('select datname from pg_database where not datistemplate');
    expect(rows).toEqual([{ datname: 'postgres' }]);
  });

  test('whose user may not create databases says so', async () => {
    expect(await askServer(as('guest'))).toBe(
      'its user may not create databases: permission denied to create database.',
    );
  });

  test('whose user may not create the extension says so, and its database is gone', async () => {
    expect(await askServer(as('maker'))).toMatch(
      /^its user may not create the extension postgis: /,
    );
    const { rows } = await owner.query("select from pg_database where datname like 'test_trial%'");
    expect(rows).toEqual([]);
  });

  test('that knows no such user, or is not there, says so without the password', async () => {
    expect(await askServer(as('nobody:hemmelig'))).toBe(
      'no connection to its database postgres: role "nobody" does not exist.',
    );
    const away = await askServer('postgres://postgres:hemmelig@127.0.0.1:1/test');
    expect(away).toMatch(/^no connection to its database postgres: .*ECONNREFUSED/);
    expect(away).not.toContain('hemmelig');
  });

  test.each(['nothing', 'http://127.0.0.1/', '127.0.0.1:5432'])('%s is no address', async (url) => {
    expect(await askServer(url)).toMatch(/^it is no address of a server/);
  });
});
