/**
 * What a changed row concerns (D234): an address by its rows and its house number's, access point's
 * and road's; a property (BFE) by those of the cadastre, BBR, assessments and protection; a parcel
 * by its row and faces.
 */
import type { Row } from '../changes/types.ts';
import { keyOf, parcelKey } from './keys.ts';
import type { KeyKind } from './kinds.ts';

type Links = Readonly<Record<string, string>>;

const OWNED: Links = {
  foreign_property_id: 'bbr_property',
  flat_property_id: 'bbr_property',
};
const OF_BUILDING: Links = { building_id: 'bbr_building' };

/** Column -> the table it refers to. */
const UP: Readonly<Record<string, Links>> = {
  bbr_facility: {
    ...OWNED,
    ...OF_BUILDING,
    ...{ ground_id: 'bbr_ground', unit_id: 'bbr_unit' },
  },
  bbr_unit_property: { unit_id: 'bbr_unit', property_id: 'bbr_property' },
  bbr_unit: {
    ...OF_BUILDING,
    ...{ floor_id: 'bbr_floor', entrance_id: 'bbr_entrance', flat_property_id: 'bbr_property' },
  },
  bbr_floor: OF_BUILDING,
  bbr_entrance: OF_BUILDING,
  bbr_building_property: { ...OF_BUILDING, property_id: 'bbr_property' },
  protection_listed: OF_BUILDING,
  protection_case: OF_BUILDING,
  protection_survey: OF_BUILDING,
  bbr_building: { ...OWNED, ground_id: 'bbr_ground' },
  bbr_ground_parcel: { ground_id: 'bbr_ground' },
  bbr_ground: { property_id: 'bbr_property' },
  cadastre_face: { parcel_id: 'cadastre_parcel' },
};

interface Below {
  readonly table: string;
  readonly column: string;
}

/** Rows that refer to one and change with it. */
const DOWN: Readonly<Record<string, Below>> = {
  address_point: { table: 'address_access', column: 'point_id' },
  address_road: { table: 'address_access', column: 'road_id' },
  address_access: { table: 'address_unit', column: 'access_id' },
};

const BFE: readonly string[] = [
  ...['bbr_property', 'cadastre_parcel', 'cadastre_property', 'cadastre_flat'],
  ...['cadastre_foreign_building', 'assessment', 'address_property'],
];
const ADDRESSES: readonly string[] = ['address_access', 'address_unit'];
const PARCEL = 'cadastre_parcel';

/** Tables after those that lead to them. */
const ORDER: readonly string[] = [
  ...Object.keys(UP),
  ...['bbr_property', PARCEL, ...Object.keys(DOWN)],
];

const NEEDED: Readonly<Record<KeyKind, (table: string) => boolean>> = {
  adresse: (table) => table in DOWN || ADDRESSES.includes(table),
  bfe: (table) => table in UP || BFE.includes(table),
  jordstykke: (table) => table === 'cadastre_face' || table === PARCEL,
};

/** By table; deleted rows as they last were. */
export interface RelatedRows {
  withIds(
    table: string,
    ids: readonly string[],
    columns: readonly string[],
  ): Promise<readonly Row[]>;
  below(of: Below, ids: readonly string[]): Promise<readonly Row[]>;
  /** By district id. */
  districtCodes(ids: readonly number[]): Promise<ReadonlyMap<number, number>>;
}

export interface ChangedRow {
  readonly table: string;
  /** Before and after. */
  readonly rows: readonly Row[];
}

/** Positions by hexadecimal key; may repeat. */
export type KeysOfKind = ReadonlyMap<string, readonly number[]>;

export async function keysOf(
  changed: readonly ChangedRow[],
  kinds: ReadonlySet<KeyKind>,
  related: RelatedRows,
): Promise<Readonly<Record<KeyKind, KeysOfKind>>> {
  return await new Relations(changed, kinds, related).find();
}

class Relations {
  readonly #changed: readonly ChangedRow[];
  readonly #kinds: ReadonlySet<KeyKind>;
  readonly #related: RelatedRows;
  /** Table -> id -> positions. */
  readonly #reached = new Map<string, Map<string, number[]>>();
  readonly #keys: Readonly<Record<KeyKind, Map<string, number[]>>> = {
    ...{ adresse: new Map(), bfe: new Map(), jordstykke: new Map() },
  };
  readonly #parcels: { readonly row: Row; readonly places: readonly number[] }[] = [];

  constructor(changed: readonly ChangedRow[], kinds: ReadonlySet<KeyKind>, related: RelatedRows) {
    this.#changed = changed;
    this.#kinds = kinds;
    this.#related = related;
  }

  async find(): Promise<Readonly<Record<KeyKind, KeysOfKind>>> {
    for (const [place, { table, rows }] of this.#changed.entries()) {
      if (![...this.#kinds].some((kind) => NEEDED[kind](table))) continue;
      for (const row of rows) this.#visit(table, row, [place]);
    }
    for (const table of ORDER) {
      const ids = this.#reached.get(table);
      if (ids === undefined) continue;
      if (table in DOWN) await this.#goDown(table, ids);
      else await this.#goUp(table, ids);
    }
    await this.#nameParcels();
    return this.#keys;
  }

  #visit(table: string, row: Row, places: readonly number[]): void {
    const id = row['id'];
    if (this.#kinds.has('adresse')) {
      if (ADDRESSES.includes(table)) this.#note('adresse', keyOf('adresse', String(id)), places);
      if (table in DOWN) this.#reach(table, id, places);
    }
    if (this.#kinds.has('jordstykke') && table === PARCEL) this.#parcels.push({ row, places });
    if (this.#kinds.has('bfe') && BFE.includes(table)) {
      this.#note('bfe', keyOf('bfe', String(row['bfe'])), places);
    }
    for (const [column, to] of Object.entries(UP[table] ?? {})) {
      this.#reach(to, row[column], places);
    }
  }

  #note(kind: KeyKind, hex: string | null, places: readonly number[]): void {
    if (hex === null) return;
    addAll(this.#keys[kind], hex, places);
  }

  #reach(table: string, id: unknown, places: readonly number[]): void {
    if (typeof id !== 'string' && typeof id !== 'number') return;
    const ids = this.#reached.get(table) ?? new Map<string, number[]>();
    this.#reached.set(table, ids);
    addAll(ids, String(id), places);
  }

  async #goUp(table: string, ids: ReadonlyMap<string, readonly number[]>): Promise<void> {
    const named = Object.keys(UP[table] ?? {});
    const own =
      table === PARCEL ? ['bfe', 'number', 'district_id'] : BFE.includes(table) ? ['bfe'] : [];
    const rows = await this.#related.withIds(table, [...ids.keys()], [...named, ...own]);
    for (const row of rows) this.#visit(table, row, ids.get(String(row['id'])) ?? []);
  }

  async #goDown(table: string, ids: ReadonlyMap<string, readonly number[]>): Promise<void> {
    const below = DOWN[table];
    if (below === undefined) return;
    for (const row of await this.#related.below(below, [...ids.keys()])) {
      this.#visit(below.table, row, ids.get(String(row[below.column])) ?? []);
    }
  }

  /** A parcel's key has its district's code. */
  async #nameParcels(): Promise<void> {
    if (this.#parcels.length === 0) return;
    const ids = this.#parcels.map(({ row }) => Number(row['district_id']));
    const codes = await this.#related.districtCodes([...new Set(ids)]);
    for (const { row, places } of this.#parcels) {
      const code = codes.get(Number(row['district_id']));
      const number = row['number'];
      if (code === undefined || typeof number !== 'string') continue;
      this.#note('jordstykke', parcelKey(code, number), places);
    }
  }
}

function addAll(to: Map<string, number[]>, key: string, places: readonly number[]): void {
  const known = to.get(key);
  if (known === undefined) to.set(key, [...places]);
  else for (const place of places) known.push(place);
}
