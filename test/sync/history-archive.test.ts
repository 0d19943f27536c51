/** What the upstreams sent is kept, and a run can be done again from it without them. */
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { createDownloads } from '../../src/downloads/client.ts';
import type { LayerId, Theme } from '../../src/layers/keys.ts';
import { createArchive, readManifest, runsIn } from '../../sync/archive.ts';
import { LIFTABLE_GUARDS } from '../../sync/check.ts';
import type { SyncDeps } from '../../sync/deps.ts';
import { replayRun } from '../../sync/replay.ts';
import { syncLayer } from '../../sync/run.ts';
import { SAMPLE_API_KEY, sampleCatalogue } from '../../sample/catalogue.ts';
import { contentOf } from '../support/layer-content.ts';
import { openSyncBench } from '../support/sync-bench.ts';
import { opened, ownFolder } from '../support/opened.ts';

const bench = await opened(openSyncBench());
const dir = ownFolder('raw');
const warnings: string[] = [];
const log = { ...bench.deps.log, warn: (_: object, message: string) => warnings.push(message) };
const archive = createArchive({ dir, keepRuns: 2, secrets: [SAMPLE_API_KEY], log });
const deps: SyncDeps = { ...bench.deps, archive };
afterEach(() => {
  bench.upstream.holdings.restore();
  bench.upstream.faults.clear();
});

const sync = (layer: LayerId, dryRun = false) =>
  syncLayer(deps, layer, { trigger: 'command', dryRun, liftedGuards: LIFTABLE_GUARDS });

/** With nothing to ask: an upstream that is called fails the test. */
const replay = (runId: string, publish = false, of = deps) => {
  const gone = () => Promise.reject(new Error('The upstream was asked.'));
  const wfs = { fetchPage: gone, fetchHits: gone, fetchColumns: gone };
  return replayRun(
    { ...of, wfs, downloads: { list: gone, fetch: gone } },
    { dir, runId, publish, by: 'Ida', liftedGuards: LIFTABLE_GUARDS },
  );
};

function files(under: string): string[] {
  return readdirSync(under, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
const objects = (layer: LayerId) => files(join(dir, layer, 'objects'));

async function state(layer: LayerId) {
  const { rows } = await bench.store.pool.query<{ version: number; synced_at: Date }>(
    `select version::integer, synced_at, held_by from layer_state where layer = $1`,
    [layer],
  );
  return rows[0];
}

test('an unchanged source costs a manifest and no payload', async () => {
  await sync('soe');
  const kept = objects('soe');
  expect(kept.length).toBeGreaterThan(0);
  expect(await sync('soe')).toMatchObject({ state: 'unchanged' });
  expect(objects('soe')).toEqual(kept);
  const [run = ''] = await runsIn(join(dir, 'soe'));
  const { pages, report } = await readManifest(join(dir, 'soe'), run);
  expect(report?.received).toBe(pages.reduce((sum, { members }) => sum + members, 0));
});

test('a dry run leaves no trace', async () => {
  const before = files(join(dir, 'soe'));
  await sync('soe', true);
  expect(files(join(dir, 'soe'))).toEqual(before);
});

test('no key is kept, though the server writes it into its links', async () => {
  await sync('strandbeskyttelse');
  await sync('sogn');
  let blotted = 0;
  for (const file of files(dir)) {
    const bytes = readFileSync(file);
    for (const text of file.endsWith('.zst') ? [zstdDecompressSync(bytes)] : aroundIn(bytes)) {
      expect(text.includes(SAMPLE_API_KEY)).toBe(false);
      if (text.includes('=***')) blotted += 1;
    }
  }
  expect(blotted).toBeGreaterThan(0);
});

/** A manifest, and what its pages had around their members. */
function aroundIn(manifest: Buffer): Buffer[] {
  const { pages } = JSON.parse(manifest.toString()) as {
    pages: { head: string; tail: string }[];
  };
  const around = pages.flatMap(({ head, tail }) => [head, tail]);
  return [manifest, ...around.map((text) => Buffer.from(text, 'base64'))];
}

test('a run is done again from the archive: dry at first, published when told to, and held', async () => {
  const first = await sync('aa');
  if (first.state !== 'published') throw new Error(first.state);
  const before = { content: await contentOf(bench.store, 'aa'), state: await state('aa') };
  bench.advance(3_600_000);
  bench.upstream.holdings.empty('aa');
  expect(await sync('aa')).toMatchObject({ state: 'published' });

  const runId = first.runId ?? '';
  const dry = await replay(runId);
  expect(dry).toMatchObject({ state: 'would-publish' });
  expect(await state('aa')).toMatchObject({ version: 2 });

  const again = await replay(runId, true);
  expect(again).toMatchObject({ state: 'published', publication: { version: 3 } });
  expect(await contentOf(bench.store, 'aa')).toBe(before.content);
  expect(await state('aa')).toMatchObject({
    synced_at: before.state?.synced_at,
    held_by: 'Ida',
  });
  const { rows } = await bench.store.pool.query('select * from sync_run order by id desc limit 1');
  expect(rows[0]).toMatchObject({ kind: 'replay', trigger: 'operator', asked_by: 'Ida' });
});

test('replaying what is published already proves nothing of today, and lets no hold go', async () => {
  const before = await state('aa');
  const runs = await runsIn(join(dir, 'aa'));
  expect(await replay(runs.at(-1) ?? '', true)).toMatchObject({ state: 'unchanged' });
  expect(await state('aa')).toEqual(before);
});

test('a reading that broke off is kept, and breaks off again', async () => {
  bench.upstream.faults.set([{ fault: 'truncated-body', layer: 'natur', fromIndex: 1 }]);
  const broken = await sync('natur');
  if (broken.state !== 'failed') throw new Error(broken.state);
  const again = await replay(broken.runId ?? '');
  expect(again).toMatchObject({
    state: 'failed',
    phase: 'fetch',
    reason: expect.stringMatching(/had read \d+ pages when its source failed/) as string,
  });
});

describe('a run read from a file', () => {
  const downloads = createDownloads({
    dir: join(bench.store.dataDir, 'downloads'),
    clock: bench.deps.clock,
  });
  afterAll(() => downloads.close());
  const ofFiles: SyncDeps = {
    ...{ ...deps, downloads, catalogue: sampleCatalogue(bench.upstream.url, { files: true }) },
    keys: { ...deps.keys, 'datafordeler-files': SAMPLE_API_KEY },
  };
  const syncFile = (theme: Theme) =>
    syncLayer(ofFiles, theme, { trigger: 'command', liftedGuards: LIFTABLE_GUARDS });

  test('keeps its file once, and is done again from it', async () => {
    const theme = 'sogn';
    const first = await syncFile(theme);
    // Where the WFS was mirrored before, the file brings nothing new.
    if (!('counts' in first)) throw new Error(first.state);
    expect(first.counts.source).toBe('files');
    const before = await contentOf(bench.store, theme);
    const kept = objects(theme).filter((path) => path.endsWith('.zip'));
    expect(kept).toHaveLength(1);
    expect(statSync(kept[0]!).size).toBe(first.counts.bytes);
    expect(files(join(bench.store.dataDir, 'downloads'))).toEqual([]);
    bench.upstream.holdings.edit(theme, (all) =>
      all.map((each) => ({ ...each, properties: { ...each.properties, navn: 'Alle ens' } })),
    );
    expect(await syncFile(theme)).toMatchObject({ state: 'published' });
    expect(objects(theme).filter((path) => path.endsWith('.zip'))).toHaveLength(2);

    const runId = first.runId ?? '';
    expect(await replay(runId, false, ofFiles)).toMatchObject({
      state: 'would-publish',
      counts: { source: 'files', received: first.counts.received, file: first.counts.file },
    });
    expect(await replay(runId, true, ofFiles)).toMatchObject({ state: 'published' });
    expect(await contentOf(bench.store, theme)).toBe(before);
    expect(await state(theme)).toMatchObject({ held_by: 'Ida' });
  });
});

test('the oldest runs go, with the payloads only they had', async () => {
  for (const name of ['En', 'To', 'Tre']) {
    bench.upstream.holdings.edit('skov', (all) =>
      all.map((each) => ({ ...each, properties: { ...each.properties, CVR_navn: name } })),
    );
    await sync('skov');
  }
  const runs = await runsIn(join(dir, 'skov'));
  expect(runs).toHaveLength(2);
  const used = new Set<string | null>();
  for (const run of runs) {
    for (const { body } of (await readManifest(join(dir, 'skov'), run)).pages) used.add(body);
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
  const runs = await runsIn(join(dir, 'skov'));
  const ends: string[] = [];
  for (const run of runs) ends.push((await replay(run)).state);
  expect(ends).toContain('failed');
});

test('an archive that cannot be written costs a warning, not the run', async () => {
  const file = join(dir, 'klitfredning');
  writeFileSync(file, 'in the way');
  warnings.length = 0;
  expect(await sync('klitfredning')).toMatchObject({ state: 'published' });
  expect(warnings).toContain('what the upstream sent could not be archived');
  expect(statSync(file).isFile()).toBe(true);
});
