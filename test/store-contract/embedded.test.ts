/** The embedded store's process: who starts it, who shares it, how it ends and what it keeps. */
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openStore } from '../../src/db/connect.ts';
import type { Store } from '../../src/db/connect.ts';
import { embeddedFiles, embeddedSocket } from '../../src/db/embedded-files.ts';
import { openPglite } from '../../src/db/embedded-pglite.ts';
import { isServerUnavailable } from '../../src/kernel/server-unavailable.ts';
import { createWireServer } from '../../src/db/wire-server.ts';
import { testFolder } from '../support/opened.ts';
import { amountOf, isHeavy } from '../support/run-settings.ts';
import { isAlive } from '../support/scratch.ts';
import { openTestStore } from '../support/store.ts';
import type { TestStore } from '../support/store.ts';
import { until } from '../support/until.ts';
import { ROOT } from '../support/repository.ts';

const NAMED = { name: 'a', text: 'select $1::int as n', values: [1] };

const silent = { error: () => undefined };

function directoryWithDatabase(): string {
  const directory = testFolder('embedded');
  const { source } = inject('storeTemplate');
  cpSync(join(source, 'pg'), join(directory, 'pg'), { recursive: true });
  return directory;
}

const ownerOf = (dataDir: string) =>
  (JSON.parse(readFileSync(embeddedFiles(dataDir).owner, 'utf8')) as { pid: number }).pid;

const answers = (store: Store) =>
  store.pool.query('select 1').then(
    () => true,
    () => false,
  );

describe.skipIf(inject('storeTemplate').kind !== 'embedded')('the embedded store', () => {
  let store: TestStore;
  const lines: string[] = [];
  beforeAll(async () => {
    store = await openTestStore({ log: { error: (line) => void lines.push(line) } });
  });
  afterAll(async () => {
    const pid = ownerOf(store.dataDir);
    await store.close();
    await until(() => !isAlive(pid));
  });

  test('goes on after any number of refused statements, deep ones and in transactions', async () => {
    const deep = Array.from({ length: 20 }).reduce<string>(
      (inner) => `select * from (${inner}) q`,
      'select * from nothing_of_this_name',
    );
    for (let n = 0; n < amountOf({ gate: 12, night: 400 }); n += 1) {
      await expect(store.pool.query(deep)).rejects.toMatchObject({ code: '42P01' });
    }
    for (let n = 0; n < amountOf({ gate: 6, night: 200 }); n += 1) {
      const refused = store.db.transaction().execute(async (trx) => {
        await sql`select 1 / (select 0)`.execute(trx);
      });
      await expect(refused).rejects.toMatchObject({ code: '22012' });
    }
    expect(await answers(store)).toBe(true);
  });

  test('keeps what was committed when its process is killed while writing, and is up again', async () => {
    await store.pool.query('create table pair (n integer, half text)');
    let acknowledged = 0;
    const enough = Promise.withResolvers<undefined>();
    const killed = enough.promise
      .then(() => wait(20))
      .then(() => process.kill(ownerOf(store.dataDir), 'SIGKILL'));
    const writing = (async () => {
      for (;;) {
        const sql = `insert into pair select $1, half from unnest(array['left', 'right']) half`;
        await store.pool.query(sql, [acknowledged + 1]);
        acknowledged += 1;
        if (acknowledged > 10) enough.resolve(undefined);
      }
    })();
    await expect(writing).rejects.toThrow();
    await killed;
    await until(() => answers(store));
    const { rows } = await store.pool.query<{ pairs: number; halves: number; last: number }>(
      'select count(distinct n) as pairs, count(*) as halves, max(n) as last from pair',
    );
    const { pairs, halves, last } = rows[0]!;
    expect(acknowledged).toBeGreaterThan(10);
    // The one in flight may have been committed without our hearing of it.
    expect([acknowledged, acknowledged + 1]).toContain(last);
    expect({ pairs, halves }).toEqual({ pairs: last, halves: 2 * last });
    expect(lines.at(-1)).toMatch(/ended unexpectedly/);
  });

  // Far more than a statement of this file takes, however busy the machine.
  const hasty = { statementMs: 1_500, silenceMs: 500 };
  const endless =
    'with recursive n(i) as (select 1 union all select 1 - i from n) select count(*) from n';

  test.runIf(isHeavy)(
    'ends a statement that never returns, tells everybody who waits, and is up again',
    async () => {
      const other = await store.another({ timeouts: hasty });
      const pid = ownerOf(store.dataDir);
      const waiting = [
        other.pool.query(endless),
        wait(200).then(() => other.pool.query('select 1')),
      ];
      for (const result of await Promise.allSettled(waiting)) {
        expect(result).toMatchObject({ status: 'rejected' });
        expect(isServerUnavailable((result as PromiseRejectedResult).reason)).toBe(true);
      }
      await until(() => !isAlive(pid));
      await until(() => answers(other));
      expect(lines.join()).toMatch(/started again: a statement did not end within its limit/);
      await other.close();
    },
  );

  test.runIf(isHeavy)('lets a transaction take the limit that it sets for itself', async () => {
    const other = await store.another({ timeouts: hasty });
    const pid = ownerOf(store.dataDir);
    const client = await other.pool.connect();
    await client.query('begin');
    await client.query('set local statement_timeout = 60000');
    const text = 'select count(*) from generate_series(1, 3) where pg_sleep(1.5) is null';
    await client.query({ text, query_timeout: 60_000 } as pg.QueryConfig);
    await client.query('commit');
    client.release();
    expect(ownerOf(store.dataDir)).toBe(pid);
    await other.close();
  });

  test('is one process for all programs, and ends with the last of them, which was killed', async () => {
    const dataDir = directoryWithDatabase();
    const open = () => openStore({ databaseUrl: null, dataDir, log: silent });
    const [first, second] = await Promise.all([open(), open()]);
    const pid = ownerOf(dataDir);
    await first.pool.query('create table shared (n integer)');
    await first.close();
    const script = `
      const { openStore } = await import('${pathToFileURL(join(ROOT, 'src/db/connect.ts')).href}');
      const store = await openStore({ databaseUrl: null, dataDir: ${JSON.stringify(dataDir)}, log: console });
      await store.pool.query('insert into shared values (1)');
      console.log('ready');`;
    const program = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise((ready) => program.stdout.once('data', ready));
    expect((await second.pool.query('select n from shared')).rows).toEqual([{ n: 1 }]);
    await second.close();
    expect([isAlive(pid), ownerOf(dataDir)]).toEqual([true, pid]);
    program.kill('SIGKILL');
    await until(() => !isAlive(pid));
    expect(existsSync(embeddedFiles(dataDir).owner)).toBe(false);
    if (!isHeavy) return;
    const again = await open();
    expect((await again.pool.query('select n from shared')).rows).toEqual([{ n: 1 }]);
    await again.close();
  });

  test.runIf(isHeavy)('makes a directory anew that was interrupted while being made', async () => {
    const dataDir = testFolder('embedded');
    mkdirSync(join(dataDir, 'pg/base'), { recursive: true });
    writeFileSync(join(dataDir, 'pg/PG_VERSION'), '18\n');
    writeFileSync(embeddedFiles(dataDir).creating, '');
    const made = await openStore({ databaseUrl: null, dataDir, log: silent });
    expect(await answers(made)).toBe(true);
    expect(existsSync(embeddedFiles(dataDir).creating)).toBe(false);
    await made.close();
  });

  test('says why when its directory is not a database', async () => {
    const dataDir = testFolder('embedded');
    mkdirSync(join(dataDir, 'pg'), { recursive: true });
    writeFileSync(join(dataDir, 'pg/PG_VERSION'), '9.6\n');
    const opening = openStore({ databaseUrl: null, dataDir, log: silent });
    await expect(opening).rejects.toThrow(/embedded store/);
  });

  test.each([
    ['COPY FROM STDIN', 'copy pair from stdin'],
    ['LISTEN', 'listen something'],
    ['SET', "set search_path = 'elsewhere'"],
    ['PREPARE', 'prepare a as select 1'],
    ['named statements', NAMED],
  ])('refuses %s, which the one session cannot give each client', async (_, statement) => {
    const { host, port, user } = store.pool.options;
    const client = new pg.Client({ host, port, user });
    await client.connect();
    await expect(client.query(statement as string)).rejects.toMatchObject({ code: '0A000' });
    await client.end();
    expect(await answers(store)).toBe(true);
  });

  test('is asked without the names of statements that a store of sessions prepares', async () => {
    const asked = Array.from({ length: 4 }, () => store.pool.query(NAMED));
    for (const { rows } of await Promise.all(asked)) expect(rows).toEqual([{ n: 1 }]);
  });

  test('takes SET LOCAL, which ends with its transaction', async () => {
    const client = await store.pool.connect();
    await client.query('begin');
    await client.query("set local statement_timeout = '7s'");
    await client.query('commit');
    const { rows } = await client.query('show statement_timeout');
    expect(rows).toEqual([{ statement_timeout: '0' }]);
    client.release();
  });

  test('listens in a private directory, within the length of a socket path', () => {
    const deep = embeddedSocket(`/${'d'.repeat(200)}`);
    expect(deep.path.length).toBeLessThanOrEqual(103);
    expect(deep.path).not.toBe(embeddedSocket(`/${'e'.repeat(200)}`).path);
    expect(embeddedSocket('/srv/data').path).toBe('/srv/data/socket/.s.PGSQL.5432');
  });
});

describe.skipIf(inject('storeTemplate').kind !== 'embedded')('a transaction left open', () => {
  test.runIf(isHeavy)(
    'is rolled back after the limit, so that the others get their turn',
    async () => {
      const dataDir = directoryWithDatabase();
      const session = await openPglite(embeddedFiles(dataDir), (error) => {
        throw error;
      });
      const server = createWireServer({
        ready: Promise.resolve(session.serverVersion),
        run: session.run,
        onIdle: () => undefined,
        onBroken: (error) => {
          throw error as Error;
        },
        // Far more than lies between two of our statements here, however busy the machine.
        idleInTransactionMs: 2_000,
      });
      const path = join(dataDir, '.s.PGSQL.5432');
      await new Promise<void>((done) => server.listen(path, done));
      const [forgetful, other] = [1, 2].map(
        () => new pg.Client({ host: dataDir, user: 'postgres' }),
      );
      const lost = new Promise<Error>((done) => forgetful!.on('error', done));
      await Promise.all([forgetful!.connect(), other!.connect()]);
      await forgetful!.query('begin');
      await forgetful!.query('create table forgotten (n integer)');
      const { rows } = await other!.query("select to_regclass('forgotten') as found");
      expect(rows).toEqual([{ found: null }]);
      expect(await lost).toMatchObject({ code: '25P03' });
      server.close();
      await other!.query('select 1');
      other!.end().catch(() => undefined);
      await session.close();
    },
  );
});
