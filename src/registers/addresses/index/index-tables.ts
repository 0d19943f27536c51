import type { AccessRow, IndexRows, FormerName, UnitRow } from '../addresses.ts';
import { growingBytes, growingFloats, growingWords } from '../../../geo/growing.ts';
import type { Section } from '../../../snapshot/format.ts';
import { packTexts } from '../../../snapshot/texts.ts';
import { OWN_TEXT, STATUS_OF } from './index-format.ts';
import { groupRows, IdColumn, orderTexts, packCoded, recode, TextColumn } from './index-parts.ts';
import type { OrderedTexts } from './index-parts.ts';
import { IdList } from './ids.ts';

export class SharedTexts {
  readonly names = new TextColumn();
  readonly houses = new TextColumn();
  readonly floors = new TextColumn();
  readonly doors = new TextColumn();
  readonly towns = new TextColumn();
}

export type Orders = Record<keyof SharedTexts, OrderedTexts>;

class OwnTexts {
  readonly places = growingWords();
  readonly texts: string[] = [];

  note(place: number, own: string | null, composed: string): number {
    if (own === null || own === composed) return 0;
    this.places.push(place);
    this.texts.push(own);
    return OWN_TEXT;
  }

  sections(name: string): Record<string, Section> {
    return { [`${name}.places`]: this.places.view(), ...packTexts(name, this.texts) };
  }
}

export class RoadTable {
  readonly names: string[] = [];
  readonly municipalities: string[] = [];
  readonly #ids: string[] = [];
  readonly #codes: string[] = [];
  readonly #name = growingWords();
  readonly #short = growingWords();

  constructor({ roads }: IndexRows, { names }: SharedTexts) {
    for (const road of roads) {
      this.names.push(road.name);
      this.municipalities.push(road.municipalityCode);
      this.#ids.push(road.roadId);
      this.#codes.push(road.roadCode ?? '');
      this.#name.push(names.codeOf(road.name));
      this.#short.push(names.codeOf(road.shortName));
    }
  }

  sections({ names }: Orders): Record<string, Section> {
    return {
      ...packTexts('roads.ids', this.#ids),
      ...packTexts('roads.municipalities', this.municipalities),
      ...packTexts('roads.codes', this.#codes),
      'roads.name': recode(this.#name.view(), names),
      'roads.short': recode(this.#short.view(), names),
    };
  }
}

/** Text codes are provisional. */
export class AccessTable {
  readonly ids = new IdColumn('access');
  readonly road = growingWords();
  /** Place + 1; 0: none. */
  readonly postcode = growingWords();
  /** NaN without a point. */
  readonly xy = growingFloats();
  readonly #texts: SharedTexts;
  readonly #house = growingWords();
  readonly #town = growingWords();
  readonly #bfe = growingWords();
  readonly #status = growingBytes();
  readonly #own = new OwnTexts();
  #houseTexts: readonly string[] = [];
  #townTexts: readonly string[] = [];

  constructor(texts: SharedTexts) {
    this.#texts = texts;
  }

  get count(): number {
    return this.road.length;
  }

  add(row: AccessRow, composed: string): void {
    const own = this.#own.note(this.count, row.designation, composed);
    this.ids.push(row.id);
    this.#status.push(row.status | own);
    this.road.push(row.road);
    this.postcode.push(row.postcode === null ? 0 : row.postcode + 1);
    this.#house.push(this.#texts.houses.codeOf(row.houseNumber));
    this.#town.push(this.#texts.towns.codeOf(row.supplementaryTown));
    this.#bfe.push(row.bfe ?? 0);
    this.xy.push(row.position?.xUtm32 ?? NaN);
    this.xy.push(row.position?.yUtm32 ?? NaN);
  }

  statusAt(place: number): number {
    return this.#status.items[place]! & STATUS_OF;
  }

  bfeAt(place: number): number | null {
    return this.#bfe.items[place]! || null;
  }

  houseNumberAt(place: number): string {
    const code = this.#house.items[place]!;
    if (code > this.#houseTexts.length) this.#houseTexts = this.#texts.houses.texts;
    return this.#houseTexts[code - 1]!;
  }

  townAt(place: number): string | null {
    const code = this.#town.items[place]!;
    if (code > this.#townTexts.length) this.#townTexts = this.#texts.towns.texts;
    return this.#townTexts[code - 1] ?? null;
  }

  sections({ houses, towns }: Orders, roads: number): Record<string, Section> {
    const house = recode(this.#house.view(), houses);
    const road = this.road.view();
    const byHouse = (a: number, b: number): number => house[a]! - house[b]! || a - b;
    const { starts, members } = groupRows(road, roads, byHouse);
    return {
      'access.ids': this.ids.view(),
      'access.status': this.#status.view(),
      'access.road': road,
      'access.house': house,
      'access.town': recode(this.#town.view(), towns),
      'access.postcode': Uint16Array.from(this.postcode.view()),
      'access.bfe': this.#bfe.view(),
      ...this.#own.sections('access.own'),
      'roads.starts': starts,
      'roads.accesses': members,
    };
  }
}

export class UnitTable {
  readonly ids = new IdColumn('unit');
  readonly #texts: SharedTexts;
  readonly #access = growingWords();
  readonly #floor = growingWords();
  readonly #door = growingWords();
  readonly #status = growingBytes();
  readonly #own = new OwnTexts();
  /** Few units have a property of their own, so only those are stored. */
  readonly #bfePlaces = growingWords();
  readonly #bfes = growingWords();

  constructor(texts: SharedTexts) {
    this.#texts = texts;
  }

  add(row: UnitRow, composed: string, bfe: number | null): void {
    const own = this.#own.note(this.#access.length, row.designation, composed);
    if (row.bfe !== null && row.bfe !== bfe) {
      this.#bfePlaces.push(this.#access.length);
      this.#bfes.push(row.bfe);
    }
    this.ids.push(row.id);
    this.#status.push(row.status | own);
    this.#access.push(row.access);
    this.#floor.push(this.#texts.floors.codeOf(row.floor));
    this.#door.push(this.#texts.doors.codeOf(row.door));
  }

  sections({ floors, doors }: Orders, accesses: number): Record<string, Section> {
    const floor = recode(this.#floor.view(), floors);
    const door = recode(this.#door.view(), doors);
    const access = this.#access.view();
    const { starts, members } = groupRows(
      access,
      accesses,
      (a, b) => floor[a]! - floor[b]! || door[a]! - door[b]! || a - b,
    );
    return {
      'unit.ids': this.ids.view(),
      'unit.status': this.#status.view(),
      'unit.access': access,
      'unit.floor': floor,
      'unit.door': door,
      ...this.#own.sections('unit.own'),
      'unit.bfePlaces': this.#bfePlaces.view(),
      'unit.bfes': this.#bfes.view(),
      'access.unitStarts': starts,
      'access.units': members,
    };
  }
}

/** Sorted by road name and house number; those of addresses not in the index are dropped. */
export class FormerTable {
  readonly #texts: SharedTexts;
  readonly #homes: { readonly access: IdList; readonly unit: IdList };
  readonly #kind = growingBytes();
  readonly #target = growingWords();
  readonly #name = growingWords();
  readonly #house = growingWords();
  readonly #floor = growingWords();
  readonly #door = growingWords();
  readonly #town = growingWords();
  readonly #postcode = new TextColumn();
  readonly #from = new TextColumn();
  readonly #to = new TextColumn();

  constructor(
    texts: SharedTexts,
    homes: { readonly accesses: AccessTable; readonly units: UnitTable },
  ) {
    this.#texts = texts;
    this.#homes = {
      access: new IdList(homes.accesses.ids.view()),
      unit: new IdList(homes.units.ids.view()),
    };
  }

  add(former: FormerName): void {
    const target = this.#homes[former.kind].find(former.id);
    if (target < 0) return;
    this.#kind.push(former.kind === 'access' ? 0 : 1);
    this.#target.push(target);
    this.#name.push(this.#texts.names.codeOf(former.roadName));
    this.#house.push(this.#texts.houses.codeOf(former.houseNumber));
    this.#floor.push(this.#texts.floors.codeOf(former.floor));
    this.#door.push(this.#texts.doors.codeOf(former.door));
    this.#town.push(this.#texts.towns.codeOf(former.supplementaryTown));
    this.#postcode.push(former.postcode);
    this.#from.push(former.validFrom);
    this.#to.push(former.validTo);
  }

  *namesAndPostcodes(): Generator<{ readonly name: number; readonly postcode: string }> {
    const codes = ['', ...this.#postcode.texts];
    for (const [i, postcode] of this.#postcode.rows.entries()) {
      yield { name: this.#name.items[i]!, postcode: codes[postcode]! };
    }
  }

  sections(orders: Orders): Record<string, Section> {
    const house = recode(this.#house.view(), orders.houses);
    const name = recode(this.#name.view(), orders.names);
    const order = Uint32Array.from(name.keys()).sort(
      (a, b) => name[a]! - name[b]! || house[a]! - house[b]! || a - b,
    );
    const inOrder = (rows: Section): Section => {
      const sorted = rows.slice();
      for (const [i, row] of order.entries()) sorted[i] = rows[row]!;
      return sorted;
    };
    const column = (rows: TextColumn, label: string): Record<string, Section> => {
      const ordered = orderTexts(rows.texts);
      return {
        ...packCoded(`former.${label}s`, ordered.texts),
        [`former.${label}`]: inOrder(recode(rows.rows, ordered)),
      };
    };
    return {
      'former.kind': inOrder(this.#kind.view()),
      'former.target': inOrder(this.#target.view()),
      'former.name': inOrder(name),
      'former.house': inOrder(house),
      'former.floor': inOrder(recode(this.#floor.view(), orders.floors)),
      'former.door': inOrder(recode(this.#door.view(), orders.doors)),
      'former.town': inOrder(recode(this.#town.view(), orders.towns)),
      ...column(this.#postcode, 'postcode'),
      ...column(this.#from, 'from'),
      ...column(this.#to, 'to'),
    };
  }
}
