/** The ground of a parcel or a property from the cadastre, and its buildings from BBR (D211). */
import type { Provenance } from '../../answers/answer.ts';
import { unknownTo } from '../../core/land/covered-lands.ts';
import { RING, ringsOfWkb } from '../../geo/wkb.ts';
import type { RingSink } from '../../geo/wkb.ts';
import { Failure } from '../../kernel/failures.ts';
import type { CadastreLookups } from '../cadastre/parcel-lookup.ts';
import type { Properties } from '../property/lookup.ts';
import { areaPlace, unitedPlace } from '../../core/land/drawn-area.ts';
import { pointPlace } from './lookup.ts';
import type { Place } from './lookup.ts';

export interface GroundLookups extends CadastreLookups {
  readonly properties: Properties;
}

export interface Building {
  readonly id: string;
  readonly place: Place;
}

export interface Ground {
  readonly place: Place;
  /** As written. */
  readonly shown: object;
  /** null: BBR did not answer, or a building has no usable position. */
  readonly buildings: readonly Building[] | null;
  readonly generation: number;
  readonly provenance: readonly Provenance[];
}

/** Throws not_found, and the cadastre's own failures. */
export async function groundOfParcel(
  { parcels, coverage }: GroundLookups,
  districtCode: number,
  number: string,
): Promise<Ground> {
  const found = await parcels.withNumber(districtCode, number);
  const [parcel] = found.parcels;
  if (parcel === undefined) {
    const unknown = {
      error: `The cadastre has no parcel ${number} in district ${districtCode}.`,
      errorDa: `Matriklen har intet jordstykke ${number} i ejerlav ${districtCode}.`,
    };
    throw unknownTo(coverage, unknown);
  }
  return {
    place: placeOf(found.parcels.map(({ rings }) => rings)),
    shown: {
      ...{ ejerlav_kode: parcel.districtCode, matrikelnummer: parcel.number },
      ...{ bfe_nummer: parcel.bfe, registreret_areal_m2: parcel.area },
    },
    buildings: null,
    generation: found.generation,
    provenance: found.provenance,
  };
}

/** Of a flat or a building on foreign ground the ground that it stands on, and this is told. */
export async function groundOfProperty(
  { cadastre, properties }: GroundLookups,
  bfe: number,
  isOwnGround: (bfe: number) => Promise<boolean>,
): Promise<Ground> {
  const [found, isOwn, buildings] = await Promise.all([
    cadastre.find(bfe),
    isOwnGround(bfe),
    buildingsOf(properties, bfe),
  ]);
  const parcels = found.parcels.map(({ districtCode, number }) => ({
    ejerlav_kode: districtCode,
    matrikelnummer: number,
  }));
  return {
    place: placeOf(found.parcels.map(({ wkb }) => (wkb === null ? null : ringsOfWkb(wkb)))),
    shown: { bfe_nummer: bfe, egen_grund: isOwn, jordstykker: parcels },
    buildings,
    generation: found.generation,
    provenance: found.provenance,
  };
}

async function buildingsOf(properties: Properties, bfe: number): Promise<Ground['buildings']> {
  const found = await properties.find([bfe], null).catch(() => null);
  const [answer] = found?.value ?? [];
  if (answer === undefined || answer instanceof Failure) return null;
  const placed = answer.rows.buildings.flatMap(({ id, x, y }) =>
    x === null || y === null ? [] : [{ id, place: pointPlace({ xUtm32: x, yUtm32: y }) }],
  );
  const isWhole = placed.length === answer.rows.buildings.length && placed.length <= MOST_BUILDINGS;
  return isWhole ? placed : null;
}

const MOST_BUILDINGS = 200;

/** Throws where a parcel has no position: what is known of the rest would read as all. */
function placeOf(parcels: readonly (RingSink | null)[]): Place {
  const places = parcels.map((rings) => (rings === null ? null : areaPlace(polygonsOf(rings))));
  const known = places.filter((place) => place !== null);
  if (known.length === places.length && known.length > 0) return unitedPlace(known);
  throw new Failure('upstream_error', {
    error: 'The cadastre has no position of the parcel, or of one of them.',
    errorDa: 'Matriklen har ingen placering af jordstykket eller af et af dem.',
  });
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
