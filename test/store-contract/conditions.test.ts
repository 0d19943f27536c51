/** Conditions of the sample from their WFS to the answers at points (D209, D210). */
import { gunzipSync } from 'node:zlib';
import MVT from 'ol/format/MVT.js';
import { expect, test } from 'vitest';
import type { Watcher } from '../../src/answers/answer.ts';
import { pointFromUtm32 } from '../../src/geo/project.ts';
import { CONDITIONS, CONDITION_IDS } from '../../src/layers/conditions/index.ts';
import { conditions } from '../../src/registers/conditions/register.ts';
import { composeConditionTiles } from '../../src/registers/conditions/tiles.ts';
import { createWorkers } from '../../workers/pool.ts';
import { CONDITION_KEYS } from '../../src/registers/conditions/questions.ts';
import type { ConditionId } from '../../src/layers/conditions/condition.ts';
import { PLANNED } from '../../sample/data/conditions.ts';
import { generateSample } from '../../sample/data/dataset.ts';
import { valueText } from '../../sample/data/feature.ts';
import { linesOf } from '../../sample/data/geometry.ts';
import type { Place } from '../../sample/data/geometry.ts';
import { onTiles } from '../support/map-tiles.ts';
import { HANG_MS } from '../support/run-settings.ts';
import { openMirroredLayers } from '../support/mirrored-store.ts';
import { openTestStore } from '../support/store.ts';
import { overrideCatalogue } from '../../src/layers/catalogue.ts';
import { syncLayer } from '../../sync/run.ts';
import { storeLookups } from '../support/lookups.ts';
import { told } from '../support/run-outcome.ts';
import { opened } from '../support/opened.ts';
import { ISLETS } from '../support/known-island.ts';

const bench = await opened(openMirroredLayers(['region', 'kommune', ...CONDITION_IDS]));

/** Ids of the objects at PLANNED, the smallest first, which alone is in force. */
function squares(id: ConditionId): string[] {
  const { source, objectId } = CONDITIONS.find(({ key }) => `forhold_${key}` === id)!;
  const found = (SAMPLE[id] ?? []).flatMap(({ geometry, properties }) => {
    const ring = geometry === null ? [] : linesOf(geometry)[0]!;
    if (ring.length !== 5) return [];
    const named = properties[objectId[0]!] ?? properties[source.keyProperty];
    return [{ named: valueText(named) ?? '', half: PLANNED.x - ring[0]![0]! }];
  });
  return found.toSorted((a, b) => a.half - b.half).map(({ named }) => named);
}

interface Shown {
  readonly status: string;
  readonly inden_for: boolean | null;
  readonly afstand_m: number | null;
  readonly antal: number | null;
  readonly objekter: readonly Readonly<Record<string, unknown>>[];
  readonly fravaer: string | null;
  readonly alder_s: number | null;
}

async function at({ x, y }: Place, keys: readonly string[] | null = null, laterMs = 0) {
  const { store, deps } = bench;
  const clock = { nowMs: () => deps.clock.nowMs() + laterMs };
  const failed: string[] = [];
  const watcher: Watcher = {
    answered: (layer, by) => by === 'unavailable' && failed.push(layer),
    originFailed: (layer) => failed.push(layer),
  };
  const options = { catalogue: deps.catalogue, clock };
  const { lookupsOf } = storeLookups(store, options, {}, { watcher });
  const point = pointFromUtm32({ xUtm32: x, yUtm32: y });
  const deadline = { signal: AbortSignal.timeout(HANG_MS) };
  const own = keys ?? CONDITION_KEYS.slice(0, CONDITION_IDS.length);
  const { answers } = await lookupsOf(conditions).conditions.at([point], own, deadline);
  return { ...answers[0]!, failed, layers: answers[0]!.layers as Readonly<Record<string, Shown>> };
}

test('each condition is inside, at a place where one object of it is in force', async () => {
  const { layers, unavailable } = await at(PLANNED);
  expect(unavailable).toEqual([]);
  const others = CONDITIONS.filter(({ absence }) => absence !== 'rural-zone');
  for (const { key, fields } of others) {
    expect([key, layers[key]]).toMatchObject([
      key,
      { status: 'ok', inden_for: true, fravaer: null },
    ]);
    const ids = layers[key]!.objekter.map(({ objekt_id: id }) => id);
    const [inForce, ...others] = squares(`forhold_${key}`);
    expect([key, ids]).toEqual([key, expect.arrayContaining([inForce])]);
    // The ended one, the one to come and the one of another status lie here too.
    expect([key, ids.filter((id) => others.includes(id as string))]).toEqual([key, []]);
    for (const { name } of fields) expect(Object.keys(layers[key]!.objekter[0]!)).toContain(name);
  }
});

const DAY_MS = 86_400_000;
const SAMPLE = generateSample();

/** Where none of a layer's objects is near. */
function clearOf(id: ConditionId): Place {
  const taken = (SAMPLE[id] ?? []).flatMap(({ geometry }) =>
    geometry === null ? [] : linesOf(geometry).flat(),
  );
  for (let n = 0; n < 400; n += 1) {
    const place = { x: 647_000 + (n % 20) * 300, y: 6_312_000 + Math.floor(n / 20) * 200 };
    const isNear = taken.some(([x = 0, y = 0]) => Math.hypot(x - place.x, y - place.y) < 900);
    if (!isNear) return place;
  }
  throw new Error(`Objects of ${id} are everywhere.`);
}

test('nothing is there: each condition says what that means', async () => {
  for (const { key, absence, absenceText } of CONDITIONS) {
    const layer = (await at(clearOf(`forhold_${key}`), [key])).layers[key]!;
    const none = { afstand_m: null, antal: 0, objekter: [], fravaer: absenceText };
    const said =
      absence === 'not-mapped'
        ? { status: 'ikke_kortlagt', inden_for: null }
        : { status: 'ok', inden_for: false };
    expect([key, layer]).toMatchObject([key, { ...none, ...said }]);
  }
});

test('outside what is covered every condition is unavailable, and none counts as one that failed', async () => {
  const outside = await at({ x: 724_000, y: 6_175_000 });
  expect(outside.unavailable).toHaveLength(CONDITION_IDS.length);
  expect(outside.failed).toEqual([]);
  const tooOld = await at(PLANNED, ['lokalplan'], 1000 * DAY_MS);
  expect(tooOld.failed).toEqual(['forhold_lokalplan']);
});

test('landzone is told only where the municipality has its zones', async () => {
  const elsewhere = { ...ISLETS.beacon.centre };
  const atSea = { x: 660_000, y: 6_330_000 };
  for (const place of [elsewhere, atSea]) {
    const { layers, unavailable, failed } = await at(place, ['zone']);
    expect(layers['zone']).toMatchObject({
      status: 'utilgaengelig',
      inden_for: null,
      fravaer: null,
    });
    expect([unavailable, failed]).toEqual([['zone'], []]);
  }
});

test('a plan begins and ends on its day, without a sync', async () => {
  const id = 'forhold_lokalplan';
  const [feature] = bench.upstream.holdings.features(id).filter(isPlanned);
  const key = valueText(feature!.properties['id'])!;
  const tomorrow = new Date(bench.deps.clock.nowMs() + DAY_MS).toISOString().slice(0, 10);
  const compact = tomorrow.replaceAll('-', '');
  const asked = () => at(PLANNED, ['lokalplan']);
  for (const [column, before, after] of [
    ['datoikraft', false, true],
    ['datoaflyst', true, false],
  ] as const) {
    bench.upstream.holdings.assign(id, key, { [column]: compact });
    expect(told(await bench.sync(id))).toBe('published');
    expect((await asked()).layers['lokalplan']).toMatchObject({ inden_for: before });
    const later = await at(PLANNED, ['lokalplan'], DAY_MS);
    expect(later.layers['lokalplan']).toMatchObject({ status: 'ok', inden_for: after });
    bench.upstream.holdings.restore(id);
  }
  expect(told(await bench.sync(id))).toBe('published');
});

const isPlanned = ({ properties }: { readonly properties: Readonly<Record<string, unknown>> }) =>
  properties['id'] === '9001000';

test('a row whose standing cannot be read is a place of no answer', async () => {
  const id = 'forhold_lokalplan';
  bench.upstream.holdings.assign(id, '9001000', { status: 'Q' });
  const outcome = await bench.sync(id, {
    liftedGuards: ['issues', 'lost-features', 'row-drop', 'area-drop', 'change-share', 'canary'],
  });
  expect(told(outcome)).toBe('published');
  const { layers, unavailable } = await at(PLANNED, ['lokalplan', 'kommuneplanramme']);
  expect(unavailable).toEqual(['lokalplan']);
  expect(layers['kommuneplanramme']).toMatchObject({ inden_for: true });
  bench.upstream.holdings.restore(id);
  expect(told(await bench.sync(id))).toBe('published');
});

test('a layer that an operator leaves out is neither read nor answered', async () => {
  const id = 'forhold_lokalplan';
  const catalogue = overrideCatalogue(bench.deps.catalogue, { [id]: { off: true } });
  const outcome = await syncLayer({ ...bench.deps, catalogue }, id, { trigger: 'command' });
  expect(outcome.state).toBe('failed');
  const { lookupsOf } = storeLookups(bench.store, { catalogue, clock: bench.deps.clock });
  const point = pointFromUtm32({ xUtm32: PLANNED.x, yUtm32: PLANNED.y });
  const deadline = { signal: AbortSignal.timeout(HANG_MS) };
  const { answers } = await lookupsOf(conditions).conditions.at([point], ['lokalplan'], deadline);
  expect(answers[0]!.unavailable).toEqual(['lokalplan']);
});

test('a copy past its hard limit, or a layer never mirrored, is no answer', async () => {
  for (const { key } of CONDITIONS) {
    const { layers } = await at(PLANNED, [key], 40 * DAY_MS);
    expect([key, layers[key]]).toMatchObject([key, { status: 'utilgaengelig', inden_for: null }]);
  }
  const empty = await openTestStore();
  const { lookupsOf } = storeLookups(empty, {
    catalogue: bench.deps.catalogue,
    clock: bench.deps.clock,
  });
  const point = pointFromUtm32({ xUtm32: PLANNED.x, yUtm32: PLANNED.y });
  const deadline = { signal: AbortSignal.timeout(HANG_MS) };
  const { answers } = await lookupsOf(conditions).conditions.at(
    [point],
    ['lokalplan', 'jord_v1'],
    deadline,
  );
  expect(answers[0]!.unavailable).toEqual(['lokalplan', 'jord_v1']);
  await empty.close();
});

/** Of each layer, on a day, at the place of the tile. */
async function tileIds(
  laterMs = 0,
  catalogue = bench.deps.catalogue,
): Promise<Record<string, string[]>> {
  const { store, deps } = bench;
  const clock = { nowMs: () => deps.clock.nowMs() + laterMs };
  const workers = createWorkers({ threads: 1 });
  try {
    const parts = { store, workers, catalogue, clock, isInvented: true };
    const all = composeConditionTiles({ ...parts, onExpired: () => undefined });
    const z = 16;
    const [x = 0, y = 0] = onTiles(PLANNED.x, PLANNED.y, z).map(Math.floor);
    const found: Record<string, string[]> = {};
    for (const tiles of all) {
      const { tile } = await tiles.tile({ z, x, y }, await tiles.served(), 'a test');
      const format = new MVT({ layers: [tiles.layer] });
      const bytes = tile.bytes === 0 ? new Uint8Array(0) : gunzipSync(tile.gzipped);
      const features = bytes.length === 0 ? [] : format.readFeatures(Uint8Array.from(bytes).buffer);
      found[tiles.layer] = features.map((feature) => String(feature.get('objekt_id')));
      for (const feature of features) {
        const named = Object.keys(feature.getProperties()).filter((name) => name !== 'layer');
        expect(Object.keys(tiles.fields)).toEqual(expect.arrayContaining(named));
      }
    }
    return found;
  } finally {
    await workers.close();
  }
}

test('each condition has tiles, of what is in force on the day', async () => {
  const id = 'forhold_lokalplan';
  const today = await tileIds();
  expect(Object.keys(today)).toEqual(CONDITION_IDS);
  for (const { key, absence } of CONDITIONS) {
    if (absence === 'rural-zone') continue;
    const [inForce, ...others] = squares(`forhold_${key}`);
    const ids = today[`forhold_${key}`]!;
    expect([key, ids]).toEqual([key, expect.arrayContaining([inForce])]);
    expect([key, ids.filter((each) => others.includes(each))]).toEqual([key, []]);
  }
  const [plan] = squares(id);
  const tomorrow = new Date(bench.deps.clock.nowMs() + DAY_MS).toISOString().slice(0, 10);
  bench.upstream.holdings.assign(id, '9001000', { datoikraft: tomorrow.replaceAll('-', '') });
  expect(told(await bench.sync(id))).toBe('published');
  expect((await tileIds())[id]).not.toContain(plan);
  expect((await tileIds(DAY_MS))[id]).toContain(plan);
  bench.upstream.holdings.restore(id);
  expect(told(await bench.sync(id))).toBe('published');
});

test('a layer that is left out, or too old, has no tile at all', async () => {
  const off = overrideCatalogue(bench.deps.catalogue, { forhold_bnbo: { off: true } });
  await expect(tileIds(0, off)).rejects.toMatchObject({ type: 'upstream_unavailable' });
  await expect(tileIds(40 * DAY_MS)).rejects.toMatchObject({ type: 'upstream_unavailable' });
});
