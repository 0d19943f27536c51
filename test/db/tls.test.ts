/** A database behind TLS: the server's certificate is verified, and what is wrong with it is said (docs/tls.md). */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { openStore } from '../../src/db/connect.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { runChecks } from '../../src/start/config-checks.ts';
import { freePort } from '../support/free-port.ts';
import { findPostgres } from '../support/postgres-binaries.ts';
import { startCluster } from '../support/postgres-cluster.ts';
import type { Cluster } from '../support/postgres-cluster.ts';
import { isOnPath } from '../support/programs.ts';
import { makeAuthority } from '../webhooks/certificates.ts';
import { ownFolder } from '../support/opened.ts';

const silent = { error: () => undefined };
const here = process.env['TEST_STORE'] === 'postgres' && findPostgres() !== null;

describe.skipIf(!here || !isOnPath('openssl'))('a database behind TLS', () => {
  const dir = ownFolder('tls');
  const file = (name: string): string => join(dir, name);
  let cluster: Cluster;
  let port: number;
  /** The server shows a certificate of that name from then on. */
  let present: (name: string) => Promise<void>;
  let end: () => Promise<void>;

  beforeAll(async () => {
    const ours = makeAuthority();
    writeFileSync(file('ca.pem'), ours.ca);
    writeFileSync(file('other.pem'), makeAuthority().ca);
    port = await freePort();
    cluster = await startCluster({ port });
    const client = new pg.Client({ connectionString: cluster.url('postgres') });
    await client.connect();
    await client.query('create database geoopslag');
    await client.query('alter system set ssl = on');
    present = async (name) => {
      const { key, cert } = ours.issue(`DNS:${name}`);
      const lines = (text: string): string =>
        `select unnest(string_to_array(${pg.escapeLiteral(text.trim())}, e'\n'))`;
      await client.query(`copy (${lines(cert)}) to program 'cat > server.crt'`);
      await client.query(`copy (${lines(key)}) to program 'umask 077; cat > server.key'`);
      await client.query('select pg_reload_conf(), pg_sleep(0.5)');
    };
    end = () => client.end();
    await present('localhost');
  });
  afterAll(async () => {
    await end();
    await cluster.stop();
  });

  const at = (query: string, hosts = `localhost:${port}`): string =>
    `postgres://postgres@${hosts}/geoopslag?${query}`;

  async function says(databaseUrl: string): Promise<string> {
    const config = loadConfig({ DATA_DIR: file('data'), DATABASE_URL: databaseUrl });
    const checks = await runChecks(config, systemClock);
    return checks.find(({ name }) => name === 'database')?.says ?? 'no such check';
  }

  test.each([['one'], ['several']])('is spoken to in TLS alone: %s server', async (count) => {
    const hosts = count === 'one' ? undefined : `localhost:1,localhost:${port}`;
    const databaseUrl = at(`sslmode=verify-full&sslrootcert=${file('ca.pem')}`, hosts);
    const store = await openStore({ databaseUrl, dataDir: dir, log: silent });
    const { rows } = await store.pool.query(
      'select ssl from pg_stat_ssl where pid = pg_backend_pid()',
    );
    await store.close();
    expect(rows).toEqual([{ ssl: true }]);
  });

  test.each([
    [
      'of another authority',
      () => at(`sslmode=verify-full&sslrootcert=${file('other.pem')}`),
      /certificate/,
    ],
    ['of an authority nobody named', () => at('sslmode=verify-full'), /certificate/],
    [
      'with a file that is not there',
      () => at(`sslmode=verify-full&sslrootcert=${file('none.pem')}`),
      /none\.pem/,
    ],
  ])('is not spoken to with a certificate %s', async (_, address, reason) => {
    expect(await says(address())).toMatch(reason);
  });
  test('is not spoken to with a certificate of another name', async () => {
    await present('other.example');
    expect(await says(at(`sslmode=verify-full&sslrootcert=${file('ca.pem')}`))).toMatch(/altnames/);
    await present('localhost');
  });
});
