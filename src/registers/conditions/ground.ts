/** The ground of a parcel or property from the cadastre, its buildings from BBR (D211). */
import type { Provenance } from '../../answers/answer.ts';
import { unknownTo } from '../../core/land/covered-lands.ts';
import type { Point } from '../../geo/point.ts';
import { pointFromUtm32 } from '../../geo/project.ts';
import { RING } from '../../geo/wkb.ts';
import type { RingSink } from '../../geo/wkb.ts';
import { Failure } from '../../kernel/failures.ts';
import { rowError } from '../../core/rows/row-errors.ts';
import { parcelText } from '../../layers/conditions/condition.ts';
import type { CadastreLookups, Parcels, ParcelsAnswer } from '../cadastre/parcel-lookup.ts';
import { inOrder, parcelOf } from '../cadastre/parcels.ts';
import type { Parcel } from '../cadastre/parcels.ts';
import type { Properties } from '../property/lookup.ts';
import { areaPlace, unitedPlace } from '../../core/land/drawn-area.ts';
import { pointPlace } from './lookup.ts';
import type { Place } from '../../core/land/drawn-area.ts';

export interface GroundLookups extends CadastreLookups {
  readonly properties: Properties;
}

export interface Building {
  readonly id: string;
  readonly point: Point;
  readonly place: Place;
}

export interface Ground {
  readonly place: Place;
  readonly shown: object;
  /** null: BBR did not answer, or a building has no usable position. */
  readonly buildings: readonly Building[] | null;
  readonly generation: number;
  readonly provenance: readonly Provenance[];
}

/** Throws not_found, and the cadastre's failures. */
export async function groundOfParcel(
  { parcels, coverage }: GroundLookups,
  districtCode: number,
  number: string,
): Promise<Ground> {
  const found = await parcels.withNumber(districtCode, number);
  const [parcel] = found.parcels;
  if (parcel === undefined) {
    throw unknownTo(coverage, rowError('noParcel', { number, district: districtCode }));
  }
  return {
    place: placeOf(found.parcels),
    shown: {
      ...{ ejerlav_kode: parcel.districtCode, matrikelnummer: parcel.number },
      ...{ bfe_nummer: parcel.bfe, registreret_areal_m2: parcel.area },
    },
    buildings: null,
    generation: found.generation,
    provenance: found.provenance,
  };
}

/**
 * For a flat or a building on leased ground, the ground beneath it, and the answer says so (D244).
 */
export async function groundOfProperty(lookups: GroundLookups, bfe: number): Promise<Ground> {
  const [registered, built] = await Promise.all([
    registeredGround(lookups, bfe),
    builtOn(lookups.properties, bfe),
  ]);
  const isElsewhere = registered.parcels.length === 0 && built !== null && built.kind !== 'ground';
  const { parcels, generation } = isElsewhere
    ? await beneath(lookups.parcels, built.buildings)
    : registered;
  return {
    place: placeOf(parcels),
    shown: {
      bfe_nummer: bfe,
      egen_grund: parcels.some((parcel) => parcel.bfe === bfe),
      jordstykker: parcels.map(({ districtCode, number }) => ({
        ejerlav_kode: districtCode,
        matrikelnummer: number,
      })),
    },
    buildings: built?.buildings ?? null,
    generation: Math.min(generation, registered.generation),
    provenance: registered.provenance,
  };
}

type ParcelsFound = Pick<ParcelsAnswer, 'generation' | 'provenance'> & {
  readonly parcels: readonly Parcel[];
};

/** From memory where possible; else, and for a flat's property, from the store. */
async function registeredGround(
  { cadastre, parcels }: GroundLookups,
  bfe: number,
): Promise<ParcelsFound> {
  const held = parcels.ownedBy(bfe);
  if (held !== null) return held;
  const found = await cadastre.find(bfe);
  return { ...found, parcels: inOrder(found.parcels.map(parcelOf)) };
}

/**
 * The cadastre relates a building on leased ground to no parcel, so parcels at the buildings'
 * points.
 */
async function beneath(
  { at }: Pick<Parcels, 'at'>,
  buildings: readonly Building[],
): Promise<Omit<ParcelsFound, 'provenance'>> {
  const found = await Promise.all(buildings.map(({ point }) => at(point)));
  const parcels = found.flatMap((each) => each.parcels);
  const named = parcels.map(
    (parcel) => [`${parcel.districtCode} ${parcel.number}`, parcel] as const,
  );
  return {
    parcels: [...new Map(named).values()],
    generation: Math.min(...found.map(({ generation }) => generation)),
  };
}

async function builtOn(properties: Properties, bfe: number) {
  const found = await properties.find([bfe], null).catch(() => null);
  const [answer] = found?.value ?? [];
  if (answer === undefined || answer instanceof Failure) return null;
  const { kind, buildings } = answer.rows;
  const placed = buildings.flatMap(({ id, x, y }) => {
    if (x === null || y === null) return [];
    const point = pointFromUtm32({ xUtm32: x, yUtm32: y });
    return [{ id, point, place: pointPlace(point.utm32) }];
  });
  const isWhole = placed.length === buildings.length && placed.length <= MOST_BUILDINGS;
  return isWhole ? { kind, buildings: placed } : null;
}

const MOST_BUILDINGS = 200;

/** Throws where a parcel has no position: the known rest would read as all. */
function placeOf(parcels: readonly Parcel[]): Place {
  const places = parcels.map(({ rings }) => (rings === null ? null : areaPlace(polygonsOf(rings))));
  const known = places.filter((place) => place !== null);
  if (known.length === places.length && known.length > 0) {
    const names = parcels.map(({ districtCode, number }) => parcelText(districtCode, number));
    return { ...unitedPlace(known), parcels: names };
  }
  throw new Failure('upstream_error', rowError('parcelUnplaced'));
}

/** Each shell is followed by its holes. */
export function polygonsOf({ xy, starts, kinds }: RingSink): number[][][] {
  const [flat, from, kind] = [xy.view(), starts.view(), kinds.view()];
  const polygons: number[][][] = [];
  for (const [n, start] of from.entries()) {
    const ring = Array.from(flat.subarray(2 * start, 2 * (from[n + 1] ?? flat.length / 2)));
    if (kind[n] === RING.shell) polygons.push([ring]);
    else polygons.at(-1)?.push(ring);
  }
  return polygons;
}
