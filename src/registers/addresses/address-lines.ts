/** Reads the lines of `export.ts`. */
import { growingWords } from '../../geo/growing.ts';
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
import { IdList } from './index/ids.ts';
import { IdColumn } from './index/index-parts.ts';

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
  readonly #ids = new IdColumn('access');
  readonly #texts: { readonly number: string; readonly town: string | null }[] = [];
  readonly #roadOf = growingWords();
  /** Place + 1; 0: none. */
  readonly #postcodeOf = growingWords();

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
    const ids = new IdList(this.#ids.view());
    for (const line of this.#lines('units')) {
      const [id = '', status, accessId = '', floor = '', door = '', designation = '', bfe] = line;
      const access = ids.find(accessId);
      if (access < 0) continue;
      const unit = { floor: floor === '' ? null : floor, door: door === '' ? null : door };
      const { number: houseNumber, town: supplementaryTown } = at(this.#texts, access);
      const postcode = at(this.#postcodeOf.items, access) - 1;
      const parts = this.#parts(at(this.#roadOf.items, access), {
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
    this.#ids.push(id);
    this.#roadOf.push(of.road);
    this.#postcodeOf.push((of.postcode ?? -1) + 1);
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

function at<T>(list: { readonly [index: number]: T }, index: number): T {
  return list[index] as T;
}

function statusOf(text: string | undefined): AddressStatus {
  return Number(text) as AddressStatus;
}

function filled(text: string): string | null {
  return text === '' ? null : text;
}
