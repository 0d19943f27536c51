/** Reads the lines of `export.ts`. */
import { composeAccess, composeUnit } from '../../layers/address-text.ts';
import type {
  AccessRow,
  AddressStatus,
  IndexRows,
  FormerName,
  Postcode,
  Road,
  TownEntry,
  UnitRow,
} from './addresses.ts';

export const INDEX_LISTS = [
  'postcodes',
  'roads',
  'accesses',
  'units',
  'formerNames',
  'towns',
] as const;
export type IndexList = (typeof INDEX_LISTS)[number];

/** Synchronous, because only threads read them. */
export type LineSource = (list: IndexList) => Iterable<string>;

export function indexRowsOf(source: LineSource): IndexRows {
  const reader = new LineReader(source);
  return {
    postcodes: { [Symbol.iterator]: () => reader.postcodes() },
    roads: { [Symbol.iterator]: () => reader.roads() },
    accesses: { [Symbol.iterator]: () => reader.accesses() },
    units: { [Symbol.iterator]: () => reader.units() },
    formerNames: { [Symbol.iterator]: () => reader.formerNames() },
    towns: { [Symbol.iterator]: () => reader.towns() },
  };
}

function ownText(written: string, composed: string): string | null {
  return written === '' || written === composed ? null : written;
}

class LineReader {
  readonly #source: LineSource;
  readonly #postcodes: Postcode[] = [];
  readonly #postcodePlaces = new Map<string, number>();
  readonly #roads: Road[] = [];
  readonly #roadPlaces = new Map<string, number>();
  readonly #ids = new AccessIds();
  readonly #texts: { readonly number: string; readonly town: string | null }[] = [];
  #roadOf = new Uint32Array(1024);
  /** Place + 1; 0: none. */
  #postcodeOf = new Uint16Array(1024);

  constructor(source: LineSource) {
    this.#source = source;
  }

  *postcodes(): Generator<Postcode, undefined> {
    for (const [code = '', name = ''] of this.#lines('postcodes')) {
      const postcode = { code, name };
      this.#postcodePlaces.set(code, this.#postcodes.length);
      this.#postcodes.push(postcode);
      yield postcode;
    }
  }

  *roads(): Generator<Road, undefined> {
    for (const [roadId = '', municipality = '', code = '', name = '', short = ''] of this.#lines(
      'roads',
    )) {
      const road = {
        roadId,
        municipalityCode: municipality,
        roadCode: code === '' ? null : code,
        name,
        shortName: short === '' ? null : short,
      };
      this.#roadPlaces.set(roadId + municipality, this.#roads.length);
      this.#roads.push(road);
      yield road;
    }
  }

  *accesses(): Generator<AccessRow, undefined> {
    for (const line of this.#lines('accesses')) {
      const text = (column: number): string => line[column] ?? '';
      const [id, roadId, municipality, houseNumber] = [text(0), text(2), text(3), text(4)];
      const [town, code, x, y] = [text(5), text(6), text(8), text(9)];
      const road = this.#roadPlaces.get(roadId + municipality);
      if (road === undefined) throw new Error(`The road of ${id} is not among the roads.`);
      const supplementaryTown = town === '' ? null : town;
      const postcode = this.#postcodePlaces.get(code) ?? null;
      const composed = composeAccess(
        this.#parts(road, { houseNumber, supplementaryTown, postcode }),
      );
      this.#keep(id, { road, postcode, number: houseNumber, town: supplementaryTown });
      yield {
        id,
        status: statusOf(text(1)),
        road,
        houseNumber,
        supplementaryTown,
        postcode,
        designation: ownText(text(7), composed),
        position: x === '' ? null : { xUtm32: Number(x), yUtm32: Number(y) },
        bfe: text(10) === '' ? null : Number(text(10)),
      };
    }
  }

  *units(): Generator<UnitRow, undefined> {
    for (const line of this.#lines('units')) {
      const [id = '', status, accessId = '', floor = '', door = '', designation = '', bfe] = line;
      const access = this.#ids.find(accessId);
      if (access < 0) continue;
      const unit = { floor: floor === '' ? null : floor, door: door === '' ? null : door };
      const { number: houseNumber, town: supplementaryTown } = at(this.#texts, access);
      const postcode = at(this.#postcodeOf, access) - 1;
      const parts = this.#parts(at(this.#roadOf, access), {
        houseNumber,
        supplementaryTown,
        postcode: postcode < 0 ? null : postcode,
      });
      yield {
        id,
        status: statusOf(status),
        access,
        ...unit,
        designation: ownText(designation, composeUnit({ ...parts, ...unit })),
        bfe: bfe === undefined || bfe === '' ? null : Number(bfe),
      };
    }
  }

  *formerNames(): Generator<FormerName, undefined> {
    for (const line of this.#lines('formerNames')) {
      const text = (column: number): string => line[column] ?? '';
      yield {
        kind: text(0) === 'unit' ? 'unit' : 'access',
        id: text(1),
        roadName: text(2),
        houseNumber: text(3),
        floor: filled(text(4)),
        door: filled(text(5)),
        supplementaryTown: filled(text(6)),
        postcode: filled(text(7)),
        validFrom: filled(text(8)),
        validTo: filled(text(9)),
      };
    }
  }

  *towns(): Generator<TownEntry, undefined> {
    const byCode = new Map(this.#postcodes.map((each) => [each.code, each]));
    for (const [dagi = '', status, name = '', municipality = '', posts = ''] of this.#lines(
      'towns',
    )) {
      yield {
        ...{ name, dagiId: filled(dagi), status: statusOf(status) },
        municipalityCode: filled(municipality),
        postcodes: posts.split(',').flatMap((code) => byCode.get(code) ?? []),
      };
    }
  }

  *#lines(list: IndexList): Generator<readonly string[], undefined> {
    for (const batch of this.#source(list)) {
      for (const line of batch.split('\n')) yield line.split('\t');
    }
  }

  #parts(
    road: number,
    rest: {
      readonly houseNumber: string;
      readonly supplementaryTown: string | null;
      readonly postcode: number | null;
    },
  ) {
    const { name: roadName } = at(this.#roads, road);
    const postcode = rest.postcode === null ? null : at(this.#postcodes, rest.postcode);
    return { ...rest, roadName, postcode };
  }

  #keep(
    id: string,
    of: {
      readonly road: number;
      readonly postcode: number | null;
      readonly number: string;
      readonly town: string | null;
    },
  ): void {
    const place = this.#ids.push(id);
    if (place >= this.#roadOf.length) {
      this.#roadOf = grown(this.#roadOf, new Uint32Array(place * 2));
      this.#postcodeOf = grown(this.#postcodeOf, new Uint16Array(place * 2));
    }
    this.#roadOf[place] = of.road;
    this.#postcodeOf[place] = (of.postcode ?? -1) + 1;
    this.#texts.push(this.#shared(of.number, of.town));
  }

  readonly #pairs = new Map<string, { readonly number: string; readonly town: string | null }>();

  /** Numbers and towns repeat often, so each pair is kept once. */
  #shared(number: string, town: string | null) {
    const key = `${number}\t${town ?? ''}`;
    const known = this.#pairs.get(key);
    if (known !== undefined) return known;
    // A slice of a batch would keep the whole batch in memory.
    const [own = '', place = ''] = Buffer.from(key).toString().split('\t');
    const pair = { number: own, town: place === '' ? null : place };
    this.#pairs.set(key, pair);
    return pair;
  }
}

function grown<T extends Uint32Array | Uint16Array>(from: T, into: T): T {
  into.set(from);
  return into;
}

function at<T>(list: { readonly [index: number]: T }, index: number): T {
  return list[index] as T;
}

function statusOf(text: string | undefined): AddressStatus {
  return Number(text) as AddressStatus;
}

function filled(text: string): string | null {
  return text === '' ? null : text;
}

class AccessIds {
  #words = new Uint32Array(4 * 1024);
  #count = 0;

  push(id: string): number {
    if ((this.#count + 1) * 4 > this.#words.length) {
      this.#words = grown(this.#words, new Uint32Array(this.#words.length * 2));
    }
    for (let word = 0; word < 4; word += 1) {
      this.#words[this.#count * 4 + word] = wordOf(id, word);
    }
    this.#count += 1;
    return this.#count - 1;
  }

  find(id: string): number {
    const wanted = [wordOf(id, 0), wordOf(id, 1), wordOf(id, 2), wordOf(id, 3)];
    let low = 0;
    let high = this.#count - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const order = this.#compare(middle, wanted);
      if (order === 0) return middle;
      if (order < 0) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  #compare(place: number, wanted: readonly number[]): number {
    for (let word = 0; word < 4; word += 1) {
      const order = at(this.#words, place * 4 + word) - at(wanted, word);
      if (order !== 0) return order;
    }
    return 0;
  }
}

function wordOf(id: string, word: number): number {
  switch (word) {
    case 0:
      return parseInt(id.slice(0, 8), 16);
    case 1:
      return parseInt(id.slice(9, 13) + id.slice(14, 18), 16);
    case 2:
      return parseInt(id.slice(19, 23) + id.slice(24, 28), 16);
    default:
      return parseInt(id.slice(28, 36), 16);
  }
}
