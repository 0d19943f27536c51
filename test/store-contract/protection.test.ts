/** Listed and preserved buildings of the sample, from the pages of their WFS: which rows are read, and what is refused. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { overrideCatalogue } from '../../src/layers/catalogue.ts';
import { createArchive, runsIn } from '../../sync/archive.ts';
import { replayRun } from '../../sync/replay.ts';
import { revertLayer } from '../../sync/revert.ts';
import { syncLayer } from '../../sync/run.ts';
import { KNOWN_PROPERTY } from '../../sample/registers/property/buildings.ts';
import type {
  ProtectionFeature,
  ProtectionLayer,
} from '../../sample/registers/property/protection.ts';
import type { ProtectionFaults } from '../../sample/fbb/wfs.ts';
import { contentOf, openAddressBench } from '../sync/addresses-bench.ts';
import { told } from '../support/run-outcome.ts';
import { opened, ownFolder } from '../support/opened.ts';

const bench = await opened(openAddressBench());
afterEach(() => spoil());

const sync = (catalogue = bench.deps.catalogue) =>
  syncLayer({ ...bench.deps, catalogue }, 'fbb', { trigger: 'command' });
const first = await sync();
const spoil = (faults?: ProtectionFaults) => bench.upstream.protection.spoil(faults);

const content = () => contentOf(bench, 'fbb');

const rows = (table: string) =>
  bench.column(`select concat_ws(' ', id, status, value, building_id) from ${table} order by id`);

const text = ({ bygningsid, fredningsstatus, bevaringsvaerdi, ois_id }: ProtectionFeature) =>
  [
    bygningsid,
    fredningsstatus ?? -1,
    bevaringsvaerdi ?? -1,
    ...(ois_id === null ? [] : [ois_id]),
  ].join(' ');

test('a first sync reads the listed, the cases, and of all buildings those surveyed alone', async () => {
  expect(told(first)).toBe('published');
  const features = (layer: ProtectionLayer) => bench.upstream.protection.features(layer);
  expect(await rows('protection_listed')).toEqual(features('fredede').map(text));
  expect(await rows('protection_case')).toEqual(features('bevaringssag').map(text));
  const surveyed = features('alle').filter(
    ({ fredningsstatus, bevaringsvaerdi }) =>
      (bevaringsvaerdi ?? 0) >= 1 || fredningsstatus === 3 || fredningsstatus === 4,
  );
  expect(surveyed.length).toBeGreaterThan(50);
  expect(surveyed.length).toBeLessThan(features('alle').length / 5);
  expect(await rows('protection_survey')).toEqual(surveyed.map(text));
  const notes = first.state === 'published' ? first.counts.notes.join('\n') : '';
  expect(notes).toContain(`alle: fbb:view_bygning_alle, ${surveyed.length} rows`);
  const codes = new Set(surveyed.map(text).map((each) => each.split(' ').slice(1, 3).join(' ')));
  for (const code of ['3 -1', '4 0', '9 5', '3 0', '-1 6']) expect(codes).toContain(code);
});

describe('another run', () => {
  test('proves the copy, and publishes nothing', async () => {
    const at = `select synced_at::text from layer_state where layer = 'fbb'`;
    const before = await bench.column(at);
    bench.advance(60_000);
    expect(told(await sync())).toBe('unchanged');
    expect(await bench.column(at)).not.toEqual(before);
  });

  test('takes what changed, and is taken back', async () => {
    const before = await content();
    const { foreignBuildingId: id } = KNOWN_PROPERTY;
    spoil({
      features: (layer, all) =>
        layer !== 'alle'
          ? all
          : all.map((each) => (each.ois_id === id ? { ...each, bevaringsvaerdi: 7 } : each)),
    });
    expect(told(await sync())).toBe('published');
    const value = `select value from protection_survey where building_id = '${id}'`;
    expect(await bench.column(value)).toEqual([7]);
    expect(await revertLayer(bench.deps, 'fbb', { by: 'Ida' })).toMatchObject({
      state: 'published',
    });
    expect(await content()).toBe(before);
  });

  test.each<[string, NonNullable<ProtectionFaults['features']>]>([
    ['without the building', (_layer, all) => all.map(({ ois_id: _id, ...rest }) => rest)],
    [
      'with words for codes',
      (_layer, all) => all.map((each) => ({ ...each, bevaringsvaerdi: 'høj' })),
    ],
  ])('of rows %s is refused, and changes nothing', async (_, features) => {
    const before = await content();
    spoil({ features });
    expect(told(await sync())).toMatch(/^refused: /);
    expect(await content()).toBe(before);
  });

  test('never pages all buildings of the country: a filter that does not hold fails', async () => {
    const everything = overrideCatalogue(bench.deps.catalogue, {
      fbb: { tables: { alle: { source: { anyOf: [] } } } },
    });
    const outcome = await sync(everything);
    expect(outcome).toMatchObject({ state: 'failed' });
    expect(outcome.state === 'failed' && outcome.reason).toMatch(/more than 500 are never read/);
  });
});

describe('a replay', () => {
  const dir = ownFolder('raw');

  /** A sync that is archived; the newest run that is. */
  async function archived(): Promise<string | undefined> {
    const archive = createArchive({ dir, keepRuns: 9, secrets: [], log: bench.deps.log });
    await syncLayer({ ...bench.deps, archive }, 'fbb', { trigger: 'command' });
    return (await runsIn(join(dir, 'fbb')))[0];
  }

  /** With nobody to ask: a server that is called fails the run. */
  const replay = (runId: string, publish = false) => {
    const gone = () => Promise.reject(new Error('The register was asked.'));
    const deps = { ...bench.deps, wfs: { ...bench.deps.wfs, get: gone } };
    return replayRun(deps, { dir, runId, publish, by: 'Ida' });
  };

  test('gives what the run gave of every layer, without the register', async () => {
    const before = await content();
    const { foreignBuildingId: id } = KNOWN_PROPERTY;
    spoil({
      features: (_layer, all) =>
        all.map((each) => (each.ois_id === id ? { ...each, bevaringsvaerdi: 8 } : each)),
    });
    const run = (await archived()) ?? '';
    const after = await content();
    expect(after).not.toBe(before);
    expect(await replay(run)).toMatchObject({ layer: 'fbb', state: 'unchanged' });
    await revertLayer(bench.deps, 'fbb', { by: 'Ida' });
    expect(await content()).toBe(before);
    expect(await replay(run)).toMatchObject({ state: 'would-publish' });
    expect(await content()).toBe(before);
    expect(await replay(run, true)).toMatchObject({ state: 'published' });
    expect(await content()).toBe(after);
    expect(await bench.column(`select held_by from layer_state where layer = 'fbb'`)).toEqual([
      'Ida',
    ]);
  });

  test('of a reading that broke off says how far it came, and changes nothing', async () => {
    const [before, kept] = [await content(), await runsIn(join(dir, 'fbb'))];
    const html = Buffer.from('<!DOCTYPE html><html><body>Vedligeholdelse</body></html>');
    const page = { status: 200, headers: { 'content-type': 'text/html' }, body: html };
    spoil({ reply: (layer, reply) => (layer === 'alle' ? page : reply) });
    const broken = (await archived()) ?? '';
    expect(kept).not.toContain(broken);
    await expect(replay(broken)).rejects.toThrow('had read 2 tables when its source failed');
    expect(await content()).toBe(before);
  });

  test('whose page is damaged fails, and changes nothing', async () => {
    spoil();
    const run = (await archived()) ?? '';
    const before = await content();
    const objects = join(dir, 'fbb', 'objects');
    for (const name of readdirSync(objects, { recursive: true, encoding: 'utf8' })) {
      if (name.endsWith('.zst')) writeFileSync(join(objects, name), 'not what it was');
    }
    expect(await replay(run, true)).toMatchObject({ state: 'failed' });
    expect(await content()).toBe(before);
  });
});
