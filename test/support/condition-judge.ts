/** Areas to ask about, and what may differ between two computations of what they share with a layer. */
import type { Found, PlacesQuestion, PlacesRead } from '../../src/registers/conditions/store.ts';
import type { Random } from '../../src/snapshot/probes.ts';

export type Rings = readonly (readonly number[])[];

/** A parcel of 4 to 17 corners, some of them on a grid of centimetres, from a house's to a field's size. */
export function parcelAt(x: number, y: number, random: Random): Rings {
  const corners = 4 + Math.floor(14 * random());
  const reach = 10 + 150 * random() ** 3;
  return [ringAround(x, y, { corners, random, reach: () => reach * (0.6 + 0.4 * random()) })];
}

/** Of up to 60 corners, at times with a hole, up to 3 km wide. */
export function starAt(x: number, y: number, random: Random): Rings {
  const corners = 5 + Math.floor(55 * random());
  const reach = 20 + 1500 * random() ** 2;
  const radii = Array.from({ length: corners }, () => reach * (0.3 + 0.7 * random()));
  const ring = (share: number) =>
    ringAround(x, y, { corners, random, reach: (n) => share * radii[n]! });
  return random() < 0.5 ? [ring(1), ring(0.25)] : [ring(1)];
}

interface Around {
  readonly corners: number;
  readonly random: Random;
  readonly reach: (corner: number) => number;
}

function ringAround(x: number, y: number, { corners, random, reach }: Around): number[] {
  const isRounded = random() < 0.5;
  const shown = (value: number) => (isRounded ? Math.round(value * 100) / 100 : value);
  const ring = Array.from({ length: corners }, (_, n) => {
    const angle = (2 * Math.PI * n) / corners;
    const radius = reach(n);
    return [shown(x + radius * Math.cos(angle)), shown(y + radius * Math.sin(angle))];
  }).flat();
  return [...ring, ring[0]!, ring[1]!];
}

/** Square metres, metres, and metres of distance that two correct computations may differ by. */
const APART = { m2: 0.1, m: 0.01, distanceM: 0.001 };
/** Share of the whole. */
const APART_SHARE = 1e-6;
/** What the embedded store computes differs from PostgreSQL in the last bits: its overlay moves corners by some 1e-6 m. */
const IS_EMBEDDED = process.env['TEST_STORE'] !== 'postgres';
/** At least, of a sliver. */
const SLIVER_M2 = IS_EMBEDDED ? 2e-4 : 1e-6;
/** A point nearer than this to a layer may be on its edge or beside it there. */
const EDGE_M = IS_EMBEDDED ? 1e-9 : 0;

/** By place and layer; what differs within a millimetre of a border is none. */
export function differencesOf(
  { layers, radiusM }: PlacesQuestion,
  ours: PlacesRead,
  theirs: PlacesRead,
): readonly unknown[] {
  return theirs.areasM2.flatMap((areaM2, n) => {
    const [here, there] = [placeOf(ours, n), placeOf(theirs, n)];
    const isSameArea = Math.abs(here.areaM2 - areaM2) <= areaM2 * 1e-9 + 1e-6;
    const isSamePlace = isSameArea && here.zoning === there.zoning && here.fault === there.fault;
    const differing = layers.flatMap((layer) => {
      const [one, other] = [ours.found[n]?.get(layer), theirs.found[n]?.get(layer)];
      if (isSame(one, other, { areaM2, radiusM })) return [];
      return [{ place: n, layer, ours: told(one), theirs: told(other) }];
    });
    return [...(isSamePlace ? [] : [{ place: n, here, there }]), ...differing];
  });
}

function placeOf({ areasM2, faults, zoning }: PlacesRead, n: number) {
  return { areaM2: areasM2[n] ?? 0, fault: faults[n], zoning: zoning[n] };
}

interface Judge {
  readonly areaM2: number;
  readonly radiusM: number;
}

function isSame(one: Found | undefined, other: Found | undefined, judge: Judge): boolean {
  if (one === undefined || other === undefined) {
    const found = one ?? other;
    return found === undefined || Math.abs(found.nearestM! - judge.radiusM) < APART.distanceM;
  }
  const m2 = Math.min(
    APART.m2,
    judge.areaM2 === 0 ? 0 : Math.max(SLIVER_M2, APART_SHARE * judge.areaM2),
  );
  if (judge.areaM2 === 0 && Math.max(one.nearestM!, other.nearestM!) < EDGE_M)
    return one.count === other.count;
  return (
    Math.abs(one.nearestM! - other.nearestM!) < APART.distanceM &&
    one.count === other.count &&
    one.within === other.within &&
    Math.abs(one.sharedM2 - other.sharedM2) <= m2 &&
    Math.abs(one.sharedM - other.sharedM) <= APART.m &&
    one.objects.length === other.objects.length &&
    one.objects.every((object, n) => {
      const theirs = other.objects[n]!;
      return (
        object.objectId === theirs.objectId &&
        object.areaM2 === theirs.areaM2 &&
        JSON.stringify(sorted(object.attributes)) === JSON.stringify(sorted(theirs.attributes)) &&
        Math.abs(object.sharedM2 - theirs.sharedM2) <= m2 &&
        Math.abs(object.sharedM - theirs.sharedM) <= APART.m
      );
    })
  );
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .map(([key, each]) => [key, sorted(each)] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function told(found: Found | undefined) {
  if (found === undefined) return null;
  const { objects, ...rest } = found;
  return {
    ...rest,
    objects: objects.map(({ objectId, sharedM2, sharedM }) => [objectId, sharedM2, sharedM]),
  };
}
