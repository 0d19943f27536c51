/**
 * The pull log and extracts over a store whose addresses go on changing, `npm run replicate` and the consumers of the
 * document against them. At any transaction an extract, and one before it with the events since, are the store.
 */
import { execFile, spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { readEvents } from '../../src/changes/events.ts';
import { CHANGE_LIMITS } from '../../src/changes/limits.ts';
import { latestChange, readTransactions } from '../../src/changes/log.ts';
import { sweep } from '../../src/ops/retention-sweep.ts';
import { retentionDays } from '../../src/kernel/retention.ts';
import { ADDRESSES } from '../../src/layers/keys.ts';
import { storeTables } from '../../src/layers/register-tables.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import { randomFrom } from '../../src/snapshot/probes.ts';
import { LIFTABLE_GUARDS } from '../../sync/check.ts';
import { revertLayer } from '../../sync/revert.ts';
import { syncLayer } from '../../sync/run.ts';
import { keptAccess } from '../edge/access.ts';
import { expectError, memoryApp } from '../edge/edge.ts';
import { expectAllWays, rowsInService } from '../support/change-copy.ts';
import type { Copy } from '../support/change-copy.ts';
import { openLongAnswers } from '../support/long-answers.ts';
import { TEST_SEED, amountOf } from '../support/run-settings.ts';
import { openTestStore } from '../support/store.ts';
import { until } from '../support/until.ts';
import { breakRows, openAddressBench } from './addresses-bench.ts';
import { opened, ownFolder } from '../support/opened.ts';

const KEYS = { all: `svc_test_${'a'.repeat(32)}`, lines: `svc_test_${'b'.repeat(32)}` };

const run = promisify(execFile);
const CLI = join(import.meta.dirname, '../../src/cli/replicate/cli.ts');

const [bench, copy] = await Promise.all([opened(openAddressBench()), opened(openTestStore())]);
const access = keptAccess({
  [KEYS.all]: { keyId: 'key_all' },
  [KEYS.lines]: { keyId: 'key_lines', permission: 'restricted:natur,replikering' },
});
const { schema } = REGISTERS_CATALOGUE.registers[ADDRESSES];
const schemas = new Map([[ADDRESSES, schema]]);
const source = { db: bench.store.db, schemas, naming: 'told' as const };
const long = await opened(Promise.resolve(openLongAnswers(bench.store)));
const app = await opened(memoryApp({ access, changes: { source, sourceName: 'Prøve', ...long } }));
const env = {
  GEOOPSLAG_URL: await app.listen({ port: 0, host: '127.0.0.1' }),
  GEOOPSLAG_KEY: KEYS.all,
};
beforeAll(async () => {
  await publish();
  const outcome = await syncLayer(bench.deps, 'soe', { trigger: 'command', liftedGuards });
  expect(outcome.state).toBe('published');
});
afterEach(() => bench.shelf.spoil());

const liftedGuards = LIFTABLE_GUARDS;

/** The addresses in service after each transaction, read without the log. */
const states = new Map<number, Copy>();
const stored = { db: bench.store.db, schemas };

async function publish(): Promise<void> {
  await published(bench.sync({ liftedGuards }));
}

async function published(outcome: Promise<{ readonly state: string }>): Promise<void> {
  expect(await outcome, JSON.stringify(await outcome)).toMatchObject({ state: 'published' });
  const { transaction } = await latestChange(bench.store.db);
  states.set(transaction, await rowsInService(stored, ADDRESSES));
}

function rename(count: number, name: string): void {
  const at = '2026-11-21T00:00:00.000000Z';
  const rows = bench.shelf
    .rows('NavngivenVej')
    .filter((row) => row['registreringTil'] === null && row['virkningTil'] === null)
    .slice(0, count);
  const open = rows.map((row) => ({ ...row, vejnavn: name, virkningFra: at }));
  bench.shelf.change('NavngivenVej', { at, close: rows, open });
}

interface Told {
  readonly transaktioner: readonly {
    readonly nr: number;
    readonly register: string;
    readonly udtraek: string | null;
    readonly haendelser: readonly {
      readonly nr: number;
      readonly operation: string;
      readonly entitet: string;
      readonly noegle: string;
      readonly foer: Readonly<Record<string, unknown>> | null;
      readonly efter: Readonly<Record<string, unknown>> | null;
      readonly virkning_fra: string | null;
    }[];
  }[];
  readonly naeste: number;
  readonly seneste: number;
}

const get = (url: string, key = KEYS.all, headers: Record<string, string> = {}) =>
  app.inject({ url, headers: { authorization: `Bearer ${key}`, ...headers } });

async function told(url: string, key = KEYS.all): Promise<Told> {
  const answer = await get(url, key);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<Told>();
}

test('a reader begins with what its key may read, by extracts, and goes on by events', async () => {
  const first = await told('/v1/aendringer?efter=0');
  expect(first.transaktioner.map(({ register, udtraek }) => [register, udtraek])).toEqual([
    ['adresser', '/v1/udtraek/adresser'],
    ['soe', '/v1/udtraek/soe'],
  ]);
  const own = await told('/v1/aendringer?efter=0', KEYS.lines);
  expect(own.transaktioner.map(({ register }) => register)).toEqual(['soe']);
  rename(3, 'Nyvej');
  await publish();
  const next = await told(`/v1/aendringer?efter=${first.naeste}&register=adresser`);
  expect(next).toMatchObject({ naeste: first.naeste + 3, seneste: first.naeste + 3 });
  const haendelser = next.transaktioner[0]?.haendelser ?? [];
  expect(haendelser.map(({ operation, entitet }) => [operation, entitet])).toEqual(
    Array.from({ length: 3 }, () => ['aendret', 'NavngivenVej']),
  );
  expect(haendelser[0]?.efter).toMatchObject({
    vejnavn: 'Nyvej',
    idlokalid: haendelser[0]?.noegle,
  });
  expect(haendelser[0]?.foer?.['vejnavn']).not.toBe('Nyvej');
  expect(haendelser[0]?.virkning_fra).toBe('2026-11-21T00:00:00.000Z');
  expect((await told(`/v1/aendringer?efter=${next.naeste}`)).transaktioner).toEqual([]);
  // Nothing of a register that the key may not read, and no gap in where it goes on.
  const hidden = await told(`/v1/aendringer?efter=${first.naeste}`, KEYS.lines);
  expect(hidden).toMatchObject({ transaktioner: [], naeste: next.naeste });
});

test('parts of a transaction follow each other without a gap, in JSON and in lines', async () => {
  const { seneste } = await told('/v1/aendringer?efter=0');
  const numbers: number[] = [];
  let at = seneste - 3;
  for (let page = 0; page < 3; page += 1) {
    const { transaktioner, naeste } = await told(`/v1/aendringer?efter=${at}&antal=1`);
    numbers.push(...transaktioner.flatMap(({ haendelser }) => haendelser.map(({ nr }) => nr)));
    at = naeste;
  }
  expect(numbers).toEqual([seneste - 2, seneste - 1, seneste]);
  const lines = await get(`/v1/aendringer?efter=${seneste - 3}`, KEYS.all, {
    accept: 'application/x-ndjson',
  });
  expect(lines.headers['link']).toBe(`</v1/aendringer?efter=${seneste}>; rel="next"`);
  const events = lines.body.trim().split('\n');
  expect(events.map((line) => (JSON.parse(line) as { nr: number }).nr)).toEqual(numbers);
});

test('a long answer is made in a thread, with the same bytes and headers', async () => {
  const limits = CHANGE_LIMITS as { eventsHere: number };
  const { eventsHere } = limits;
  const { seneste } = await told('/v1/aendringer?efter=0');
  const opened = vi.spyOn(long.longAnswers, 'open');
  const headersOf = ({ headers }: Awaited<ReturnType<typeof get>>) =>
    ['content-type', 'link', 'cache-control', 'x-service-units'].map((name) => headers[name]);
  const forms = ['', '&format=ndjson', '&antal=2', '&register=soe'];
  const urls = [0, seneste - 3, seneste].flatMap((efter) =>
    forms.map((form) => `/v1/aendringer?efter=${efter}${form}`),
  );
  try {
    for (const url of urls) {
      limits.eventsHere = eventsHere;
      const here = await get(url);
      limits.eventsHere = 0;
      const there = await get(url);
      const packed = await get(url, KEYS.all, { 'accept-encoding': 'gzip' });
      expect(there.body, url).toBe(here.body);
      expect(headersOf(there)).toEqual(headersOf(here));
      const isPacked = packed.headers['content-encoding'] === 'gzip';
      expect((isPacked ? gunzipSync(packed.rawPayload) : packed.body).toString()).toBe(here.body);
    }
    expect(opened).toHaveBeenCalled();
    expectError(await get(`/v1/aendringer?efter=${seneste + 1}`), 'conflict');
    const waiting = told(`/v1/aendringer?efter=2&register=soe&vent=2`);
    expect((await waiting).transaktioner).toEqual([]);
  } finally {
    limits.eventsHere = eventsHere;
    opened.mockRestore();
  }
});

test('each 1,000 events begun cost a unit, none costs none', async () => {
  const { seneste } = await told('/v1/aendringer?efter=0');
  const before = access.settled.length;
  await told(`/v1/aendringer?efter=${seneste}`);
  await told(`/v1/aendringer?efter=${seneste - 3}`);
  await get('/v1/aendringer/seneste');
  expect(access.settled.slice(before).map(({ operation, units }) => [operation, units])).toEqual([
    ['aendringer', 1],
  ]);
});

test('a long poll ends with the next publication', async () => {
  const { seneste } = await told('/v1/aendringer?efter=0');
  const waiting = told(`/v1/aendringer?efter=${seneste}&register=adresser&vent=30`);
  rename(2, 'Ventevej');
  await publish();
  expect((await waiting).transaktioner).toHaveLength(1);
});

test('what cannot be answered is refused, never answered short', async () => {
  const { seneste } = await told('/v1/aendringer?efter=0');
  const ahead = await get(`/v1/aendringer?efter=${seneste + 1}`);
  expectError(ahead, 'conflict');
  expect(ahead.body).toContain(`event ${seneste}`);
  expectError(await get('/v1/aendringer?efter=0&register=adresser', KEYS.lines), 'forbidden');
  expectError(await get('/v1/udtraek/adresser', KEYS.lines), 'forbidden');
  expectError(await get('/v1/aendringer?efter=0&register=cvr'), 'invalid_request');
  expectError(await get('/v1/udtraek/adresser?format=csv'), 'invalid_request');
  expectError(await get('/v1/udtraek/adresser?transaktion=99999'), 'conflict');
});

test('an extract is the rows in service, and one of before undoes what came after', async () => {
  const url = '/v1/udtraek/adresser?entitet=NavngivenVej';
  const now = await get(url);
  expect(now.statusCode).toBe(200);
  const namesIn = (body: string) =>
    body
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { raekke: { vejnavn: string } }).raekke.vejnavn);
  expect(namesIn(now.body).filter((name) => name === 'Ventevej')).toHaveLength(2);
  const { transaktioner } = await told('/v1/aendringer?efter=0');
  const first = transaktioner[0]?.nr ?? 0;
  const before = await get(`${url}&transaktion=${first}`);
  expect(namesIn(before.body)).not.toContain('Nyvej');
  expect(namesIn(before.body)).toHaveLength(namesIn(now.body).length);
  const { etag = '' } = before.headers as { etag?: string };
  const again = await get(`${url}&transaktion=${first}`, KEYS.all, { 'if-none-match': etag });
  expect(again.statusCode).toBe(304);
  const csv = await get(`${url}&format=csv`);
  expect(csv.body.split('\r\n')[0]).toMatch(/^noegle,ulaeselig,raekke_idlokalid,/);
  expect(csv.body.trim().split('\r\n')).toHaveLength(namesIn(now.body).length + 1);
  const packed = await get(url, KEYS.all, { 'accept-encoding': 'gzip' });
  expect(gunzipSync(packed.rawPayload).toString()).toBe(now.body);
  const headers = { authorization: `Bearer ${KEYS.all}` };
  expect((await app.inject({ method: 'HEAD', url, headers })).body).toBe('');
});

test('a row that cannot be read is told of as such', async () => {
  const known = bench.shelf.rows('Adresse').find((row) => !row['virkningTil']);
  breakRows(bench, 'Adresse', {
    fits: (row) => row['id_lokalId'] === known?.['id_lokalId'],
    cells: { status: 'hm' },
  });
  await publish();
  const transactions = await readTransactions(bench.store.db, { limit: 100 });
  expect(transactions.at(-1)?.counts).toContainEqual({
    ...{ entity: 'Adresse', inserted: 0, changed: 0, removed: 0, unread: 1 },
  });
  bench.shelf.spoil();
  bench.shelf.renew('Adresse');
  await publish();
});

test.skipIf(process.env['TEST_STORE'] === 'embedded')(
  'the log is read while a total replaces the table of its rows',
  async () => {
    const { pool } = bench.store;
    const numbersOf = async () => {
      const numbers: number[] = [];
      const range = { registers: [ADDRESSES], afterEvent: 1, entities: ['NavngivenVej'] };
      for await (const { nr } of readEvents(source, range)) numbers.push(nr);
      return numbers;
    };
    const before = await numbersOf();
    expect(before.length).toBeGreaterThan(3);
    const total = await pool.connect();
    try {
      await total.query('begin');
      await total.query('create table next (like address_road including all)');
      await total.query('insert into next select * from address_road');
      await total.query('drop table address_road');
      await total.query('alter table next rename to address_road');
      const reading = numbersOf();
      // Its type has been looked up; its table is waited for.
      await until(async () => {
        const { rows } = await pool.query(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        );
        return rows.length > 0;
      });
      await total.query('commit');
      expect(await reading).toEqual(before);
    } finally {
      total.release(true);
    }
  },
);

const args = (...more: string[]) => [CLI, '--to', copy.databaseUrl ?? '', ...more];

async function killedAfter(ms: number): Promise<void> {
  const child = spawn(process.execPath, args('--register', 'adresser,soe'), {
    env: { ...process.env, ...env },
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await Promise.race([sleep(ms), ended]);
  child.kill('SIGKILL');
  await ended;
}

function happen(round: number, random: () => number): void {
  const at = new Date(Date.UTC(2026, 9, 1 + round)).toISOString().replace('Z', '000Z');
  const rows = bench.shelf
    .rows('Husnummer')
    .filter((row) => row['registreringTil'] === null && row['virkningTil'] === null)
    .filter(() => random() < 0.1);
  const open = rows
    .filter((_, n) => n % 5 > 0)
    .map((row, n) => ({ ...row, husnummertekst: `${round}${n % 9}`, virkningFra: at }));
  bench.shelf.change('Husnummer', { at, close: rows, open });
}

test.skipIf(process.env['TEST_STORE'] === 'embedded')(
  '`npm run replicate`, killed in the middle again and again, goes on, and its copy is equal row by row',
  async () => {
    const random = randomFrom(TEST_SEED);
    for (let round = 0; round < amountOf({ gate: 2, night: 60 }); round += 1) {
      happen(round, random);
      await publish();
      if (round % 3 === 1) await published(revertLayer(bench.deps, ADDRESSES, { by: 'Prøve' }));
      await killedAfter(400 + 1_500 * random());
    }
    const { stdout } = await run(process.execPath, args('--register', 'adresser,soe', '--prove'), {
      env: { ...process.env, ...env },
    });
    const proved = [...stdout.matchAll(/^(\w+): (\d+) rows, (\d+) apart$/gm)];
    expect(
      proved.map(([, register, , apart]) => [register, apart]),
      stdout,
    ).toEqual([
      ['adresser', '0'],
      ['soe', '0'],
    ]);
    expect(Number(proved[0]?.[2])).toBeGreaterThan(3_000);
    // A row that is not the service's is found.
    await copy.pool.query(
      "update copy_row set content = '{}' where register = 'soe' and key = (select min(key) from copy_row where register = 'soe')",
    );
    await expect(
      run(process.execPath, args('--prove'), { env: { ...process.env, ...env } }),
    ).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining('1 apart') as string });
  },
);

test('extract and events are the store, whatever came, went, came back or could not be read', async () => {
  expect(states.size).toBeGreaterThan(4);
  await expectAllWays(stored, ADDRESSES, states);
});

async function extracted(): Promise<Map<string, unknown>> {
  const { body } = await get('/v1/udtraek/adresser');
  const rows = body
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { entitet: string; noegle: string; raekke: unknown });
  return new Map(rows.map(({ entitet, noegle, raekke }) => [`${entitet} ${noegle}`, raekke]));
}

const DOCUMENT = readFileSync(join(import.meta.dirname, '../../docs/changes.md'), 'utf8');

function consumer(language: string): string {
  const found = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(DOCUMENT)?.[1];
  if (found === undefined) throw new Error(`docs/changes.md has no consumer in ${language}.`);
  return found;
}

const isHere = (command: string): boolean => spawnSync(command, ['--version']).status === 0;

describe.skipIf(process.env['TEST_STORE'] === 'embedded')(
  'the consumers of docs/changes.md',
  () => {
    const dir = ownFolder('changes');
    let last = 40;

    async function twice(consume: () => Promise<unknown>): Promise<void> {
      await consume();
      happen((last += 1), randomFrom(TEST_SEED + last));
      await publish();
      await consume();
    }

    const withEnv = (more: Record<string, string>) => ({
      env: { ...process.env, ...env, REGISTER: 'adresser', ...more },
    });

    test.each([
      ['ts', process.execPath],
      ['python', 'python3'],
    ])('in %s', async (language, command) => {
      expect(isHere(command)).toBe(true);
      const [script, file] = [join(dir, `consumer.${language}`), join(dir, `${language}.json`)];
      writeFileSync(script, consumer(language));
      await twice(() => run(command, [script], withEnv({ COPY: file })));
      const { rows } = JSON.parse(readFileSync(file, 'utf8')) as { rows: [string, unknown][] };
      expect(new Map(rows)).toEqual(await extracted());
    });

    test('in sql', async () => {
      const script = join(dir, 'consumer.sql');
      writeFileSync(script, consumer('sql'));
      const psql = ['-X', '-v', 'ON_ERROR_STOP=1', '-f', script, copy.databaseUrl ?? ''];
      await twice(() => run('psql', psql, withEnv({})));
      const { rows } = await copy.pool.query<{ name: string; row: unknown }>(
        "select entitet || ' ' || noegle as name, raekke as row from copy",
      );
      expect(new Map(rows.map(({ name, row }) => [name, row]))).toEqual(await extracted());
    });
  },
);

test('a publication of a program without the log begins it anew', async () => {
  const { seneste } = await told('/v1/aendringer?efter=0');
  await bench.column(
    `with stepped as (update store_state set generation = generation + 1 returning generation)
     update layer_state s set version = version + 1, generation = stepped.generation
     from stepped where layer = 'soe'`,
  );
  const next = await told(`/v1/aendringer?efter=${seneste}`);
  expect(next).toMatchObject({
    transaktioner: [{ register: 'soe', udtraek: '/v1/udtraek/soe', haendelser: [] }],
    naeste: seneste + 1,
  });
  // What the register had before is left out: its extract holds it.
  const all = await told('/v1/aendringer?efter=0&register=soe');
  expect(all.transaktioner).toHaveLength(1);
  expect((await get('/v1/udtraek/soe')).statusCode).toBe(200);
});

test('who comes after the changes have left is told the extract', async () => {
  const { seneste } = await told('/v1/aendringer?efter=0');
  for (const name of ['A', 'B', 'C', 'D']) {
    rename(1, name);
    await publish();
  }
  await bench.column("update change_transaction set at = at - interval '401 days'");
  const days = retentionDays('RETENTION');
  await sweep({ store: bench.store, days });
  const gone = await get(`/v1/aendringer?efter=1`);
  expect(gone.statusCode, gone.body).toBe(410);
  expect(gone.json()).toMatchObject({ code: 'changes_gone' });
  expect(gone.headers['link']).toBe('</v1/udtraek/adresser>; rel="start"');
  expect((await get('/v1/udtraek/adresser?transaktion=1')).statusCode).toBe(410);
  const { transaktioner } = await told(`/v1/aendringer?efter=${seneste + 1}&register=adresser`);
  expect(transaktioner).toHaveLength(3);
});

test('the log goes on with its numbers where the mirror is lost and read again', async () => {
  const before = await latestChange(bench.store.db);
  const { beside } = schema;
  const lost = [...storeTables(schema), beside.sources, beside.history];
  await bench.column(`truncate ${lost.join(', ')}, change_event, change_transaction cascade`);
  await bench.column('truncate layer_history, layer_state cascade');
  await publish();
  expect(await readTransactions(bench.store.db, { limit: 10 })).toMatchObject([
    { nr: before.transaction + 1, firstEvent: before.event + 1, isStart: true },
  ]);
});
