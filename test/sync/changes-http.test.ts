/** The pull log and extracts over a store whose addresses go on changing. */
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { CHANGE_LIMITS } from '../../src/changes/limits.ts';
import { sweep } from '../../src/ops/retention-sweep.ts';
import { retentionDays } from '../../src/kernel/retention.ts';
import { ADDRESSES } from '../../src/layers/keys.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import { LIFTABLE_GUARDS } from '../../sync/check.ts';
import { syncLayer } from '../../sync/run.ts';
import { keptAccess } from '../edge/access.ts';
import { expectError, memoryApp } from '../edge/edge.ts';
import { openLongAnswers } from '../support/long-answers.ts';
import { openAddressBench } from './addresses-bench.ts';
import { opened } from '../support/opened.ts';

const KEYS = { all: `svc_test_${'a'.repeat(32)}`, lines: `svc_test_${'b'.repeat(32)}` };

const bench = await opened(openAddressBench());
const access = keptAccess({
  [KEYS.all]: { keyId: 'key_all' },
  [KEYS.lines]: { keyId: 'key_lines', permission: 'restricted:natur,replikering' },
});
const schemas = new Map([[ADDRESSES, REGISTERS_CATALOGUE.registers[ADDRESSES].schema]]);
const source = { db: bench.store.db, schemas, naming: 'told' as const };
const long = await opened(Promise.resolve(openLongAnswers(bench.store)));
const app = await opened(memoryApp({ access, changes: { source, sourceName: 'Prøve', ...long } }));
beforeAll(async () => {
  await publish();
  const outcome = await syncLayer(bench.deps, 'soe', { trigger: 'command', liftedGuards });
  expect(outcome.state).toBe('published');
}, 120_000);
afterEach(() => bench.shelf.spoil());

const liftedGuards = LIFTABLE_GUARDS;

async function publish(): Promise<void> {
  const outcome = await bench.sync({ liftedGuards });
  expect(outcome, JSON.stringify(outcome)).toMatchObject({ state: 'published' });
}

/** Renames so many roads. */
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
