/** Conditions and lines at points and in areas: memory against the statement of the store (D219). */
import { beforeAll, describe, expect, test } from 'vitest';
import type { AnswerFacts } from '../../src/answers/provenance.ts';
import { pointFromUtm32 } from '../../src/geo/project.ts';
import { NAMED_PARCELS, parcelText } from '../../src/layers/conditions/condition.ts';
import { CONDITION_IDS } from '../../src/layers/conditions/index.ts';
import { LINE_KEYS } from '../../src/layers/keys.ts';
import type { LayerId } from '../../src/layers/keys.ts';
import { isoDay } from '../../src/layers/mappings/condition.ts';
import type { SnapshotSet } from '../../src/core/held/snapshot-set.ts';
import { areaPlace, unitedPlace } from '../../src/core/land/drawn-area.ts';
import { CONDITION_REGISTER_LAYERS } from '../../src/registers/conditions/layers.ts';
import { conditions } from '../../src/registers/conditions/register.ts';
import { readHeld } from '../../src/registers/conditions/index/held.ts';
import { pointPlace } from '../../src/registers/conditions/lookup.ts';
import { readRungs } from '../../src/registers/conditions/rungs.ts';
import type { RungDeps } from '../../src/registers/conditions/rungs.ts';
import { areSound } from '../../src/registers/conditions/sound.ts';
import { readPlaces } from '../../src/registers/conditions/store.ts';
import type { AreaAnswer } from '../../src/registers/conditions/register-lookups.ts';
import type { PlacesQuestion } from '../../src/registers/conditions/store.ts';
import { pointAmong, pointBeside, randomFrom } from '../../src/snapshot/probes.ts';
import type { Random } from '../../src/snapshot/probes.ts';
import { PLANNED } from '../../sample/data/conditions.ts';
import { differencesOf, parcelAt, starAt } from '../support/condition-judge.ts';
import type { Rings } from '../support/condition-judge.ts';
import { openMemoryBench } from '../support/memory.ts';
import { openMirroredStore } from '../support/mirrored-store.ts';
import { HANG_MS, amountOf } from '../support/run-settings.ts';
import { opened } from '../support/opened.ts';

const LAYERS: readonly LayerId[] = [...CONDITION_IDS, ...LINE_KEYS];

const bench = await opened(openMemoryBench(await openMirroredStore('served')));
let set: SnapshotSet;
beforeAll(async () => {
  const memory = bench.memoryIn(bench.newDirectory());
  await memory.refresh();
  set = memory.current!;
}, 300_000);

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

/** What the sample's localities name. */
const PARCELS = Array.from({ length: 14 }, (_, n) =>
  parcelText(`Opdigtet ${NAMED_PARCELS.district} ${n}`, `Opdigtet ${NAMED_PARCELS.numbers} ${n}`),
);

async function hold(wkbs: readonly Uint8Array[], today = isoDay(bench.deps.clock.nowMs())) {
  const question: PlacesQuestion = {
    ...{ wkbs, layers: LAYERS, radiusM: 500, today, mostObjects: 20, onLineM: 0.5 },
    parcels: PARCELS,
  };
  const stored = await readPlaces(bench.store, question);
  return differencesOf(question, await readHeld(set, question), stored);
}

test('all conditions and lines are held', () => {
  expect(LAYERS.filter((layer) => !set.layers.has(layer))).toEqual([]);
});

test.each(LAYERS)('points on, beside and among the features of %s', async (layer) => {
  const random = randomFrom(LAYERS.indexOf(layer) + 1);
  const places = placesOf(layer, random, amountOf({ gate: 8, night: 500 }));
  expect(await hold(places.map((each) => pointPlace(each).wkb))).toEqual([]);
});

test.each(LAYERS)('parcels and drawn areas around the features of %s', async (layer) => {
  const random = randomFrom(LAYERS.indexOf(layer) + 100);
  for (const place of placesOf(layer, random, amountOf({ gate: 6, night: 600 }))) {
    const [x, y] = [place.xUtm32, place.yUtm32];
    const rings = random() < 0.7 ? parcelAt(x, y, random) : starAt(x, y, random);
    expect(await hold([areaPlace([rings]).wkb])).toEqual([]);
  }
});

/** On an edge of the layer: beside it, across it, a sliver along it, a corner on its end, and all of its ring. */
function besideEdge(layer: LayerId, random: Random): readonly Rings[] {
  const { xy, ringStarts, ringKinds, meta } = set.layers.get(layer)!.snapshot;
  const ring = Math.floor(random() * ringKinds.length);
  const [from, to] = [ringStarts[ring]!, ringStarts[ring + 1]!];
  const v = from + Math.floor(random() * (to - from - 1));
  const [ax, ay, bx, by] = xy.subarray(2 * v, 2 * v + 4) as unknown as Corners;
  const [dx, dy] = [bx - ax, by - ay];
  const quad = (left: number, right: number, along = 0) => [
    [
      ...[ax - dy * left - dx * along, ay + dx * left - dy * along],
      ...[ax + dy * right - dx * along, ay - dx * right - dy * along],
      ...[bx + dy * right, by - dx * right, bx - dy * left, by + dx * left],
      ...[ax - dy * left - dx * along, ay + dx * left - dy * along],
    ],
  ];
  const reach = 20 / Math.hypot(dx, dy);
  const corner = [[ax, ay, ax + 9, ay + 3, ax + 4, ay + 8, ax, ay]];
  const whole = meta.geometry === 'area' ? [[Array.from(xy.subarray(2 * from, 2 * to))]] : [];
  return [
    ...[quad(reach, 0), quad(0, reach), quad(reach, reach)],
    // Beyond the ends of a line it depends on the last bit whether it lies on the border.
    ...(meta.geometry === 'area' ? [quad(reach, 0, 0.5)] : []),
    ...[quad(0.002 * reach, 0), corner, ...whole],
  ];
}

type Corners = [number, number, number, number];

test.each(LAYERS)(
  'areas that touch %s in a line or a point, slivers, its own rings',
  async (layer) => {
    const random = randomFrom(LAYERS.indexOf(layer) + 200);
    for (let n = 0; n < amountOf({ gate: 2, night: 200 }); n++) {
      const areas = besideEdge(layer, random);
      // One after another, and those that do not cross taken together.
      const wkbs = areas.map((rings) => areaPlace([rings]));
      const together = unitedPlace(wkbs.slice(0, 3));
      expect(await hold([...wkbs, together].map(({ wkb }) => wkb))).toEqual([]);
    }
  },
);

test('30 km of road, and an area of 25 km² with a hole', async () => {
  const { x, y } = PLANNED;
  const there = Array.from({ length: 600 }, (_, n) => [
    x - 15_000 + 50 * n,
    y + 300 * Math.sin(n / 9),
  ]);
  const back = there.toReversed().map(([east, north]) => [east! + 1, north! + 9]);
  const road = [...there, ...back, there[0]!].flat();
  expect(await hold([areaPlace([[road]]).wkb])).toEqual([]);
  const square = (half: number) => [
    ...[x - half, y - half, x + half, y - half, x + half, y + half, x - half, y + half],
    ...[x - half, y - half],
  ];
  expect(await hold([areaPlace([[square(2499), square(700)]]).wkb])).toEqual([]);
});

test('an area of 10,000 vertices gives way to others, and is the same', async () => {
  const random = randomFrom(9);
  const ring = Array.from({ length: 9_999 }, (_, n) => {
    const [angle, radius] = [(2 * Math.PI * n) / 9_999, 2_500 + 20 * random()];
    return [PLANNED.x + radius * Math.cos(angle), PLANNED.y + radius * Math.sin(angle)];
  }).flat();
  const { wkb } = areaPlace([[[...ring, ring[0]!, ring[1]!]]]);
  let turns = 0;
  let isOver = false;
  const turn = () => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  turn();
  expect(await hold([wkb])).toEqual([]);
  turns = 0;
  const today = isoDay(bench.deps.clock.nowMs());
  await readHeld(set, {
    ...{ wkbs: [wkb], layers: LAYERS, radiusM: 500, today, mostObjects: 20, onLineM: 0.5 },
  });
  isOver = true;
  expect(turns).toBeGreaterThan(100);
});

test.each([-4000, -400, 3, 400, 2000])('what is in force %i days from now', async (days) => {
  const today = isoDay(bench.deps.clock.nowMs() + days * 86_400_000);
  const random = randomFrom(days + 5000);
  const wkbs = CONDITION_IDS.flatMap((layer) => placesOf(layer, random, 2)).map(
    (place) => pointPlace(place).wkb,
  );
  expect(await hold(wkbs, today)).toEqual([]);
});

test('answers are the same bytes, by point, parcel and area', async () => {
  const memory = bench.memoryIn(bench.newDirectory());
  await memory.refresh();
  const nowMs = Date.now();
  const clock = { nowMs: () => nowMs };
  const random = randomFrom(7);
  const [ours, theirs] = [memory, null].map(
    (from) => bench.lookups(from, bench.store, clock).lookupsOf(conditions).conditions,
  );
  const deadline = { signal: AbortSignal.timeout(HANG_MS) };
  for (const layer of CONDITION_IDS) {
    const [place] = placesOf(layer, random, 2).slice(1);
    const point = pointFromUtm32(place!);
    const area = areaPlace([parcelAt(place!.xUtm32, place!.yUtm32, random)]);
    const building = [{ id: 'a', point, place: pointPlace(place!) }];
    const [one, other] = await Promise.all(
      [ours!, theirs!].map(async (from) => ({
        at: await from.at([point], null, deadline),
        in: await from.in(area, building, null, deadline),
      })),
    );
    expect(JSON.stringify(one!.at.answers)).toBe(JSON.stringify(other!.at.answers));
    const written = ({ areaM2, ...answer }: AreaAnswer) => [
      areaM2?.toFixed(2),
      JSON.stringify(answer),
    ];
    expect(written(one!.in.answer)).toEqual(written(other!.in.answer));
    const rungs = (facts: AnswerFacts) => new Set(facts.provenance.map(({ rung }) => rung));
    expect([rungs(one!.in.facts), rungs(other!.in.facts)]).toEqual([
      new Set(['snapshot']),
      new Set(['store']),
    ]);
  }
});

test('the audit compares both, and finds what moved in memory', async () => {
  const memory = bench.memoryIn(bench.newDirectory());
  await memory.refresh();
  const held = memory.current!;
  const { catalogue } = bench.deps;
  const places = CONDITION_IDS.flatMap((layer) => placesOf(layer, randomFrom(3), 2));
  const compare = () =>
    CONDITION_REGISTER_LAYERS.compare!(held, bench.store, {
      ...{ catalogue, radiusM: 500, pointsIn: () => places },
    });
  const same = await compare();
  expect(same).toEqual({ compared: CONDITION_IDS.length * places.length, differences: [] });
  const { xy } = held.layers.get('forhold_bnbo')!.snapshot;
  for (let n = 0; n < xy.length; n++) xy[n]! += 2;
  const layers = new Set((await compare())!.differences.map(({ layer }) => layer));
  expect(layers).toEqual(new Set(['forhold_bnbo']));
});

describe('where memory does not hold a layer', () => {
  const question = (): PlacesQuestion => {
    const [place] = placesOf('forhold_bnbo', randomFrom(11), 2).slice(1);
    const today = isoDay(bench.deps.clock.nowMs());
    const wkbs = [
      pointPlace(place!).wkb,
      areaPlace([parcelAt(place!.xUtm32, place!.yUtm32, randomFrom(1))]).wkb,
    ];
    return { wkbs, layers: LAYERS, radiusM: 500, today, mostObjects: 20, onLineM: 0.5 };
  };
  const failed: unknown[] = [];
  const ask = (given: Partial<RungDeps>, asked = question()) =>
    readRungs(
      {
        memory: () => without,
        read: (some) => readPlaces(bench.store, some),
        isSound: (wkb) => Promise.resolve(areSound(wkb)),
        ...given,
      },
      asked,
      (error) => failed.push(error),
    );
  const away = () => Promise.reject(new Error('away'));
  let without: SnapshotSet;
  beforeAll(async () => {
    const memory = bench.memoryIn(bench.newDirectory());
    await memory.refresh();
    const { snapshot } = memory.current!.layers.get('forhold_bnbo')!;
    memory.suspend('forhold_bnbo', snapshot.buffer);
    without = memory.current!;
  });

  test('the store measures all, and memory what does not name it', async () => {
    const read = await ask({});
    expect([read!.rung, read!.found[0]!.has('forhold_bnbo')]).toEqual(['store', true]);
    const others = { ...question(), layers: LAYERS.filter((layer) => layer !== 'forhold_bnbo') };
    expect((await ask({ read: away }, others))!.rung).toBe('snapshot');
    expect(failed).toEqual([]);
  });

  test('it has no copy while the store is away, and the others answer', async () => {
    const read = await ask({ read: away });
    expect(LAYERS.filter((layer) => !read!.copies.get(layer))).toEqual(['forhold_bnbo']);
    expect(failed).toHaveLength(1);
  });

  test('the store names what is wrong with an area that crosses itself; without it nothing is measured', async () => {
    const { x, y } = PLANNED;
    const bow = areaPlace([[[x, y, x + 9, y + 9, x + 9, y, x, y + 9, x, y]]]).wkb;
    const asked = { ...question(), wkbs: [bow] };
    expect((await ask({}, asked))!.faults).toEqual([expect.stringContaining('Self-intersection')]);
    expect(await ask({ read: away }, asked)).toBeNull();
  });
});
