/**
 * Addresses as plain records, for judges: read from the rows an index is built from or from the real
 * extracts, never from the index that is judged.
 */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type {
  AccessRow,
  IndexRows,
  Road,
  UnitRow,
} from '../../src/registers/addresses/addresses.ts';
import { readOsak } from '../support/osak.ts';
import { realFile } from '../support/real-data.ts';

/** A living address, taken apart. */
export interface Plain {
  readonly kind: 'access' | 'unit';
  readonly id: string;
  /** Of the house it is in; its own for a house. */
  readonly houseId: string;
  readonly road: string;
  readonly number: string;
  readonly floor: string | null;
  readonly door: string | null;
  readonly town: string | null;
  readonly code: string;
  readonly post: string;
}

/** Every living address that has a postcode, houses and units, with what tells them apart. */
export class Truth {
  readonly houses: readonly Plain[];
  readonly units: readonly Plain[];
  /** By the id of the house. */
  readonly unitsOf: ReadonlyMap<string, readonly Plain[]>;
  /** Numbers of each road of a postcode, `code|road`, those that are gone as well. */
  readonly numbers: ReadonlyMap<string, ReadonlySet<string>>;
  readonly roadNames: ReadonlySet<string>;
  /** Former names as well. */
  readonly roadsOf: ReadonlyMap<string, ReadonlySet<string>>;
  readonly posts: readonly { readonly code: string; readonly name: string }[];
  readonly #alike = new Map<string, Plain[]>();

  constructor(rows: IndexRows) {
    const { houses, units, gone } = plainAddresses(rows);
    this.houses = houses;
    this.units = units;
    this.posts = [...new Map(houses.map(({ code, post }) => [code, post]))]
      .map(([code, name]) => ({ code, name }))
      .sort((a, b) => (a.code < b.code ? -1 : 1));
    const unitsOf = new Map<string, Plain[]>();
    for (const unit of units) grow(unitsOf, unit.houseId, unit);
    this.unitsOf = unitsOf;
    const numbers = new Map<string, Set<string>>();
    const roadsOf = new Map<string, Set<string>>();
    for (const { code, road, number } of [...houses, ...gone]) {
      const key = `${code}|${road.toLowerCase()}`;
      numbers.set(key, (numbers.get(key) ?? new Set()).add(number));
    }
    for (const { code, road } of houses) {
      roadsOf.set(code, (roadsOf.get(code) ?? new Set()).add(road.toLowerCase()));
    }
    for (const { postcode, roadName } of rows.formerNames) {
      roadsOf.get(postcode ?? '')?.add(roadName.toLowerCase());
    }
    this.numbers = numbers;
    this.roadsOf = roadsOf;
    this.roadNames = new Set(houses.map(({ road }) => road.toLowerCase()));
    for (const each of [...houses, ...units]) grow(this.#alike, keyOf(each), each);
  }

  /** All addresses of the same kind with the same road, number, floor and door, wherever they are. */
  namesakes(address: Plain): readonly Plain[] {
    return this.#alike.get(keyOf(address)) ?? [];
  }
}

function keyOf({ kind, road, number, floor, door }: Plain): string {
  return [kind, road.toLowerCase(), number, floor ?? '', door ?? ''].join('|');
}

function grow(map: Map<string, Plain[]>, key: string, item: Plain): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [item]);
  else list.push(item);
}

function plainAddresses(rows: IndexRows): { houses: Plain[]; units: Plain[]; gone: Plain[] } {
  const postcodes = [...rows.postcodes];
  const roads = [...rows.roads];
  const all: (Plain | null)[] = [];
  const gone: Plain[] = [];
  for (const { id, status, road, houseNumber, supplementaryTown, postcode } of rows.accesses) {
    const post = postcode === null ? undefined : postcodes[postcode];
    if (post === undefined) {
      all.push(null);
      continue;
    }
    const house: Plain = {
      ...{ kind: 'access', id, houseId: id, road: roads[road]!.name, number: houseNumber },
      ...{ floor: null, door: null, town: supplementaryTown, code: post.code, post: post.name },
    };
    if (status > 3) gone.push(house);
    all.push(status > 3 ? null : house);
  }
  const units: Plain[] = [];
  for (const { id, status, access, floor, door } of rows.units) {
    const house = all[access];
    if (status <= 3 && house) units.push({ ...house, kind: 'unit', id, floor, door });
  }
  return { houses: all.filter((each) => each !== null), units, gone };
}

/**
 * The real addresses that are at hand: the register's extract of 2015 with its units, and what stands
 * on the four maps. The maps know no units: theirs are made up from the id, a third of the houses a
 * stairway, so that numbers and roads are real and flats are many.
 */
export function realRows(): IndexRows {
  const osak = readOsak();
  const known2015 = [...osak.postcodes];
  const codes = new Map(known2015.map(({ code, name }) => [code, name]));
  const houses = [...mapAddresses()];
  for (const { code, post } of houses) if (!codes.has(code)) codes.set(code, post);
  const postcodes = [...codes]
    .map(([code, name]) => ({ code, name }))
    .sort((a, b) => (a.code < b.code ? -1 : 1));
  const postPlace = new Map(postcodes.map(({ code }, i) => [code, i]));
  const roads: Road[] = [...osak.roads];
  const roadPlace = new Map<string, number>();
  const accesses = new Map<string, AccessRow>();
  for (const row of osak.accesses) {
    const { code } = known2015[row.postcode!]!;
    roadPlace.set(`${roads[row.road]!.name}|${code}`, row.road);
    accesses.set(row.id, { ...row, postcode: postPlace.get(code)! });
  }
  for (const { id, road, number, code } of houses) {
    if (accesses.has(id)) continue;
    const key = `${road}|${code}`;
    const place = roadPlace.get(key) ?? roads.length;
    if (place === roads.length) {
      const roadId = `00000000-0000-4000-8000-${String(place).padStart(12, '0')}`;
      roads.push({ roadId, municipalityCode: '0000', roadCode: null, name: road, shortName: null });
      roadPlace.set(key, place);
    }
    accesses.set(id, {
      ...{ id, status: 3, road: place, houseNumber: number, supplementaryTown: null },
      ...{ postcode: postPlace.get(code)!, designation: null, position: null, bfe: null },
    });
  }
  const sorted = [...accesses.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const placeOf = new Map(sorted.map(({ id }, i) => [id, i]));
  const units: UnitRow[] = osak.units.map((unit) => {
    return { ...unit, access: placeOf.get(osak.accesses[unit.access]!.id)! };
  });
  const known = new Set(osak.accesses.map(({ id }) => id));
  for (const [i, { id }] of sorted.entries()) if (!known.has(id)) units.push(...madeUnits(id, i));
  units.sort((a, b) => (a.id < b.id ? -1 : 1));
  return { postcodes, roads, accesses: sorted, units, formerNames: [] };
}

interface MapAddress {
  readonly id: string;
  readonly road: string;
  readonly number: string;
  readonly code: string;
  readonly post: string;
}

const MAPS = ['roenne', 'kalvebod_faelled', 'roedovre_valby', 'anholt'];

function* mapAddresses(): Generator<MapAddress> {
  for (const map of MAPS) {
    const text = gunzipSync(readFileSync(realFile(`osm/${map}.osm.gz`))).toString('utf8');
    for (const [, body = ''] of text.matchAll(/<node [^>]*[^/]>([\s\S]*?)<\/node>/g)) {
      const tag = (name: string): string => {
        const found = new RegExp(`k="${name}" v="([^"]*)"`).exec(body)?.[1] ?? '';
        return found.replaceAll('&apos;', "'").replaceAll('&amp;', '&').trim();
      };
      const id = tag('osak:identifier').toLowerCase().replaceAll('-', '');
      const [road, number] = [tag('addr:street'), tag('addr:housenumber').toUpperCase()];
      const [code, post] = [tag('addr:postcode'), tag('addr:city')];
      if (!/^[0-9a-f]{32}$/.test(id) || !/^\d{1,3}[A-ZÆØÅ]?$/.test(number)) continue;
      if (road === '' || !/^\d{4}$/.test(code) || post === '') continue;
      const dashed = id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
      yield { id: dashed, road, number, code, post };
    }
  }
}

/** One house in three has a stairway of two doors a floor, one in ten numbered doors. */
function madeUnits(accessId: string, access: number): UnitRow[] {
  const share = parseInt(accessId.slice(9, 13), 16) / 0x10000;
  const odd = parseInt(accessId.slice(0, 6), 16);
  const floors = ['st', '1', '2', '3', '4'].slice(0, 2 + (odd % 4));
  const doors = share < 0.23 ? ['tv', 'th'] : share < 0.33 ? ['1', '2', '3', '4'] : null;
  const homes: (readonly [string | null, string | null])[] =
    doors === null
      ? [[null, null]]
      : floors.flatMap((floor) => doors.map((door) => [floor, door] as const));
  return homes.map(([floor, door], i) => ({
    id: `${accessId.slice(0, 24)}${i.toString(16).padStart(3, '0')}${accessId.slice(27)}`,
    ...{ status: 3, access, floor, door, designation: null, bfe: null },
  }));
}
