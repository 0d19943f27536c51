/**
 * What is worked out before the instant: the pieces, regions and contents of the next versions, and their
 * snapshots in memory. Put in place when they are what was published; else they are as good as none.
 */
import { mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { THEMES } from '../../src/layers/keys.ts';
import { LAYERS } from '../../src/registers.ts';
import { createLayerLoader } from '../../src/memory/layer-loader.ts';
import type { LayerLoader } from '../../src/memory/layer-loader.ts';
import { confirmChange, unconfirmChange } from '../../src/ops/dated-changes.ts';
import { readAhead, readContent } from '../../src/registers/areas/ahead.ts';
import { cutAhead } from '../../src/registers/areas/derive.ts';
import { prepareNext } from '../../sync/dated/prepare.ts';
import { preparePreviews } from '../../sync/dated/preview.ts';
import { syncDated } from '../../sync/dated/run.ts';
import { createWorkers } from '../../workers/pool.ts';
import { INSTANT_MS, openDatedBench } from '../support/dated-bench.ts';
import type { DatedBench } from '../support/dated-bench.ts';
import { told } from '../support/run-outcome.ts';

const REGION = 'region-20981231T230000Z';
const BEFORE_MS = INSTANT_MS - 3600_000;
/** On the embedded store nothing is prepared: its one session is not kept from everybody. */
const here = process.env['TEST_STORE'] === 'postgres';

describe.skipIf(!here)('prepared before the instant', () => {
  let dated: DatedBench;
  let loader: LayerLoader;
  let directory = '';
  const workers = createWorkers({ threads: 1 });
  /** Layers whose snapshot was built, and what the loader has complained of. */
  const built: string[] = [];
  const said: string[] = [];

  beforeAll(async () => {
    dated = await openDatedBench({ startMs: BEFORE_MS });
    await dated.syncThemes();
    await preparePreviews(dated.deps);
    const by = { id: REGION, nowMs: BEFORE_MS, by: 'test', remark: null };
    expect((await confirmChange(dated.deps.store, by)).state).toBe('done');
    await dated.keep();
  });
  afterAll(async () => {
    await workers.close();
    await dated.close();
  });
  beforeEach(async () => {
    await dated.restore();
    directory = mkdtempSync(join(dated.bench.store.dataDir, 'snapshots-'));
    loader = loaderIn(directory);
    built.length = 0;
    said.length = 0;
  });
  afterEach(() => expect(said).toEqual([]));

  const loaderIn = (place: string) =>
    createLayerLoader({
      sources: LAYERS,
      ...{ clock: dated.deps.clock, store: dated.deps.store, catalogue: dated.deps.catalogue },
      ...{ directory: place, storeName: 'test', log: (message) => said.push(message) },
      workers: {
        buildSnapshot: (task, signal) => {
          built.push(task.layer);
          return workers.buildSnapshot(task, signal);
        },
      },
    });

  const prepare = () => prepareNext(dated.deps, new AbortController().signal);
  const carryOut = async () =>
    told(await syncDated(dated.deps, 'region', { signal: AbortSignal.timeout(60_000) }));
  const coming = () => readdirSync(directory).filter((name) => name.includes('-coming.')).length;
  const count = async (table: string) =>
    Number(
      (await dated.bench.store.pool.query<{ n: string }>(`select count(*) as n from ${table}`))
        .rows[0]?.n,
    );

  /** What is published in memory, and all that is to come. */
  async function load(): Promise<void> {
    await loader.refresh();
    for (const _ of THEMES) await loader.lookAhead();
  }

  const regionOf = (code: string) =>
    loader.current?.areasByCode('kommune', [code])?.areas[0]?.regionCode;

  test('rows that several processes cut at a time are cut once', async () => {
    const { db, pool } = dated.bench.store;
    const pieces = async () =>
      (
        await pool.query<{ layer: string; key: string; n: string }>(
          'select layer, key, count(*) as n from dated_piece group by 1, 2 order by 1, 2',
        )
      ).rows;
    await pool.query('delete from dated_piece');
    await cutAhead(db, 'region');
    const once = await pieces();
    await pool.query('delete from dated_piece');
    await Promise.all(Array.from({ length: 4 }, () => cutAhead(db, 'region')));
    expect(await pieces()).toEqual(once);
  });

  test('what is published at the instant is what was prepared, and nothing is built any more', async () => {
    await prepare();
    const versions = await readAhead(dated.deps.store.db);
    expect(versions.map(({ layer }) => layer).toSorted()).toEqual([...THEMES].toSorted());
    await load();
    expect(built.toSorted()).toEqual([...THEMES, ...THEMES].toSorted());
    expect(coming()).toBe(2 * THEMES.length);
    // Nothing of it is to be seen.
    expect(loader.current?.namesOf('region')?.has('1093')).toBe(false);
    expect(regionOf('0094')).toBe('1092');
    expect(await count('stage_feature')).toBe(0);
    expect(await count("area where code = '1093'")).toBe(0);

    dated.setClock(INSTANT_MS);
    expect(await carryOut()).toBe('published');
    for (const { layer, version, content } of versions) {
      const published = await readContent(dated.deps.store.db, layer);
      expect({ layer, ...published }).toMatchObject({ layer, version, content });
    }
    built.length = 0;
    await loader.refresh();
    expect(built).toEqual([]);
    expect(coming()).toBe(0);
    expect(loader.current?.namesOf('region')?.has('1093')).toBe(true);
    expect(regionOf('0094')).toBe('1093');
    await expectAsBuiltAnew();
    await expectAsWorkedOutAnew();
  });

  /** The snapshots in service are, to the byte, those that the published rows lead to. */
  async function expectAsBuiltAnew(): Promise<void> {
    const anew = loaderIn(mkdtempSync(join(dated.bench.store.dataDir, 'snapshots-')));
    await anew.refresh();
    for (const theme of THEMES) {
      const bytes = [loader, anew].map((each) =>
        Buffer.from(each.current?.layers.get(theme)?.snapshot.buffer ?? new SharedArrayBuffer(0)),
      );
      expect(bytes[0]?.equals(bytes[1] ?? Buffer.alloc(0)), theme).toBe(true);
    }
  }

  /** Pieces and regions as a change that nobody prepared has them. */
  async function expectAsWorkedOutAnew(): Promise<void> {
    const derived = async () =>
      (
        await dated.bench.store.pool.query<Record<string, string>>(
          `select a.theme, a.key, a.region_code, count(*) as pieces, round(sum(ST_Area(p.geom)))
           from area a join area_piece p using (theme, key) group by 1, 2, 3 order by 1, 2`,
        )
      ).rows;
    const prepared = await derived();
    await dated.restore();
    dated.setClock(INSTANT_MS);
    expect(await carryOut()).toBe('published');
    expect(await derived()).toEqual(prepared);
  }

  test('with the confirmation taken back it is dropped, in the store and in memory', async () => {
    await prepare();
    await load();
    const at = { id: REGION, nowMs: BEFORE_MS };
    expect((await unconfirmChange(dated.deps.store, at)).state).toBe('done');
    await prepare();
    // What trips no guard is prepared all the same.
    expect((await readAhead(dated.deps.store.db)).map(({ layer }) => layer)).toEqual([
      'kommune',
      'sogn',
    ]);
    for (const _ of THEMES) await loader.lookAhead();
    expect(coming()).toBe(4);
    dated.setClock(INSTANT_MS);
    expect(await carryOut()).toMatch(/refused/);
    await prepare();
    await loader.refresh();
    await loader.lookAhead();
    expect(await readAhead(dated.deps.store.db)).toEqual([]);
    expect(coming()).toBe(0);
  });

  test('what another version came between is built as any other', async () => {
    await prepare();
    await load();
    // A new name in the file of today: the municipalities are another version, with other content.
    dated.bench.upstream.holdings.edit('kommune', (features) => [...features]);
    dated.bench.upstream.shelf.spoil({
      rows: (rows) =>
        rows.map((row) =>
          Number(row.columns['kommunekode']) === 94
            ? { ...row, columns: { ...row.columns, navn: 'Nyt Navn (opdigtet)' } }
            : row,
        ),
    });
    expect(told(await dated.sync('kommune', { liftedGuards: ['canary'] }))).toBe('published');
    dated.setClock(INSTANT_MS);
    expect(await carryOut()).toBe('published');
    built.length = 0;
    await loader.refresh();
    expect(built).toEqual(['kommune']);
    const { areas = [] } = loader.current?.areasByCode('kommune', ['0094']) ?? {};
    expect(areas[0]).toMatchObject({ name: 'Nyt Navn (opdigtet)', regionCode: '1093' });
    await expectAsBuiltAnew();
  });

  test('too near its instant it is left to the run, which waits for nothing', async () => {
    dated.setClock(INSTANT_MS - 60_000);
    await prepare();
    expect(await readAhead(dated.deps.store.db)).toEqual([]);
  });
});
