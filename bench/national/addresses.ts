/**
 * Addresses at national size: 2.4 M access and 3.8 M unit addresses on some 110,000 roads of 98
 * municipalities and 1,089 postcodes, as rows of an index. Deterministic; ids follow no place.
 */
import type {
  AccessRow,
  IndexRows,
  FormerName,
  Postcode,
  Road,
  UnitRow,
} from '../../src/registers/addresses/addresses.ts';
import { growingFloats, growingWords } from '../../src/geo/growing.ts';
import { normalFrom, randomFrom, TILE_M, toCentimetre } from './land.ts';
import type { Land, Random, Tile } from './land.ts';
import { districtName, placeName, roadName } from './names.ts';

const ACCESSES = 2_400_000;
const POSTCODES = 1_089;
const PER_ROAD = 26;
/** Side of a municipality, metres. */
const MUNICIPALITY_M = 25_000;
/** Shares of addresses: provisional, retired; of roads: renamed once, shared by two postcodes. */
const PROVISIONAL = 0.012;
const RETIRED = 0.02;
const RENAMED = 0.02;
const SHARED = 0.03;

interface GeneratedRoad extends Road {
  /** What it was called before; null for most. */
  readonly formerly: string | null;
}

/** Rows of an index, and how many there are. */
export interface GeneratedAddresses extends IndexRows {
  readonly postcodes: readonly Postcode[];
  readonly roads: readonly GeneratedRoad[];
  readonly accessCount: number;
}

/** Unit addresses follow from their access address alone, so that nothing of them is kept. */
export function nationalAddresses(land: Land): GeneratedAddresses {
  const random = randomFrom(2026);
  const country = new Country(land, random);
  country.settle();
  const { roads, order } = country.sorted();
  return {
    postcodes: country.postcodes,
    roads,
    accessCount: order.length,
    accesses: accessRows(country, order),
    units: { [Symbol.iterator]: () => unitRows(country, order) },
    formerNames: { [Symbol.iterator]: () => formerNames(country, roads, order) },
  };
}

interface Settled extends Pick<Tile, 'x' | 'y'> {
  readonly count: number;
  readonly villages: readonly string[];
  readonly firstTown: number;
  readonly codes: readonly number[];
}

type Houses = Readonly<Record<'road' | 'length' | 'x' | 'y' | 'stepM' | 'town', number>> & {
  readonly postcodes: readonly number[];
};

class Country {
  readonly postcodes: Postcode[] = [];
  readonly names: { name: string; municipality: string; formerly: string | null }[] = [];
  readonly road = growingWords();
  readonly house = growingWords();
  readonly letter = growingWords();
  readonly postcode = growingWords();
  readonly town = growingWords();
  readonly xy = growingFloats();
  readonly towns: string[] = [''];
  /** Which places the roads got when they were sorted. */
  placeOfRoad = new Uint32Array(0);
  readonly #land: Land;
  readonly #random: Random;
  readonly #taken: Set<string>[] = [];

  constructor(land: Land, random: Random) {
    this.#land = land;
    this.#random = random;
  }

  settle(): void {
    const total = ACCESSES * this.#land.scale;
    const perTile = this.#land.spread(total, { seed: 78 });
    const perPostcode = ACCESSES / POSTCODES;
    let filled = perPostcode;
    for (const [i, count] of perTile.entries()) {
      const tile = this.#land.tiles[i]!;
      const villages = Array.from({ length: 5 }, () => placeName(this.#random));
      const first = this.towns.length;
      this.towns.push(...villages);
      const opened: number[] = [];
      // A tile opens as many postcodes as its addresses fill; a thin one shares its neighbour's.
      for (filled += count; filled >= perPostcode; filled -= perPostcode) opened.push(this.#open());
      this.#nameDistricts(opened, villages[0]!);
      const codes = opened.length > 0 ? opened : [this.postcodes.length - 1];
      this.#fill({ ...tile, count, villages, firstTown: first, codes });
    }
  }

  #open(): number {
    const code = String(1000 + Math.floor(this.postcodes.length * 8.2)).padStart(4, '0');
    this.#taken.push(new Set());
    return this.postcodes.push({ code, name: '' }) - 1;
  }

  #nameDistricts(opened: readonly number[], town: string): void {
    for (const [i, place] of opened.entries()) {
      const name = opened.length === 1 ? town : districtName(town, i);
      this.postcodes[place] = { ...this.postcodes[place]!, name };
    }
  }

  #fill(tile: Settled): void {
    const random = this.#random;
    const centre = { x: tile.x + TILE_M * random(), y: tile.y + TILE_M * random() };
    const column = Math.floor(tile.x / MUNICIPALITY_M);
    const row = Math.floor(tile.y / MUNICIPALITY_M);
    const municipality = String(101 + ((column * 31 + row * 7) % 760)).padStart(4, '0');
    for (let left = tile.count; left > 0;) {
      const length = Math.min(left, Math.ceil(PER_ROAD * Math.exp(0.9 * normalFrom(random) - 0.4)));
      left -= length;
      const isTown = random() < 0.75;
      const postcode = tile.codes[Math.floor(random() * tile.codes.length)]!;
      const other = tile.codes[Math.floor(random() * tile.codes.length)]!;
      const x = isTown ? centre.x + 500 * normalFrom(random) : tile.x + TILE_M * random();
      const y = isTown ? centre.y + 500 * normalFrom(random) : tile.y + TILE_M * random();
      const hasTown = !isTown && random() < 0.6;
      this.#addRoad({
        road: this.#name(postcode, municipality, tile.villages),
        length,
        x,
        y,
        stepM: isTown ? 18 : 70,
        town: hasTown ? tile.firstTown + Math.floor(random() * tile.villages.length) : 0,
        postcodes: random() < SHARED ? [postcode, other] : [postcode, postcode],
      });
    }
  }

  /** Within a postcode no road is named twice, as the register demands. */
  #name(postcode: number, municipality: string, villages: readonly string[]): number {
    const taken = this.#taken[postcode]!;
    const fresh = (): string => {
      for (;;) {
        const name = roadName(this.#random, villages);
        if (taken.has(name)) continue;
        taken.add(name);
        return name;
      }
    };
    const name = fresh();
    const formerly = this.#random() < RENAMED ? fresh() : null;
    return this.names.push({ name, municipality, formerly }) - 1;
  }

  #addRoad(houses: Houses): void {
    const random = this.#random;
    const angle = 2 * Math.PI * random();
    const [along, across] = [Math.cos(angle), Math.sin(angle)];
    let number = 1 + Math.floor(random() * 3);
    let letter = 0;
    for (let i = 0; i < houses.length; i++) {
      const side = number % 2 === 0 ? 9 : -9;
      const at = (houses.stepM * number) / 2 + 3 * letter;
      this.road.push(houses.road);
      this.house.push(number);
      this.letter.push(letter);
      this.town.push(houses.town);
      this.postcode.push(houses.postcodes[i < houses.length / 2 ? 0 : 1]!);
      this.xy.push(toCentimetre(houses.x + along * at - across * side + random()));
      this.xy.push(toCentimetre(houses.y + across * at + along * side + random()));
      // A lettered house is often followed by the next letter; rural numbers leave gaps.
      if (random() < (letter === 0 ? 0.07 : 0.6) && letter < 26) letter += 1;
      else {
        number += random() < 0.85 ? 1 : 1 + Math.floor(random() * 6);
        letter = 0;
      }
    }
  }

  /** Roads by id, and the order in which the ids take the access addresses. */
  sorted(): { roads: GeneratedRoad[]; order: Uint32Array } {
    const random = this.#random;
    const roads = this.names.map(({ name, municipality, formerly }, i) => ({
      roadId: uuid(random() * 2 ** 32, i),
      municipalityCode: municipality,
      roadCode: String(i % 10_000).padStart(4, '0'),
      name,
      shortName: name.startsWith('Gammel ') ? name.replace('Gammel', 'Gl.') : null,
      formerly,
      place: i,
    }));
    roads.sort((a, b) => (a.roadId < b.roadId ? -1 : 1));
    this.placeOfRoad = new Uint32Array(roads.length);
    for (const [sorted, { place }] of roads.entries()) this.placeOfRoad[place] = sorted;
    return {
      roads: roads.map(({ place: _, ...road }) => road),
      order: shuffled(this.road.length, random),
    };
  }
}

function* accessRows(country: Country, order: Uint32Array): Generator<AccessRow> {
  for (const [rank, i] of order.entries()) yield accessRow(country, { rank, i, of: order.length });
}

function accessRow(
  country: Country,
  { rank, i, of }: { readonly rank: number; readonly i: number; readonly of: number },
): AccessRow {
  const own = randomFrom(i);
  const share = own();
  const letter = country.letter.items[i]!;
  return {
    id: idOfRank(rank, of, 1),
    status: share < PROVISIONAL ? 2 : share < PROVISIONAL + RETIRED ? 4 : 3,
    road: country.placeOfRoad[country.road.items[i]!]!,
    houseNumber: `${country.house.items[i]!}${letter === 0 ? '' : String.fromCharCode(64 + letter)}`,
    supplementaryTown: country.towns[country.town.items[i]!]! || null,
    postcode: country.postcode.items[i]!,
    designation: null,
    position: { xUtm32: country.xy.items[2 * i]!, yUtm32: country.xy.items[2 * i + 1]! },
    bfe: own() < 0.99 ? 1_000_000 + i : null,
  };
}

/** Most are whole houses; stairways have two or three doors a floor, some have numbered doors. */
function homesOf(i: number): readonly (readonly [string | null, string | null])[] {
  const own = randomFrom(i + 77);
  const share = own();
  if (share < 0.885) return WHOLE;
  if (share < 0.935) return TWO_FLOORS;
  const floors = 2 + Math.floor(own() * 5);
  const doors = share < 0.985 ? (own() < 0.8 ? SIDES.slice(0, 2) : SIDES) : numbered(2 + own() * 5);
  const homes: [string | null, string | null][] = [];
  for (let floor = 0; floor < floors; floor++) {
    for (const door of doors) homes.push([floor === 0 ? 'st' : String(floor), door]);
  }
  if (own() < 0.05) homes.push(['kl', null]);
  return homes;
}

const WHOLE = [[null, null]] as const;
const TWO_FLOORS = [
  ['st', null],
  ['1', null],
] as const;
const SIDES = ['tv', 'th', 'mf'];

function numbered(count: number): string[] {
  return Array.from({ length: Math.floor(count) }, (_, n) => String(n + 1));
}

function* unitRows(country: Country, order: Uint32Array): Generator<UnitRow> {
  const accesses = growingWords();
  const homes = growingWords();
  for (const [rank, i] of order.entries()) {
    const count = homesOf(i).length;
    for (let home = 0; home < count; home++) {
      accesses.push(rank);
      homes.push(home);
    }
  }
  const units = shuffled(accesses.length, randomFrom(99));
  for (const [rank, unit] of units.entries()) {
    const access = accesses.items[unit]!;
    const [floor, door] = homesOf(order[access]!)[homes.items[unit]!]!;
    const row = accessRow(country, { rank: access, i: order[access]!, of: order.length });
    const status = row.status;
    const id = idOfRank(rank, units.length, 2);
    // Flats of the larger stairways are properties of their own.
    const bfe = homesOf(order[access]!).length > 6 ? 10_000_000 + unit : null;
    yield { id, status, access, floor, door, designation: null, bfe };
  }
}

function* formerNames(
  country: Country,
  roads: readonly GeneratedRoad[],
  order: Uint32Array,
): Generator<FormerName> {
  for (const [rank, i] of order.entries()) {
    const place = country.placeOfRoad[country.road.items[i]!]!;
    const { formerly } = roads[place]!;
    if (formerly === null) continue;
    const row = accessRow(country, { rank, i, of: order.length });
    yield {
      ...{ kind: 'access', id: row.id, roadName: formerly, houseNumber: row.houseNumber },
      ...{ floor: null, door: null, supplementaryTown: row.supplementaryTown },
      postcode: country.postcodes[row.postcode!]!.code,
      ...{ validFrom: '1990-01-01T00:00:00Z', validTo: '2015-06-01T00:00:00Z' },
    };
  }
}

/** Ids ascend with the rank and are spread evenly. */
function idOfRank(rank: number, of: number, kind: number): string {
  return uuid((rank / of) * 2 ** 32, rank * 10 + kind);
}

function uuid(high: number, low: number): string {
  const start = Math.floor(high).toString(16).padStart(8, '0');
  return `${start}-0000-4000-8000-${low.toString(16).padStart(12, '0')}`;
}

function shuffled(count: number, random: Random): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}
