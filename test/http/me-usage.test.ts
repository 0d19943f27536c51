/** What an account used, as its owner is shown it: readings, and the lines that add up to them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { monthOf } from '../../src/metering/calendar.ts';
import { composeMetering } from '../../src/start/metering.ts';
import { usageLedger } from '../../src/metering/usage.ts';
import { newDataDir, plansOf, principalOf } from '../metering/metering-fixture.ts';
import { openTestStore } from '../support/store.ts';
import { accountEdge, signIn } from './account-edge.ts';
import { expectError } from '../edge/edge.ts';
import { opened } from '../support/opened.ts';

const REQUESTS = 450;
const store = await opened(openTestStore());
const data = newDataDir();

let linesRead = 0;

const { lines, ...ledger } = usageLedger(store);
const counted: typeof lines = async function* (asked) {
  for await (const line of lines(asked)) yield (linesRead++, line);
};

const edge = await accountEdge(store, { usage: { ...ledger, lines: counted } });
afterAll(async () => {
  await edge.app.close();
  data.remove();
});
const { clock } = edge.bench;
const account = await edge.bench.account('pro');
const browser = await signIn(edge, account);
const month = monthOf(clock.nowMs()).key;
const metering = composeMetering({
  ...{ store, dataDir: data.dataDir, clock, plans: plansOf(1_000_000), log: console },
});
beforeAll(async () => {
  await metering.start();
  const live = principalOf(account, { tier: 'pro', keyId: 'key_live' });
  const own = principalOf(account, { environment: 'test', keyId: 'key_test' });
  for (let i = 0; i < REQUESTS; i++) {
    const who = i % 10 === 0 ? own : live;
    await metering.meter.reserve(who, 3);
    metering.meter.settle(who, 3, {
      operation: i % 2 === 0 ? 'dagi, "batch"' : 'lines',
      requestId: `r-${i}`,
      generation: i % 3 === 0 ? null : 12,
      units: 1 + (i % 3),
    });
  }
  await metering.stop();
});

interface Line {
  readonly request_id: string;
  readonly units: number;
}

const ndjson = (body: string): Line[] =>
  body
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);

interface Read {
  readonly live: { readonly units: number; readonly requests: number };
  readonly test: { readonly units: number; readonly requests: number };
  readonly days: readonly { readonly environment: string; readonly units: number }[];
}

describe('GET /v1/me/usage', () => {
  test('tells units and requests of the month, by day, key and operation', async () => {
    const response = await browser.ask({ url: '/v1/me/usage' });
    expect(response.headers['cache-control']).toBe('no-store');
    const usage = response.json<Read>();
    expect(usage).toMatchObject({
      month,
      live: { requests: REQUESTS * 0.9, allowance: 50_000, ceiling: 500_000, overage_units: 0 },
      test: { requests: REQUESTS / 10, allowance: 5000, ceiling: 5000, overage_units: 0 },
    });
    for (const environment of ['live', 'test'] as const) {
      const ofDays = usage.days.filter((day) => day.environment === environment);
      expect(ofDays.reduce((sum, { units }) => sum + units, 0)).toBe(usage[environment].units);
    }
    expect(usage.days[0]).toMatchObject({ key_id: 'key_live', operation: 'dagi, "batch"' });
  });

  test('answers one of the account’s keys alike, and an empty month with zeros', async () => {
    const { secret } = await edge.bench.key(account);
    const asked = {
      url: '/v1/me/usage?month=2026-01',
      headers: { authorization: `Bearer ${secret}` },
    };
    const response = await edge.app.inject(asked);
    expect(response.headers['x-service-environment']).toBe('test');
    expect(response.json()).toMatchObject({ month: '2026-01', live: { units: 0 }, days: [] });
  });

  test('shows no account what another used', async () => {
    const other = await signIn(edge, await edge.bench.account('pro'));
    expect((await other.ask({ url: '/v1/me/usage' })).json()).toMatchObject({ live: { units: 0 } });
    const lines = await other.ask({ url: '/v1/me/usage/lines?format=ndjson' });
    expect([lines.statusCode, lines.body]).toEqual([200, '']);
  });

  test.each(['2026', '2026-13', '1969-12', '2026-1', '2026-01-01', '', '2026-03&month=2026-04'])(
    'does not take %j for a month',
    async (name) => {
      for (const path of ['/v1/me/usage', '/v1/me/usage/lines']) {
        expectError(await browser.ask({ url: `${path}?month=${name}` }), 'invalid_request');
      }
    },
  );

  test('has no word for nobody, nor for a public key', async () => {
    const { secret } = await edge.bench.key(account, { kind: 'public', origins: ['example.dk'] });
    for (const path of ['/v1/me/usage', '/v1/me/usage/lines']) {
      expectError(await edge.app.inject(path), 'unauthorized');
      expectError(await edge.app.inject(`${path}?token=${secret}`), 'public_key_scope');
    }
  });
});

describe('GET /v1/me/usage/lines', () => {
  test('streams the lines of live keys, and they add up to the reading', async () => {
    const { live } = (await browser.ask({ url: '/v1/me/usage' })).json<Read>();
    const response = await browser.ask({ url: '/v1/me/usage/lines?format=ndjson' });
    expect(response.headers['content-type']).toBe('application/x-ndjson');
    const lines = ndjson(response.body);
    expect(lines).toHaveLength(live.requests);
    expect(lines.reduce((sum, { units }) => sum + units, 0)).toBe(live.units);
    expect(new Set(lines.map((line) => line.request_id)).size).toBe(live.requests);
    expect(lines[0]).toEqual({
      time: new Date(edge.bench.clock.nowMs()).toISOString(),
      request_id: 'r-1',
      operation: 'lines',
      units: 2,
      generation: 12,
      key_id: 'key_live',
    });
  });

  test('reads no more than a page for HEAD', async () => {
    linesRead = 0;
    const response = await browser.ask({ method: 'HEAD', url: '/v1/me/usage/lines' });
    expect([response.statusCode, response.body, linesRead]).toEqual([200, '', 1]);
  });

  test('writes them as a table that a spreadsheet opens', async () => {
    const response = await browser.ask({ url: `/v1/me/usage/lines?month=${month}` });
    expect(response.headers['content-type']).toMatch(/^text\/csv/);
    expect(response.headers['content-disposition']).toBe(
      `attachment; filename="usage-${month}.csv"`,
    );
    const [head, ...lines] = response.body.trimEnd().split('\r\n');
    expect(head).toBe('time,request_id,operation,units,generation,key_id');
    expect(lines).toHaveLength(REQUESTS * 0.9);
    const time = new Date(edge.bench.clock.nowMs()).toISOString();
    expect(lines[1]).toBe(`${time},r-2,"dagi, ""batch""",3,12,key_live`);
  });

  test('has no cell that a spreadsheet runs as a formula: a request’s id may be its sender’s own', async () => {
    const own = await edge.bench.account('pro');
    await store.pool.query(
      `insert into usage_line (at, day, journal, seq, account_id, key_id, environment, operation,
         units, generation, request_id)
       select $1::timestamptz, $2::date, 'own', i, $3, 'key_live', 'live', 'lines', 1, null, id
       from unnest($4::text[]) with ordinality as ids (id, i)`,
      [new Date(edge.bench.clock.nowMs()), `${month}-21`, own, ['-A1-B2', '-17', '.-A1', 'a-1']],
    );
    const asker = await signIn(edge, own);
    const { body } = await asker.ask({ url: `/v1/me/usage/lines?month=${month}` });
    const ids = body
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(',')[1]);
    expect(ids).toEqual(['request_id', "'-A1-B2", '-17', '.-A1', 'a-1']);
    const lines = await asker.ask({ url: `/v1/me/usage/lines?month=${month}&format=ndjson` });
    expect(ndjson(lines.body)[0]?.request_id).toBe('-A1-B2');
  });

  test('is an error and no empty file while the store is away', async () => {
    const refused = () => Promise.reject(new Error('connect ECONNREFUSED'));
    // oxlint-disable-next-line require-yield -- it never comes to a line
    const lines = async function* () {
      await refused();
    };
    const usage = { ...usageLedger(store), read: refused, lines };
    const { app } = await accountEdge(store, { usage });
    for (const url of ['/v1/me/usage', '/v1/me/usage/lines']) {
      const headers = { host: 'geo.example', cookie: `svc_session=${browser.token}` };
      expectError(await app.inject({ url, headers }), 'overloaded');
    }
    await app.close();
  });
});
