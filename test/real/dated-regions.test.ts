/**
 * 1 January 2027 over the six real themes: the regions 1084 and 1085 become one, dated by the file. A
 * whole service with its clock turned, asked without a pause. The merged region is made here, and so is
 * its code, and a judicial district that changes its name at the same instant; addresses are the sample's, set
 * down in Copenhagen.
 */
import { addresses } from '../../src/registers/addresses/register.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Composed } from '../../src/start/service.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import { overrideCatalogue } from '../../src/layers/catalogue.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import type { Catalogue } from '../../src/layers/catalogue.ts';
import { ADDRESSES, THEMES } from '../../src/layers/keys.ts';
import type { Theme } from '../../src/layers/keys.ts';
import type { SyncDeps } from '../../sync/deps.ts';
import { syncMirror } from '../../sync/sync-mirror.ts';
import { preparePreviews } from '../../sync/dated/preview.ts';
import { sampleCatalogue } from '../../sample/catalogue.ts';
import { FETCH_PATH, LIST_PATH } from '../../sample/files/answer.ts';
import { startSync } from '../../sync/start.ts';
import type { SyncService } from '../../sync/start.ts';
import { AUTHORIZED } from '../edge/operator.ts';
import { openDatedBench } from '../support/dated-bench.ts';
import type { DatedBench } from '../support/dated-bench.ts';
import { holdOthers, openDatedService } from '../support/dated-service.ts';
import { describeReal } from '../support/real-data.ts';
import { realRows } from '../support/real-themes.ts';
import type { RealRow } from '../support/real-themes.ts';
import { told } from '../support/run-outcome.ts';

/** Midnight in Copenhagen: an hour before that of UTC. */
const MIDNIGHT = '2027-01-01T00:00:00+01:00';
const INSTANT_MS = Date.UTC(2026, 11, 31, 23);
const REGION = 'region-20261231T230000Z';
const RETSKREDS = 'retskreds-20261231T230000Z';
const MERGED = '1086';
const RENAMED = 'Københavns Storbyret (opdigtet)';
/** From the sample's island to the middle of Copenhagen, metres. */
const TO_COPENHAGEN = { east: 725_000 - 651_500, north: 6_176_000 - 6_313_000 };
/** Two municipalities of each region that ends, and one of another. */
const KOMMUNER = ['0101', '0265', '0851'];
/** Lookups at a time while it becomes midnight. */
const CALLERS = 4;

/** All six themes from files, with the guards of the registers. */
function realCatalogue(url: string): Catalogue {
  const files = {
    ...{ listUrl: `${url}${LIST_PATH}`, fetchUrl: `${url}${FETCH_PATH}` },
    ...{ format: 'json' as const, keyProperty: 'id.lokalId', dagiScale: null, minBytes: 1_000 },
  };
  const themes = Object.fromEntries(THEMES.map((theme) => [theme, { files }]));
  const { areas } = overrideCatalogue(REGISTERS_CATALOGUE, themes);
  return { ...sampleCatalogue(url), areas };
}

describeReal('1 January 2027 over the real themes', ['gdal'], () => {
  const dir = mkdtempSync(join(tmpdir(), 'geoopslag-real-dated-'));
  let dated: DatedBench;
  let deps: SyncDeps;
  let service: Composed;
  let sync: SyncService | null = null;
  let regions: readonly RealRow[] = [];

  beforeAll(async () => {
    const startMs = INSTANT_MS - 60_000;
    dated = await openDatedBench({ catalogueAt: realCatalogue, startMs });
    deps = dated.deps;
    regions = await withMerger(realRows('region', dir));
    for (const theme of THEMES) {
      const rows = theme === 'region' ? regions : realRows(theme, dir);
      const outcome = await read(theme, theme === 'retskreds' ? withNewName(rows) : rows);
      expect(told(outcome), theme).toBe('published');
    }
    dated.bench.upstream.shelf.tables.spoil({
      rows: (_entity, rows) =>
        rows.map(({ position = null, ...row }) => ({
          ...row,
          ...(position !== null && { position: moved(position) }),
        })),
    });
    expect(told(await syncMirror(deps, ADDRESSES, { trigger: 'command' }))).toBe('published');
    const { store } = dated.bench;
    await holdOthers(store, [...THEMES, ADDRESSES]);
    service = await openDatedService({ deps, store });
    await preparePreviews(deps);
    await vi.waitFor(
      () => {
        expect(service.memory?.current?.areaReader()).toBeTruthy();
        expect(service.memories.of(addresses)?.current).toBeTruthy();
      },
      { timeout: 60_000 },
    );
  });

  afterAll(async () => {
    await sync?.stop();
    await service.close();
    await dated.close();
    rmSync(dir, { recursive: true, force: true });
  });

  /** The file of a theme as it is listed from now on, and a run over it. */
  async function read(theme: Theme, rows: readonly RealRow[]) {
    const { holdings, shelf } = dated.bench.upstream;
    // The shelf's counter moves: there is a new file.
    holdings.edit(theme, (features) => [...features]);
    shelf.spoil({ content: () => Buffer.from(JSON.stringify(rows)) });
    return await syncMirror(deps, theme, { trigger: 'command' });
  }

  /** The rows of today until midnight, and the region that takes the place of two of them. */
  async function withMerger(rows: readonly RealRow[]): Promise<readonly RealRow[]> {
    const ends = rows.filter((row) => ['1084', '1085'].includes(codeOf(row)));
    expect(ends).toHaveLength(2);
    const { rows: united } = await dated.bench.store.pool.query<{ wkt: string }>(
      `select ST_AsText(ST_Multi(ST_Union(ST_GeomFromText(wkt)))) as wkt
       from unnest($1::text[]) as given(wkt)`,
      [ends.map(({ geometri }) => geometri)],
    );
    return [
      ...rows.map((row) => (ends.includes(row) ? { ...row, virkningTil: MIDNIGHT } : row)),
      {
        ...ends[0],
        'id.lokalId': 1_086_000,
        regionskode: Number(MERGED),
        navn: 'Region Østdanmark',
        virkningFra: MIDNIGHT,
        geometri: united[0]?.wkt ?? '',
      },
    ];
  }

  function withNewName(rows: readonly RealRow[]): readonly RealRow[] {
    return rows.flatMap((row) =>
      row['navn'] === 'Københavns Byret'
        ? [
            { ...row, virkningTil: MIDNIGHT },
            { ...row, navn: RENAMED, virkningFra: MIDNIGHT },
          ]
        : [row],
    );
  }

  const get = (url: string) => service.app.inject({ url });
  const reverse = (lon: number, lat: number) => get(`/v1/dagi/reverse?lon=${lon}&lat=${lat}`);
  const COPENHAGEN = [12.5683, 55.6761] as const;
  const ROSKILDE = [12.087, 55.6415] as const;

  interface Listed {
    readonly omraader: readonly {
      readonly tema: string;
      readonly kode: string;
      readonly navn: string;
    }[];
  }
  /** The code of the region, with a mark where the judicial district has its new name. */
  const regionIn = ({ omraader }: Listed) =>
    (omraader.find(({ tema }) => tema === 'region')?.kode ?? 'none') +
    (omraader.some(({ navn }) => navn === RENAMED) ? '+' : '');

  /** One answer of the service: the regions it tells, and whose copy told them. */
  interface Told {
    readonly what: string;
    readonly status: number;
    readonly generation: string;
    readonly fresh: boolean;
    /** In the order of what was asked. */
    readonly regions: string;
  }

  const QUESTIONS: Readonly<Record<string, () => Promise<Told>>> = {
    copenhagen: async () => toldBy('copenhagen', await reverse(...COPENHAGEN)),
    roskilde: async () => toldBy('roskilde', await reverse(...ROSKILDE)),
    points: async () => {
      const punkter = [COPENHAGEN, ROSKILDE].map(([lon, lat]) => ({ lon, lat }));
      return toldBy('points', await post('/v1/dagi/reverse:batch', { punkter }));
    },
    kommuner: async () =>
      toldBy('kommuner', await post('/v1/dagi:batch', { tema: 'kommune', kode: KOMMUNER })),
    address: async () => toldBy('address', await get(`/v1/adresser/${await someAddress()}`)),
  };
  const post = (url: string, payload: object) =>
    service.app.inject({ method: 'POST', url, payload });

  let addressId: string | null = null;
  async function someAddress(): Promise<string> {
    if (addressId === null) {
      const { rows } = await dated.bench.store.pool.query<{ id: string }>(
        'select id from address_access where status = 3 order by id limit 1',
      );
      addressId = rows[0]?.id ?? '';
    }
    return addressId;
  }

  function toldBy(what: string, response: Awaited<ReturnType<typeof get>>): Told {
    const { headers, statusCode: status } = response;
    const body = response.json<{
      omraader?: Listed['omraader'];
      adresse?: Listed;
      results?: readonly (Partial<Listed> & { omraade?: { regionskode: string } })[];
    }>();
    const one = body.omraader ?? body.adresse?.omraader;
    const all = (body.results ?? [{ omraader: one ?? [] }]).map(
      ({ omraade, omraader = [] }) => omraade?.regionskode ?? regionIn({ omraader }),
    );
    return {
      what,
      status,
      generation: String(headers['x-service-generation']),
      fresh: !String(headers['cache-status']).includes('stale'),
      regions: all.join(' '),
    };
  }

  /** Every question once: the codes it tells and whether they are fresh. */
  async function askAll(): Promise<Record<string, string>> {
    const answers = await Promise.all(Object.values(QUESTIONS).map((ask) => ask()));
    return Object.fromEntries(
      answers.map(({ what, status, regions: codes, fresh }) => [
        what,
        `${status} ${codes} ${fresh ? 'fresh' : 'stale'}`,
      ]),
    );
  }

  const answers = (copenhagen: string, roskilde: string, standing: 'fresh' | 'stale') => ({
    copenhagen: `200 ${copenhagen} ${standing}`,
    roskilde: `200 ${roskilde} ${standing}`,
    points: `200 ${copenhagen} ${roskilde} ${standing}`,
    kommuner: `200 ${copenhagen.replace('+', '')} ${roskilde} 1081 ${standing}`,
    address: `200 ${copenhagen} ${standing}`,
  });

  const stateOf = async (layer: string) => {
    const status = (await get('/v1/status')).json<{ lag: { lag: string; tilstand: string }[] }>();
    return status.lag.find(({ lag }) => lag === layer)?.tilstand;
  };
  const codesIn = async (theme: Theme) => {
    const { rows } = await dated.bench.store.pool.query<{ code: string }>(
      'select distinct region_code as code from area where theme = $1 order by 1',
      [theme],
    );
    return rows.map(({ code }) => code).join(' ');
  };

  test('the merger is shown with what it will do, and nothing of it answers', async () => {
    expect(await askAll()).toEqual(answers('1084', '1085', 'fresh'));
    const listed = await service.app.inject({ url: '/v1/drift/varsler', headers: AUTHORIZED });
    const { varsler } = listed.json<{ varsler: readonly object[] }>();
    expect(varsler).toHaveLength(2);
    expect(varsler[1]).toMatchObject({ id: RETSKREDS, begynder: [], ophoerer: [] });
    expect(varsler[0]).toMatchObject({
      id: REGION,
      tidspunkt: '2026-12-31T23:00:00.000Z',
      tilstand: 'forberedt',
      ophoerer: [{ kode: '1084' }, { kode: '1085' }],
      begynder: [{ kode: MERGED, navn: 'Region Østdanmark' }],
      kraever_godkendelse: true,
    });
    dated.setClock(INSTANT_MS - 1);
    const early = await dated.sync('region', { trigger: 'dated', dated: true });
    expect(told(early)).toBe('unchanged');
    expect(await askAll()).toEqual(answers('1084', '1085', 'fresh'));
  });

  test('nobody has confirmed it: refused, alarmed, and the old regions answer as old', async () => {
    dated.setClock(INSTANT_MS);
    expect(await askAll()).toEqual(answers('1084', '1085', 'stale'));
    const tried = await dated.sync('region', { trigger: 'dated', dated: true });
    expect(told(tried)).toMatch(/refused: .*canary/);
    const metrics = await service.app.inject({ url: '/metrics', headers: AUTHORIZED });
    expect(metrics.body).toContain(
      `geoopslag_dated_change_overdue{layer="region",change="${REGION}"} 1`,
    );
    expect(await stateOf('region')).toBe('forsinket');
    expect(await codesIn('region')).toBe('1081 1082 1083 1084 1085');
    expect(await askAll()).toEqual(answers('1084', '1085', 'stale'));
  });

  test('confirmed, another change beside it is refused as ever', async () => {
    dated.setClock(INSTANT_MS - 60_000);
    await forgetTheFuture();
    const url = `/v1/drift/varsler/${REGION}/godkend`;
    const done = await service.app.inject({ method: 'POST', url, headers: AUTHORIZED });
    expect(done.statusCode).toBe(200);
    dated.setClock(INSTANT_MS + 3600_000);
    const kommuner = realRows('kommune', dir).filter((row) => row['kommunekode'] !== 101);
    expect(told(await read('kommune', kommuner))).toMatch(/refused/);
    const beside = regions.filter((row) => codeOf(row) !== '1081');
    expect(told(await read('region', beside))).toMatch(/refused/);
    expect(await codesIn('kommune')).toBe('1081 1082 1083 1084 1085');
    dated.setClock(INSTANT_MS - 60_000);
    await forgetTheFuture();
    expect(await askAll()).toEqual(answers('1084', '1085', 'fresh'));
  });

  test('at midnight in Copenhagen every code is the new one, and no answer is of two moments', async () => {
    sync = startSync({ ...deps, onPublished: () => service.memory?.nudge() });
    await sync.idle();
    const seen: Told[] = [];
    const load = { isOn: true };
    const callers = Array.from({ length: CALLERS }, async (_, caller) => {
      const asks = Object.values(QUESTIONS);
      for (let n = caller; load.isOn; n++) {
        seen.push(await asks[n % asks.length]!());
        await sleep(1);
      }
    });
    await sleep(3 * LIMITS.datedTickMs);
    const quiet = seen.length;
    expect(quiet).toBeGreaterThan(asksInAll());
    dated.setClock(INSTANT_MS);
    await vi.waitFor(
      async () => expect(await askAll()).toEqual(answers(`${MERGED}+`, MERGED, 'fresh')),
      {
        timeout: 120_000,
        interval: 50,
      },
    );
    load.isOn = false;
    await Promise.all(callers);

    expect(seen.filter(({ status }) => status !== 200)).toEqual([]);
    const before = answers('1084', '1085', 'fresh');
    const after = answers(`${MERGED}+`, MERGED, 'fresh');
    for (const { what, regions: codes } of seen) {
      const whole = [before, after].map((each) => each[what as keyof typeof each].split(' '));
      expect(whole.map((each) => each.slice(1, -1).join(' '))).toContain(codes);
    }
    // Before midnight nothing was new, and of the same generation nothing is told in two ways.
    expect(new Set(seen.slice(0, quiet).map(({ generation }) => generation)).size).toBe(1);
    const byGeneration = Map.groupBy(
      seen.filter(({ what }) => what !== 'address'),
      ({ what, generation }) => `${what} ${generation}`,
    );
    for (const moments of byGeneration.values()) {
      expect(new Set(moments.map(({ regions: codes }) => codes)).size).toBe(1);
    }
    for (const theme of THEMES) expect(await codesIn(theme)).toBe(`1081 1082 1083 ${MERGED}`);
    expect(await stateOf('region')).not.toBe('forsinket');
  });

  test('and a clock that goes back brings nothing of the past again', async () => {
    dated.setClock(INSTANT_MS - 3600_000);
    await sleep(3 * LIMITS.datedTickMs);
    // Copies of a time that has not come count as late.
    expect(await askAll()).toEqual(answers(`${MERGED}+`, MERGED, 'stale'));
  });

  const asksInAll = () => Object.keys(QUESTIONS).length;

  /** Runs of a time that has not come yet: only a trial's clock goes back. */
  async function forgetTheFuture(): Promise<void> {
    await dated.bench.store.pool.query(`delete from register_refusal where refused_at >= $1`, [
      new Date(INSTANT_MS).toISOString(),
    ]);
    await dated.bench.store.pool.query(`delete from sync_run where started_at >= $1`, [
      new Date(INSTANT_MS).toISOString(),
    ]);
  }
});

const codeOf = (row: RealRow) => String(row['regionskode']);

function moved(point: string): string {
  const [x = 0, y = 0] = [...point.matchAll(/[\d.]+/g)].map(Number);
  return `POINT (${(x + TO_COPENHAGEN.east).toFixed(2)} ${(y + TO_COPENHAGEN.north).toFixed(2)})`;
}
