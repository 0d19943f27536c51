/** Conditions and lines at points and in areas: memory against the statement of the store (D219, D220). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CONDITION_IDS } from '../../src/layers/conditions/index.ts';
import { LINE_KEYS } from '../../src/layers/keys.ts';
import type { LayerId } from '../../src/layers/keys.ts';
import { isoDay } from '../../src/layers/mappings/condition.ts';
import type { SnapshotSet } from '../../src/core/held/snapshot-set.ts';
import { areaPlace } from '../../src/registers/conditions/drawn-area.ts';
import { readHeld } from '../../src/registers/conditions/index/held.ts';
import { pointPlace } from '../../src/registers/conditions/lookup.ts';
import { readPlaces } from '../../src/registers/conditions/store.ts';
import type { PlacesQuestion } from '../../src/registers/conditions/store.ts';
import { pointAmong, pointBeside, randomFrom } from '../../src/snapshot/probes.ts';
import type { Random } from '../../src/snapshot/probes.ts';
import { differencesOf, parcelAt, starAt } from '../support/condition-judge.ts';
import { openMemoryBench } from '../support/memory.ts';
import type { MemoryBench } from '../support/memory.ts';
import { openMirroredStore } from '../support/mirrored-store.ts';
import { amountOf } from '../support/run-settings.ts';

const LAYERS: readonly LayerId[] = [...CONDITION_IDS, ...LINE_KEYS];

let bench: MemoryBench;
let set: SnapshotSet;
beforeAll(async () => {
  bench = await openMemoryBench(await openMirroredStore('served'));
  const memory = bench.memoryIn(bench.newDirectory());
  await memory.refresh();
  set = memory.current!;
}, 300_000);
afterAll(() => bench.close());

/** On and beside the edges of a layer, and among its features. */
function placesOf(layer: LayerId, random: Random, count: number) {
  const { snapshot } = set.layers.get(layer)!;
  return Array.from({ length: count }, (_, n) => {
    if (n % 5 === 0) {
      const v = Math.floor(random() * snapshot.meta.vertexCount);
      return { xUtm32: snapshot.xy[2 * v]!, yUtm32: snapshot.xy[2 * v + 1]! };
    }
    return (n % 2 === 0 ? pointBeside : pointAmong)(snapshot, random)!;
  });
}

async function hold(wkbs: readonly Uint8Array[], today = isoDay(bench.deps.clock.nowMs())) {
  const question: PlacesQuestion = {
    ...{ wkbs, layers: LAYERS, radiusM: 500, today, mostObjects: 20, onLineM: 0.5 },
  };
  const stored = await readPlaces(bench.store, question);
  return differencesOf(question, await readHeld(set, question), stored);
}

test('all conditions and lines are held', () => {
  expect(LAYERS.filter((layer) => !set.layers.has(layer))).toEqual([]);
});

test.each(LAYERS)('points on, beside and among the features of %s', async (layer) => {
  const random = randomFrom(LAYERS.indexOf(layer) + 1);
  const places = placesOf(layer, random, amountOf({ gate: 20, night: 500 }));
  expect(await hold(places.map((each) => pointPlace(each).wkb))).toEqual([]);
});

test.each(LAYERS)('parcels and drawn areas around the features of %s', async (layer) => {
  const random = randomFrom(LAYERS.indexOf(layer) + 100);
  for (const place of placesOf(layer, random, amountOf({ gate: 12, night: 600 }))) {
    const [x, y] = [place.xUtm32, place.yUtm32];
    const rings = random() < 0.7 ? parcelAt(x, y, random) : starAt(x, y, random);
    expect(await hold([areaPlace([rings]).wkb])).toEqual([]);
  }
});
