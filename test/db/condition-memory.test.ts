/**
 * Conditions and lines at points and in areas: memory against the statement of the store (D219); and the ground of a
 * property by both: its own, that of a flat, of a building on foreign ground (D211).
 */
import { sql } from 'kysely';
import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnswerFacts } from '../../src/answers/provenance.ts';
import { pointFromUtm32 } from '../../src/geo/project.ts';
import { NAMED_PARCELS, parcelText } from '../../src/layers/conditions/condition.ts';
import { CONDITION_IDS } from '../../src/layers/conditions/index.ts';
import { LINE_KEYS } from '../../src/layers/keys.ts';
import type { LayerId } from '../../src/layers/keys.ts';
import { isoDay } from '../../src/layers/mappings/condition.ts';
import type { LayerLoader } from '../../src/memory/layer-loader.ts';
import type { SnapshotSet } from '../../src/core/held/snapshot-set.ts';
import { areaPlace, unitedPlace } from '../../src/core/land/drawn-area.ts';
import { createParcelLoader } from '../../src/registers/cadastre/load.ts';
import type { ParcelLoader } from '../../src/registers/cadastre/load.ts';
import { groundOfProperty } from '../../src/registers/conditions/ground.ts';
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
import type { WfsClient } from '../../src/wfs/client.ts';
import { pointAmong, pointBeside, randomFrom } from '../../src/snapshot/probes.ts';
import type { Random } from '../../src/snapshot/probes.ts';
import { PLANNED } from '../../sample/data/conditions.ts';
import { KNOWN_PROPERTY } from '../../sample/registers/property/buildings.ts';
import { differencesOf, parcelAt, starAt } from '../support/condition-judge.ts';
import type { Rings } from '../support/condition-judge.ts';
import { testLookups } from '../support/lookups.ts';
import { openMemoryBench } from '../support/memory.ts';
import { openMirroredStore } from '../support/mirrored-store.ts';
import { HANG_MS, amountOf, oneIn } from '../support/run-settings.ts';
import { opened } from '../support/opened.ts';

const LAYERS: readonly LayerId[] = [...CONDITION_IDS, ...LINE_KEYS];

const bench = await opened(openMemoryBench(await openMirroredStore('served')));
const NOW_MS = bench.deps.clock.nowMs();
const TODAY = isoDay(NOW_MS);
const deadline = () => ({ signal: AbortSignal.timeout(HANG_MS) });
const memory: LayerLoader = bench.memoryIn(bench.newDirectory());
await memory.refresh();
const set = memory.current!;

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

function questionOf(wkbs: readonly Uint8Array[], today = TODAY): PlacesQuestion {
  return { wkbs, layers: LAYERS, radiusM: 500, today, mostObjects: 20, onLineM: 0.5 };
}

async function hold(wkbs: readonly Uint8Array[], today = TODAY) {
  const question = { ...questionOf(wkbs, today), parcels: PARCELS };
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
  for (let n = 0; n < amountOf({ gate: 1, night: 100 }); n++) {
    const areas = placesOf(layer, random, 6).map(({ xUtm32: x, yUtm32: y }) =>
      random() < 0.7 ? parcelAt(x, y, random) : starAt(x, y, random),
    );
    expect(await hold(areas.map((rings) => areaPlace([rings]).wkb))).toEqual([]);
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

test('an area of thousands of vertices gives way to others, and is the same', async () => {
  const random = randomFrom(9);
  const count = amountOf({ gate: 3_999, night: 9_999 });
  const ring = Array.from({ length: count }, (_, n) => {
    const [angle, radius] = [(2 * Math.PI * n) / count, 2_500 + 20 * random()];
    return [PLANNED.x + radius * Math.cos(angle), PLANNED.y + radius * Math.sin(angle)];
  }).flat();
  const question = questionOf([areaPlace([[[...ring, ring[0]!, ring[1]!]]]).wkb]);
  let turns = 0;
  let isOver = false;
  const turn = () => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  turn();
  const held = await readHeld(set, question);
  isOver = true;
  expect(turns).toBeGreaterThan(count / 100);
  expect(differencesOf(question, held, await readPlaces(bench.store, question))).toEqual([]);
});

test.each([-4000, -400, 3, 400, 2000])('what is in force %i days from now', async (days) => {
  const today = isoDay(NOW_MS + days * 86_400_000);
  const random = randomFrom(days + 5000);
  const wkbs = CONDITION_IDS.flatMap((layer) => placesOf(layer, random, 2)).map(
    (place) => pointPlace(place).wkb,
  );
  expect(await hold(wkbs, today)).toEqual([]);
});

test('answers are the same bytes, by point, parcel and area', async () => {
  const clock = { nowMs: () => NOW_MS };
  const random = randomFrom(7);
  const [ours, theirs] = [memory, null].map(
    (from) => bench.lookups(from, bench.store, clock).lookupsOf(conditions).conditions,
  );
  for (const layer of oneIn(3, CONDITION_IDS)) {
    const [place] = placesOf(layer, random, 2).slice(1);
    const point = pointFromUtm32(place!);
    const area = areaPlace([parcelAt(place!.xUtm32, place!.yUtm32, random)]);
    const building = [{ id: 'a', point, place: pointPlace(place!) }];
    const [one, other] = await Promise.all(
      [ours!, theirs!].map(async (from) => ({
        at: await from.at([point], null, deadline()),
        in: await from.in(area, building, null, deadline()),
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

describe('the ground of a property', () => {
  const { bfe: OWN, flatBfe: FLAT, foreignBfe: FOREIGN } = KNOWN_PROPERTY;
  const AWAY: KyselyPlugin = {
    transformQuery: () => {
      throw new Error('The store is away.');
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };

  let parcels: ParcelLoader;
  beforeAll(async () => {
    const place = { directory: bench.newDirectory(), storeName: 'test', log: () => undefined };
    parcels = createParcelLoader({ store: bench.store, workers: bench.workers, ...place });
    await parcels.refresh();
  });
  afterAll(() => parcels.stop());

  function conditionsWith({ isHeld = true, isAway = false }) {
    const { store, workers, deps } = bench;
    const { catalogue, keys } = deps;
    return testLookups(
      { catalogue, keys, clock: { nowMs: () => NOW_MS } },
      {
        workers,
        wfs: {} as WfsClient,
        store: isAway ? { ...store, db: store.db.withPlugin(AWAY) } : store,
        memory: isHeld ? memory : null,
        indexes: isHeld ? { cadastre: parcels } : {},
      },
    ).lookupsOf(conditions).conditions;
  }

  /** Whether both tell the same. Returns what memory tells of the ground. */
  async function heldAndStored(bfe: number): Promise<object> {
    const [held, stored] = await Promise.all(
      [true, false].map(async (isHeld) => {
        const lookups = conditionsWith({ isHeld });
        const ground = await groundOfProperty(lookups.ground, bfe);
        const { answer } = await lookups.in(ground.place, ground.buildings, null, deadline());
        return { shown: ground.shown, answer };
      }),
    );
    expect(held!.shown).toEqual(stored!.shown);
    expect(held!.answer.areaM2).toBeCloseTo(stored!.answer.areaM2!, 2);
    expect(held!.answer.unavailable).toEqual([]);
    expect(held!.answer.layers).toEqual(stored!.answer.layers);
    return held!.shown;
  }

  test.each([
    ['a property', OWN, true],
    ['a flat', FLAT, false],
    ['a building on foreign ground', FOREIGN, false],
  ])('of %s memory and store tell the same', async (_, bfe, isOwn) => {
    expect(await heldAndStored(bfe)).toMatchObject({ bfe_nummer: bfe, egen_grund: isOwn });
  });

  test('of the property with the most parcels too, in their order', async () => {
    const { rows } = await sql<{ bfe: number; count: number }>`
      select bfe::integer as bfe, count(*)::integer as count from cadastre_parcel
      where status = 3 and bfe is not null group by bfe order by count(*) desc, bfe limit 1`.execute(
      bench.store.db,
    );
    const shown = await heldAndStored(rows[0]!.bfe);
    expect(shown).toHaveProperty('jordstykker.length', rows[0]!.count);
  });

  test('a building on foreign ground stands on the parcels at its point', async () => {
    const { shown } = await groundOfProperty(conditionsWith({}).ground, FOREIGN);
    const { rows } = await sql<{ code: number; number: string }>`
      select distinct d.code::integer as code, p.number
      from bbr_building b join cadastre_face f on ST_Covers(f.geom, b.geom)
      join cadastre_parcel p on p.id = f.parcel_id and p.status = 3
      join cadastre_district d on d.id = p.district_id
      where b.id = ${KNOWN_PROPERTY.foreignBuildingId}`.execute(bench.store.db);
    expect(rows.length).toBeGreaterThan(0);
    const named = rows.map(({ code, number }) => ({ ejerlav_kode: code, matrikelnummer: number }));
    expect(shown).toMatchObject({ jordstykker: expect.arrayContaining(named) as unknown });
  });

  test('while the store is away a property answers from memory, and a flat says that nothing can', async () => {
    const lookups = conditionsWith({ isAway: true });
    const ground = await groundOfProperty(lookups.ground, OWN);
    expect(ground.shown).toMatchObject({ egen_grund: true });
    const { answer, facts } = await lookups.in(ground.place, null, null, deadline());
    expect([answer.unavailable, answer.areaM2! > 0]).toEqual([[], true]);
    expect(new Set(facts.provenance.map(({ rung }) => rung))).toEqual(new Set(['snapshot']));
    await expect(groundOfProperty(lookups.ground, FLAT)).rejects.toMatchObject({
      type: 'upstream_unavailable',
    });
  });
});

test('the audit compares both, and finds what moved in memory', async () => {
  const { catalogue } = bench.deps;
  const places = CONDITION_IDS.flatMap((layer) => placesOf(layer, randomFrom(3), 2));
  const compare = () =>
    CONDITION_REGISTER_LAYERS.compare!(set, bench.store, {
      ...{ catalogue, radiusM: 500, pointsIn: () => places },
    });
  const same = await compare();
  expect(same).toEqual({ compared: CONDITION_IDS.length * places.length, differences: [] });
  const { xy } = set.layers.get('forhold_bnbo')!.snapshot;
  const sound = xy.slice();
  for (let n = 0; n < xy.length; n++) xy[n]! += 2;
  const layers = new Set((await compare())!.differences.map(({ layer }) => layer));
  xy.set(sound);
  expect(layers).toEqual(new Set(['forhold_bnbo']));
});

describe('where memory does not hold a layer', () => {
  const question = (): PlacesQuestion => {
    const [place] = placesOf('forhold_bnbo', randomFrom(11), 2).slice(1);
    return questionOf([
      pointPlace(place!).wkb,
      areaPlace([parcelAt(place!.xUtm32, place!.yUtm32, randomFrom(1))]).wkb,
    ]);
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
  beforeAll(() => {
    memory.suspend('forhold_bnbo', set.layers.get('forhold_bnbo')!.snapshot.buffer);
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
