/**
 * Themes from file downloads, through the whole path: whole, unchanged, newer, older, broken. What upstreams sent is kept,
 * and a run can be done again from it without them.
 */
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createDownloads } from '../../src/downloads/client.ts';
import { overrideCatalogue } from '../../src/layers/catalogue.ts';
import type { LayerOverride } from '../../src/layers/catalogue.ts';
import type { LayerId, Theme } from '../../src/layers/keys.ts';
import { SAMPLE_API_KEY, sampleCatalogue } from '../../sample/catalogue.ts';
import { createArchive, readManifest, runsIn } from '../../sync/archive.ts';
import { LIFTABLE_GUARDS } from '../../sync/check.ts';
import type { SyncDeps } from '../../sync/deps.ts';
import { replayRun } from '../../sync/replay.ts';
import { revertLayer } from '../../sync/revert.ts';
import { syncLayer } from '../../sync/run.ts';
import type { SyncOptions } from '../../sync/run.ts';
import { contentOf } from '../support/layer-content.ts';
import { openSyncBench } from '../support/sync-bench.ts';
import { countsOf, told } from '../support/run-outcome.ts';
import { opened, ownFolder } from '../support/opened.ts';

const bench = await opened(openSyncBench());
const dir = join(bench.store.dataDir, 'downloads');
const downloads = createDownloads({ dir, clock: bench.deps.clock, wait: () => Promise.resolve() });
const deps = {
  ...bench.deps,
  downloads,
  catalogue: sampleCatalogue(bench.upstream.url, { files: true }),
  keys: { ...bench.deps.keys, 'datafordeler-files': SAMPLE_API_KEY },
};
afterAll(() => downloads.close());
beforeEach(() => {
  bench.upstream.faults.clear();
  bench.upstream.shelf.spoil();
  bench.upstream.forgetRequests();
});

const sync = (layer: Theme, options: Partial<SyncOptions> = {}, of: SyncDeps = deps) =>
  syncLayer(of, layer, { trigger: 'command', ...options });

const asked = () => bench.upstream.requests().map(({ operation }) => operation);

async function areas(theme: Theme) {
  const { rows } = await bench.store.pool.query<{ code: string; name: string; hash: string }>(
    `select code, name, region_code, md5(ST_AsBinary(geom)) as hash from area
     where theme = $1 order by code`,
    [theme],
  );
  return rows;
}

async function state(layer: LayerId) {
  const { rows } = await bench.store.pool.query<{
    version: number;
    synced_at: Date;
    origin: Record<string, unknown>;
  }>(`select version::integer, synced_at, origin, held_by from layer_state where layer = $1`, [
    layer,
  ]);
  return rows[0];
}

/** Another name for the first area of a theme, as an edit of the register. */
function rename(theme: Theme, name: string): void {
  bench.upstream.holdings.edit(theme, ([first, ...rest]) =>
    first === undefined
      ? []
      : [{ ...first, properties: { ...first.properties, navn: name } }, ...rest],
  );
}

describe('a theme from a file', () => {
  test.each([
    ['region', 'json', 2, 1],
    ['kommune', 'gpkg', 6, 1],
    ['sogn', 'gml', 15, 2],
  ] as const)('%s is mirrored whole from %s', async (theme, format, rows, toCome) => {
    const outcome = await sync(theme);
    expect(told(outcome)).toBe('published');
    const counts = countsOf(outcome);
    expect(counts).toMatchObject({
      source: 'files',
      received: 2 * rows + 1 + toCome,
      staged: rows,
    });
    expect(counts.file).toMatchObject({ version: '1', generation: 673 });
    expect(counts.file?.name).toMatch(new RegExp(`_TotalDownload_${format}_Current_673.zip$`));
    expect(new Set(asked())).toEqual(new Set(['listing', 'file']));
    expect(await areas(theme)).toHaveLength(rows);
    expect(readdirSync(dir)).toEqual([]);
  });

  test('is not fetched again while the same file is listed, but is proved', async () => {
    const before = await state('kommune');
    bench.advance(60_000);
    expect(told(await sync('kommune'))).toBe('unchanged');
    expect(new Set(asked())).toEqual(new Set(['listing']));
    const after = await state('kommune');
    expect(after?.version).toBe(before?.version);
    expect(after?.synced_at.getTime()).toBeGreaterThanOrEqual(
      (before?.synced_at.getTime() ?? 0) + 60_000,
    );
  });

  test('is what the WFS would have given', async () => {
    const wfs = { ...deps, catalogue: sampleCatalogue(bench.upstream.url) };
    for (const theme of ['region', 'sogn'] as const) {
      expect(told(await sync(theme, { dryRun: true }, wfs))).toBe('unchanged');
    }
  });

  test('takes a newer generation, and of it only what changed', async () => {
    rename('sogn', 'Nyt Sogn (opdigtet)');
    const outcome = await sync('sogn');
    expect(told(outcome)).toBe('published');
    expect(countsOf(outcome)).toMatchObject({ changed: 1, inserted: 0, removed: 0 });
    expect(countsOf(outcome).file?.generation).toBe(674);
    expect((await areas('sogn'))[0]?.name).toBe('Nyt Sogn (opdigtet)');
  });

  test('is read anew when a row in it comes into effect, though the file is the same', async () => {
    const before = await areas('kommune');
    expect((await state('kommune'))?.origin).toMatchObject({
      file: { nextChangeMs: Date.parse('2098-12-31T23:00:00Z') },
    });
    const later = { ...deps, clock: { nowMs: () => Date.parse('2099-02-01T00:00:00Z') } };
    const outcome = await sync('kommune', { dryRun: true }, later);
    expect(told(outcome)).toBe('would-publish');
    expect(asked()).toContain('file');
    expect(await areas('kommune')).toEqual(before);
  });

  test('is read anew when it is put back and a person then asks for it', async () => {
    const newest = await areas('sogn');
    await revertLayer(deps, 'sogn', { by: 'test' });
    expect(await areas('sogn')).not.toEqual(newest);
    bench.upstream.forgetRequests();
    expect(told(await sync('sogn'))).toBe('published');
    expect(asked()).toContain('file');
    expect(await areas('sogn')).toEqual(newest);
  });

  test('is read anew when it is to be read otherwise', async () => {
    const otherwise: LayerOverride = { files: { dagiScale: '1:250.000' } };
    const other = { ...deps, catalogue: overrideCatalogue(deps.catalogue, { region: otherwise }) };
    const outcome = await sync('region', { dryRun: true }, other);
    expect(asked()).toContain('file');
    expect(countsOf(outcome).skipped).toMatchObject({ 'scale 1:10000': 4 });
  });
});

describe('a file', () => {
  const fingerprint = async () => JSON.stringify([await areas('region'), await state('region')]);
  let before: string;
  beforeEach(async () => {
    before = await fingerprint();
    // A newer generation, so that there is something to fetch.
    rename('region', `Region ${Math.random()} (opdigtet)`);
  });

  async function isLeftAlone(): Promise<void> {
    expect(await fingerprint()).toBe(before);
    expect(readdirSync(dir)).toEqual([]);
    const { rows } = await bench.store.pool.query('select from stage_feature');
    expect(rows).toEqual([]);
  }

  test('older than the one that was mirrored is refused, and taken when that is lifted', async () => {
    const older = (name: string) => name.replace(/_\d+\.zip$/, '_600.zip');
    bench.upstream.shelf.spoil({
      listing: (entries) => entries.map((entry) => ({ ...entry, fileName: older(entry.fileName) })),
    });
    const outcome = await sync('region');
    expect(told(outcome)).toBe('refused: generation');
    expect(outcome).toMatchObject({ refusals: [{ numbers: { generation: 600 } }] });
    expect(new Set(asked())).toEqual(new Set(['listing']));
    await isLeftAlone();
    // Lifted, it would be fetched; here it is listed only.
    expect(told(await sync('region', { liftedGuards: ['generation'] }))).toMatch(/failed in fetch/);
    await isLeftAlone();
  });

  test('of another version that was made before is refused, and taken when that is lifted', async () => {
    const generationTime = '2026-11-01T04:00:00Z';
    bench.upstream.shelf.spoil({
      listing: (entries) => entries.map((entry) => ({ ...entry, generationTime })),
    });
    expect(told(await sync('region'))).toBe('published');
    before = await fingerprint();
    bench.upstream.shelf.spoil({
      listing: (entries) =>
        entries
          .filter(({ version }) => version === '1')
          .map((entry) => ({
            ...entry,
            version: '2',
            fileName: entry.fileName.replace('_V1_', '_V2_'),
            generationTime: '2026-10-31T04:00:00Z',
          })),
    });
    const outcome = await sync('region');
    expect(told(outcome)).toBe('refused: generation');
    expect(JSON.stringify(outcome)).toMatch(/_V2_\S+ was made before DAGI_V1_/);
    await isLeftAlone();
    expect(told(await sync('region', { liftedGuards: ['generation'] }))).toMatch(/failed in fetch/);
    await isLeftAlone();
  });

  test('that is a stub is refused before it is fetched', async () => {
    bench.upstream.shelf.spoil({
      listing: (entries) => entries.filter(({ version }) => version !== '1'),
    });
    const outcome = await sync('region');
    expect(told(outcome)).toBe('refused: stub-file');
    expect(outcome).toMatchObject({ refusals: [{ numbers: { minBytes: 1000 } }] });
    await isLeftAlone();
  });

  test('that holds no rows publishes nothing', async () => {
    bench.upstream.shelf.spoil({ rows: () => [] });
    expect(told(await sync('region'))).toMatch(/refused: (stub-file|empty)/);
    await isLeftAlone();
  });
});

describe('without a listing', () => {
  test('of the format the WFS is mirrored, and the run says what is listed', async () => {
    bench.upstream.shelf.spoil({
      listing: (entries) => entries.filter(({ fileName }) => fileName.includes('_DeltaDownload_')),
    });
    const outcome = await sync('sogn', { dryRun: true });
    expect(countsOf(outcome)).toMatchObject({ source: 'wfs' });
    expect(countsOf(outcome).notes.join()).toMatch(
      /in gml is listed\. The listing (holds|is empty)/,
    );
  });

  test('the WFS is mirrored, and the run says why', async () => {
    rename('sogn', 'Andet Sogn (opdigtet)');
    bench.upstream.faults.set([{ fault: 'http-503', operation: 'listing' }]);
    const outcome = await sync('sogn');
    expect(told(outcome)).toBe('published');
    expect(countsOf(outcome)).toMatchObject({ source: 'wfs', file: null, changed: 1 });
    expect(countsOf(outcome).notes.join()).toMatch(/read by WFS: the listing of .*503/);
  });

  test('the WFS goes on being mirrored while the file listed is older than the copy', async () => {
    const newest = await areas('sogn');
    // The same generation as mirrored from a file before the WFS brought something newer.
    bench.upstream.shelf.spoil({
      listing: (entries) =>
        entries.map((entry) => ({
          ...entry,
          md5Hash: null,
          fileName: entry.fileName.replace(/_67\d\.zip$/, '_674.zip'),
        })),
    });
    const outcome = await sync('sogn');
    expect(told(outcome)).toBe('unchanged');
    expect(countsOf(outcome).notes.join()).toMatch(/the copy is newer than .*_674\.zip/);
    expect(await areas('sogn')).toEqual(newest);
  });

  test('a newer file is taken again', async () => {
    const outcome = await sync('sogn');
    expect(told(outcome)).toBe('unchanged');
    expect(countsOf(outcome)).toMatchObject({ source: 'files' });
    expect(countsOf(outcome).file?.generation).toBe(675);
  });

  test('no key for the files means the WFS as well', async () => {
    const { 'datafordeler-files': _, ...keys } = deps.keys;
    const outcome = await sync('sogn', { dryRun: true }, { ...deps, keys });
    expect(countsOf(outcome)).toMatchObject({ source: 'wfs' });
    expect(countsOf(outcome).notes.join()).toMatch(/asks for an API key/);
  });
});

describe('a file of columns that nobody knows from before', () => {
  const NAMES = ['registreringFra', 'registreringTil', 'virkningFra', 'virkningTil'];
  // GML leaves out what is empty: that an end is nowhere in it says nothing.
  const cells = [
    ...NAMES.flatMap((name) => [['region', name] as const, ['kommune', name] as const]),
    ['sogn', 'registreringFra'] as const,
    ['sogn', 'virkningFra'] as const,
  ];
  test.each(cells)('of %s, without %s, is refused', async (theme, name) => {
    const before = await areas(theme);
    await bench.store.pool.query('update layer_state set origin = null where layer = $1', [theme]);
    bench.upstream.shelf.spoil({
      rows: (rows) =>
        rows.map(({ columns: { [name]: _, ...columns }, geometry }) => ({ columns, geometry })),
    });
    const outcome = await sync(theme, { liftedGuards: ['stub-file'] });
    expect(told(outcome)).toMatch('refused: ');
    expect(JSON.stringify(outcome)).toContain(`missing: ${name.toLowerCase()}`);
    expect(await areas(theme)).toEqual(before);
  });

  test('is taken once somebody has accepted that, and from then on', async () => {
    bench.upstream.shelf.spoil({
      rows: (rows) =>
        rows.map(({ columns: { virkningTil: _, ...columns }, geometry }) => ({
          columns,
          geometry,
        })),
    });
    rename('region', 'Region Uden Ende (opdigtet)');
    expect(told(await sync('region'))).toBe('refused: schema');
    expect(told(await sync('region', { liftedGuards: ['schema'] }))).toBe('published');
    rename('region', 'Region Uden Ende Igen (opdigtet)');
    expect(told(await sync('region'))).toBe('published');
  });
});

describe('the archive', () => {
  const raw = ownFolder('raw');
  const warnings: string[] = [];
  const log = { ...bench.deps.log, warn: (_: object, message: string) => warnings.push(message) };
  const archive = createArchive({ dir: raw, keepRuns: 2, secrets: [SAMPLE_API_KEY], log });
  const byWfs: SyncDeps = { ...bench.deps, archive };
  const byFiles: SyncDeps = { ...deps, archive };
  beforeEach(() => bench.upstream.holdings.restore());

  const read = (layer: LayerId, of = byWfs, dryRun = false) =>
    syncLayer(of, layer, { trigger: 'command', dryRun, liftedGuards: LIFTABLE_GUARDS });

  /** With nothing to ask: an upstream that is called fails the test. */
  const replay = (runId: string, publish = false, of = byWfs) => {
    const gone = () => Promise.reject(new Error('The upstream was asked.'));
    const wfs = { fetchPage: gone, fetchHits: gone, fetchColumns: gone };
    return replayRun(
      { ...of, wfs, downloads: { list: gone, fetch: gone } },
      { dir: raw, runId, publish, by: 'Ida', liftedGuards: LIFTABLE_GUARDS },
    );
  };

  function files(under: string): string[] {
    return readdirSync(under, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  }
  const objects = (layer: LayerId) => files(join(raw, layer, 'objects'));

  test('an unchanged source costs a manifest and no payload', async () => {
    await read('soe');
    const kept = objects('soe');
    expect(kept.length).toBeGreaterThan(0);
    expect(await read('soe')).toMatchObject({ state: 'unchanged' });
    expect(objects('soe')).toEqual(kept);
    const [run = ''] = await runsIn(join(raw, 'soe'));
    const { pages, report } = await readManifest(join(raw, 'soe'), run);
    expect(report?.received).toBe(pages.reduce((sum, { members }) => sum + members, 0));
  });

  test('a dry run leaves no trace', async () => {
    const before = files(join(raw, 'soe'));
    await read('soe', byWfs, true);
    expect(files(join(raw, 'soe'))).toEqual(before);
  });

  test('no key is kept, though the server writes it into its links', async () => {
    await read('strandbeskyttelse');
    await read('sogn');
    let blotted = 0;
    for (const file of files(raw)) {
      const bytes = readFileSync(file);
      for (const text of file.endsWith('.zst') ? [zstdDecompressSync(bytes)] : aroundIn(bytes)) {
        expect(text.includes(SAMPLE_API_KEY)).toBe(false);
        if (text.includes('=***')) blotted += 1;
      }
    }
    expect(blotted).toBeGreaterThan(0);
  });

  function aroundIn(manifest: Buffer): Buffer[] {
    const { pages } = JSON.parse(manifest.toString()) as {
      pages: { head: string; tail: string }[];
    };
    const around = pages.flatMap(({ head, tail }) => [head, tail]);
    return [manifest, ...around.map((text) => Buffer.from(text, 'base64'))];
  }

  test('a run is done again from the archive: dry at first, published when told to, and held', async () => {
    const first = await read('aa');
    if (first.state !== 'published') throw new Error(first.state);
    const before = { content: await contentOf(bench.store, 'aa'), state: await state('aa') };
    bench.advance(3_600_000);
    bench.upstream.holdings.empty('aa');
    expect(await read('aa')).toMatchObject({ state: 'published' });

    const runId = first.runId ?? '';
    const dry = await replay(runId);
    expect(dry).toMatchObject({ state: 'would-publish' });
    expect(await state('aa')).toMatchObject({ version: 2 });

    const again = await replay(runId, true);
    expect(again).toMatchObject({ state: 'published', publication: { version: 3 } });
    expect(await contentOf(bench.store, 'aa')).toBe(before.content);
    expect(await state('aa')).toMatchObject({ synced_at: before.state?.synced_at, held_by: 'Ida' });
    const { rows } = await bench.store.pool.query(
      'select * from sync_run order by id desc limit 1',
    );
    expect(rows[0]).toMatchObject({ kind: 'replay', trigger: 'operator', asked_by: 'Ida' });
  });

  test('replaying what is published already proves nothing of today, and lets no hold go', async () => {
    const before = await state('aa');
    const runs = await runsIn(join(raw, 'aa'));
    expect(await replay(runs.at(-1) ?? '', true)).toMatchObject({ state: 'unchanged' });
    expect(await state('aa')).toEqual(before);
  });

  test('a reading that broke off is kept, and breaks off again', async () => {
    bench.upstream.faults.set([{ fault: 'truncated-body', layer: 'natur', fromIndex: 1 }]);
    const broken = await read('natur');
    if (broken.state !== 'failed') throw new Error(broken.state);
    const again = await replay(broken.runId ?? '');
    expect(again).toMatchObject({
      state: 'failed',
      phase: 'fetch',
      reason: expect.stringMatching(/had read \d+ pages when its source failed/) as string,
    });
  });

  test('a run read from a file keeps its file once, and is done again from it', async () => {
    const theme = 'sogn';
    const first = await read(theme, byFiles);
    // Where the WFS was mirrored before, the file brings nothing new.
    if (!('counts' in first)) throw new Error(first.state);
    expect(first.counts.source).toBe('files');
    const before = await contentOf(bench.store, theme);
    const kept = objects(theme).filter((path) => path.endsWith('.zip'));
    expect(kept).toHaveLength(1);
    expect(statSync(kept[0]!).size).toBe(first.counts.bytes);
    expect(files(dir)).toEqual([]);
    bench.upstream.holdings.edit(theme, (all) =>
      all.map((each) => ({ ...each, properties: { ...each.properties, navn: 'Alle ens' } })),
    );
    expect(await read(theme, byFiles)).toMatchObject({ state: 'published' });
    expect(objects(theme).filter((path) => path.endsWith('.zip'))).toHaveLength(2);

    const runId = first.runId ?? '';
    expect(await replay(runId, false, byFiles)).toMatchObject({
      state: 'would-publish',
      counts: { source: 'files', received: first.counts.received, file: first.counts.file },
    });
    expect(await replay(runId, true, byFiles)).toMatchObject({ state: 'published' });
    expect(await contentOf(bench.store, theme)).toBe(before);
    expect(await state(theme)).toMatchObject({ held_by: 'Ida' });
  });

  test('the oldest runs go, with the payloads only they had', async () => {
    for (const name of ['En', 'To', 'Tre']) {
      bench.upstream.holdings.edit('skov', (all) =>
        all.map((each) => ({ ...each, properties: { ...each.properties, CVR_navn: name } })),
      );
      await read('skov');
    }
    const runs = await runsIn(join(raw, 'skov'));
    expect(runs).toHaveLength(2);
    const used = new Set<string | null>();
    for (const run of runs) {
      for (const { body } of (await readManifest(join(raw, 'skov'), run)).pages) used.add(body);
    }
    used.delete(null);
    expect(objects('skov')).toHaveLength(used.size);
  });

  test('a run that is not there is answered with those that are', async () => {
    const outcome = await replay('999999');
    expect(outcome).toMatchObject({ state: 'unknown' });
    if (outcome.state === 'unknown') expect(outcome.kept['skov']).toHaveLength(2);
  });

  test('a damaged payload is no payload', async () => {
    const [object = ''] = objects('skov');
    writeFileSync(object, readFileSync(object).subarray(0, 100));
    const runs = await runsIn(join(raw, 'skov'));
    const ends: string[] = [];
    for (const run of runs) ends.push((await replay(run)).state);
    expect(ends).toContain('failed');
  });

  test('an archive that cannot be written costs a warning, not the run', async () => {
    const file = join(raw, 'klitfredning');
    writeFileSync(file, 'in the way');
    warnings.length = 0;
    expect(await read('klitfredning')).toMatchObject({ state: 'published' });
    expect(warnings).toContain('what the upstream sent could not be archived');
    expect(statSync(file).isFile()).toBe(true);
  });
});
