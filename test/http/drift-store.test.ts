/** The operator's routes over a real store and real runs: what they tell is what happened. */
import { afterAll, describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/kernel/limits.ts';
import { overrideCatalogue } from '../../src/layers/catalogue.ts';
import type { Board, History, RunPage, TrailPage } from '../../src/web/drift/types.ts';
import { GUARDS } from '../../sync/check.ts';
import { SyncQueue } from '../../sync/queue.ts';
import { samplePoint } from '../../sample/points.ts';
import { refusalText } from '../../src/http/v1/drift/guard-text.ts';
import { HANG_MS } from '../support/run-settings.ts';
import { checkMetrics, findPromtool } from '../support/promtool.ts';
import { openSyncBench } from '../support/sync-bench.ts';
import { opened } from '../support/opened.ts';
import { operationsOf } from '../edge/documented.ts';
import { expectDocumented, expectError } from '../edge/edge.ts';
import { openDatedService } from '../support/dated-service.ts';
import { mintKey } from '../support/keys.ts';
import { AUTHORIZED } from '../edge/operator.ts';
import { WEBHOOK_KEY } from '../webhooks/webhook-bench.ts';

const hasPromtool = findPromtool();
const bench = await opened(openSyncBench());
const { store } = bench;
// A busy machine may take longer than a register is given: a failure that no fault made would be counted.
const limits: { originDeadlineMs: number } = LIMITS;
const { originDeadlineMs } = limits;
limits.originDeadlineMs = HANG_MS;
const patient = { source: { pointTimeoutMs: HANG_MS } };
const catalogue = overrideCatalogue(bench.deps.catalogue, { kirke: patient });
const deps = { ...bench.deps, catalogue };
const queue = new SyncQueue(deps, 1);
const service = await opened(
  openDatedService({
    // With the key there is a dispatcher, and its counters are judged with the others.
    ...{ deps, store, queue, open: false },
    settings: { WEBHOOK_KEY, LOOKUPS: 'store', JOBS: 'on' },
  }),
);
afterAll(() => {
  limits.originDeadlineMs = originDeadlineMs;
  return queue.stop();
});
const key = await mintKey(service);

async function trail(query: string): Promise<TrailPage> {
  const response = await get(`/v1/drift/handlinger${query}`);
  expectDocumented(service.app, response, ['get', '/v1/drift/handlinger']);
  return response.json<TrailPage>();
}

const get = (url: string) => service.app.inject({ url, headers: AUTHORIZED });
const post = (url: string, payload: object = {}) =>
  service.app.inject({ method: 'POST', url, headers: AUTHORIZED, payload });

async function layer(id: string): Promise<Board['lag'][number]> {
  const response = await get('/v1/drift/lag');
  expectDocumented(service.app, response, ['get', '/v1/drift/lag']);
  const found = response.json<Board>().lag.find(({ lag }) => lag === id);
  if (found === undefined) throw new Error(`No ${id}.`);
  return found;
}

async function runs(query = ''): Promise<RunPage> {
  const response = await get(`/v1/drift/lag/soe/koersler${query}`);
  expectDocumented(service.app, response, ['get', '/v1/drift/lag/{lag}/koersler']);
  return response.json<RunPage>();
}

describe('a layer', () => {
  test('is missing, with nothing in its place, before it was ever mirrored', async () => {
    expect(await layer('soe')).toMatchObject({
      ...{ tilstand: 'mangler', svarer: false, alder_s: null, antal: null, holdt: null },
      ...{ kan_fortrydes: false, koersler: [], seneste_gode: null },
    });
    expect(await runs()).toEqual({ lag: 'soe', ulaeste: [], koersler: [], naeste: null });
  });

  test('runs when asked to, and tells what the run counted', async () => {
    const response = await post('/v1/drift/lag/soe/synk', { af: 'MGK' });
    expect(response.json()).toEqual({ lag: 'soe', svar: 'i_koe', frigivet: [] });
    await queue.idle();
    const { tal, ...run } = (await runs()).koersler[0]!;
    expect(run).toMatchObject({
      ...{ slags: 'synk', udloeser: 'operatoer', tilstand: 'udgivet', version: 1 },
      ...{ bedt_af: 'MGK', frigivet: [], afvist_af: [], fejl: null },
    });
    expect(tal['sider']).toBeGreaterThan(1);
    expect(tal['bytes']).toBeGreaterThan(10_000);
    expect(tal['modtaget']).toBe(tal['annonceret']);
    expect(tal['nye']).toBe(tal['raekker']);
    expect(await layer('soe')).toMatchObject({ tilstand: 'frisk', antal: tal['raekker'] });
  });

  test('that is refused says so, and publishes only when the guard is released', async () => {
    bench.upstream.holdings.empty('soe');
    await post('/v1/drift/lag/soe/synk');
    await queue.idle();
    const refused = await layer('soe');
    expect(refused).toMatchObject({
      tilstand: 'fejlet',
      svarer: true,
      version: 1,
      afvisning: { staar: true, koersel: { tilstand: 'afvist', version: null } },
    });
    const guards = refused.afvisning!.koersel.afvist_af;
    expect(guards[0]).toMatchObject({
      vaern: 'empty',
      kan_frigives: true,
      tekst: expect.stringMatching(/^Laget kom tomt; .* har \d+ rækker\.$/) as string,
    });
    const names = guards.map(({ vaern }) => vaern);
    await post('/v1/drift/lag/soe/synk', { frigiv: names, af: 'MGK' });
    await queue.idle();
    const emptied = { tilstand: 'frisk', antal: 0, version: 2, afvisning: { staar: false } };
    expect(await layer('soe')).toMatchObject(emptied);
    expect((await runs('?antal=1')).koersler[0]).toMatchObject({ frigivet: names, bedt_af: 'MGK' });
    const { handlinger } = (await get('/v1/drift/lag')).json<{ handlinger: unknown[] }>();
    const release = { lag: 'soe', handling: 'frigiv', vaern: names, af: 'MGK' };
    expect(handlinger[0]).toMatchObject(release);
  });

  test('goes back to the version before, is held, and is on record', async () => {
    const response = await post('/v1/drift/lag/soe/fortryd', { af: 'MGK' });
    expectDocumented(service.app, response, ['post', '/v1/drift/lag/{lag}/fortryd']);
    expect(response.json()).toMatchObject({ lag: 'soe', version: 3 });
    const back = await layer('soe');
    expect(back).toMatchObject({ version: 3, holdt: { af: 'MGK' }, kan_fortrydes: false });
    expect(back['antal']).toBeGreaterThan(0);
    const [run] = (await runs('?antal=1')).koersler;
    expect(run).toMatchObject({ slags: 'fortryd', bedt_af: 'MGK' });
    expectError(await post('/v1/drift/lag/soe/fortryd'), 'conflict');
  });

  test('has its past on record: what each run led to, and versions that can be compared', async () => {
    const response = await get('/v1/drift/lag/soe/historik');
    expectDocumented(service.app, response, ['get', '/v1/drift/lag/{lag}/historik']);
    const { koersler, ...past } = response.json<History>();
    const [first, refused, emptied, reverted] = koersler;
    expect(koersler).toHaveLength(4);
    expect(past).toMatchObject({
      synket_foer: null,
      versioner: [{ version: 3 }, { version: 2 }, { version: 1 }],
      // What was taken back stays known: the log of changes tells of it.
      kan_sammenlignes: [{ version: 3 }, { version: 2 }, { version: 1 }],
    });
    expect(refused).toMatchObject({ tilstand: 'afvist', synket: null, antal: null });
    expect(refused?.afvist_af).toContain('empty');
    expect(emptied).toMatchObject({ version: 2, antal: 0, areal_m2: 0 });
    expect(emptied?.frigivet).toContain('empty');
    // As old as what it went back to, and as large.
    expect(reverted).toMatchObject({ slags: 'fortryd', version: 3, synket: first?.synket });
    expect([reverted?.antal, reverted?.areal_m2]).toEqual([first?.antal, first?.areal_m2]);
    expect(await layer('soe')).toMatchObject({ synket: reverted?.synket });
    expect((await get('/v1/drift/lag/soe/forskel?fra=2')).statusCode).toBe(200);
    expectError(await get('/v1/drift/lag/soe/forskel?fra=9'), 'not_found');
  });

  test('has its runs in pages, newest first, none twice', async () => {
    const all = (await runs()).koersler.map(({ id }) => id);
    expect(all).toHaveLength(4);
    const seen: string[] = [];
    let next: string | null = null;
    do {
      const page: RunPage = await runs(`?antal=3${next === null ? '' : `&foer=${next}`}`);
      seen.push(...page.koersler.map(({ id }) => id));
      next = page.naeste;
    } while (next !== null);
    expect(seen).toEqual(all);
    expect(seen).toEqual([...seen].sort((a, b) => Number(b) - Number(a)));
  });

  test('shows the features that could not be read', async () => {
    bench.upstream.holdings.restore('soe');
    bench.upstream.faults.set([{ fault: 'null-keys', layer: 'soe', share: 0.3 }]);
    await post('/v1/drift/lag/soe/synk');
    await queue.idle();
    bench.upstream.faults.clear();
    const [run] = (await runs('?antal=1')).koersler;
    expect(run?.['problemer']).toBeGreaterThan(0);
    expect(run?.['eksempler']).toEqual(
      expect.arrayContaining([expect.objectContaining({ art: expect.any(String) as string })]),
    );
  });
});

describe('a lookup', () => {
  const { lon, lat } = samplePoint('beach-cut').wgs84;
  const ask = () => service.app.inject(`/v1/natur/byggelinjer?lon=${lon}&lat=${lat}&token=${key}`);
  const svar = async (id: string) => (await layer(id))['svar'] as Record<string, number>;

  test('is counted by the rung that answered, and so is each way the register failed', async () => {
    await bench.sync('aa');
    const before = await svar('aa');
    await ask();
    // aa is mirrored; kirke is not and comes from the register.
    expect(await svar('aa')).toMatchObject({ lager: (before['lager'] ?? 0) + 1 });
    expect(await svar('kirke')).toMatchObject({ lager: 0, register: 1 });
    bench.upstream.faults.set([{ fault: 'exception-200' }]);
    await service.app.inject(`/v1/natur/byggelinjer?lon=${lon}&lat=${lat - 0.001}&token=${key}`);
    bench.upstream.faults.clear();
    const kirke = await layer('kirke');
    expect(kirke).toMatchObject({
      svar: { register: 1, utilgaengelig: 1 },
      seneste_noedsvar: { fra: 'utilgaengelig' },
    });
    expect(Object.values(kirke['registerfejl'] as object)).toEqual([1]);
    const { body } = await get('/metrics');
    expect(body).toContain('geoopslag_lookup_answers_total{layer="kirke",rung="unavailable"} 1');
    expect(body).toMatch(/geoopslag_origin_failures_total\{layer="kirke",kind="\w+"\} 1/);
    expect(body).toContain('geoopslag_upstream_breaker{host="portal",state=');
    expect(body).toMatch(/geoopslag_layer_age_seconds\{layer="aa"\} \d+/);
    expect(body).toContain('geoopslag_sync_runs_total{layer="soe",state="refused"} 2');
    expect(body).toContain('geoopslag_usage_burst_share 1');
    expect(body).toContain('geoopslag_usage_accounts 1');
    expect(body).toMatch(/geoopslag_usage_journal_bytes [1-9]/);
  });

  test.skipIf(!hasPromtool)('are metrics that promtool takes without a word', async () => {
    const { body } = await get('/metrics');
    expect(body).toMatch(/^geoopslag_webhook_attempts_total\{/m);
    expect(checkMetrics(body)).toBe('');
  });
});

describe('a guard', () => {
  test('refuses in Danish, every one', () => {
    for (const guard of GUARDS) {
      const message = 'In English: missing: x';
      expect(refusalText({ guard, message, numbers: {} }), guard).not.toBe(message);
    }
  });

  test.each([
    [
      'parsed',
      '',
      { line: 1204, cells: 7, columns: 12 },
      /^Linje 1\.204 har 7 værdier, .* 12 kolonner/,
    ],
    ['listing', 'No total of X. The listing is empty.', { listed: 0 }, /listen er tom\.$/],
    [
      'listing',
      'No total of Bygning (BBR in csv) is listed. The listing holds 14 files: a.zip, b.zip, c.zip, and more.',
      { listed: 14 },
      /listen har 14 filer: a\.zip, b\.zip, c\.zip m\.fl\.\.$/,
    ],
    ['generation', '', { missing: 691, have: 690 }, /^Ændringsfil 691 mangler/],
    ['generation', '', { madeAt: 0, lastMadeAt: 86_400 }, /1970-01-01 kl\. 00:00 UTC.*1970-01-02/],
    ['generation', '', { spreadS: 864_000, largestS: 691_200 }, /10 dage .* 8 dage/],
  ] as const)('tells what %s found: %s', (guard, message, numbers, wanted) => {
    expect(refusalText({ guard, message, numbers })).toMatch(wanted);
  });
});

test('every operator route that changes anything leaves an act with a name', async () => {
  const routes = operationsOf(service.app.swagger()).filter(
    ({ method, security }) =>
      method !== 'get' && security.some((each) => Object.hasOwn(each, 'operator')),
  );
  expect(routes.length).toBeGreaterThanOrEqual(4);
  for (const [place, { method, path }] of routes.entries()) {
    const who = `Opdigtet ${place}`;
    const url = path.replace('{lag}', 'soe').replace('{id}', 'soe-x');
    const isDelete = method === 'delete';
    // The sync that a route asks for may take it away.
    await bench.store.pool.query(
      `insert into dated_change (id, layer, at, from_register) values ('soe-x', 'soe', '2098-01-01', true) on conflict do nothing`,
    );
    await service.app.inject({
      ...{ method: isDelete ? 'DELETE' : 'POST', headers: AUTHORIZED },
      ...(isDelete
        ? { url: `${url}?af=${encodeURIComponent(who)}` }
        : { url, payload: { af: who } }),
    });
    const { handlinger } = await trail(`?af=${encodeURIComponent(who)}`);
    expect([path, handlinger]).toMatchObject([path, [{ af: who, objekt: 'soe', via: 'api' }]]);
  }
  const all = await trail('?objekt=soe');
  expect(all.handlinger.length).toBeGreaterThan(routes.length);
  const [first] = (await trail('?objekt=soe&antal=1')).handlinger;
  expect(first).toEqual(all.handlinger[0]);
  const { handlinger: older } = await trail(`?objekt=soe&foer=${String(first!['nr'])}`);
  expect(older).toEqual(all.handlinger.slice(1));
  expect((await trail('?af=ingen')).handlinger).toEqual([]);
  expectError(await get('/v1/drift/handlinger?af=%00'), 'invalid_request');
  await bench.store.pool.query(`delete from dated_change where id = 'soe-x'`);
});
