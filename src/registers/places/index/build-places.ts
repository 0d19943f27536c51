import { crc32 } from 'node:zlib';
import { growingFloats, growingWords } from '../../../geo/growing.ts';
import { compareTexts } from '../../../kernel/compare.ts';
import { isOfficial, isPrimary, spellingsOf } from '../places.ts';
import type { ExportedPlace, JoinedMunicipalities, PlaceRow, Spelling } from '../places.ts';
import { buildNames } from '../../../names/build-names.ts';
import { pack } from '../../../snapshot/format.ts';
import { treeOf } from '../../../snapshot/packed-tree.ts';
import type { Section } from '../../../snapshot/format.ts';
import { codeArray, packTexts } from '../../../snapshot/texts.ts';
import { NUMBERS, PLACES_KIND } from './place-format.ts';
import type { PlacesMeta } from './place-format.ts';

export interface PlacesToBuild {
  readonly municipalities: JoinedMunicipalities | null;
  readonly places: Iterable<ExportedPlace>;
}

export interface ShapeSink {
  append(wkb: Uint8Array): void;
}

/** Some 270 bytes per place. Throws where a place lies in an unlisted municipality. */
export function buildPlaceIndex(
  version: number,
  { municipalities, places }: PlacesToBuild,
  shapes: ShapeSink,
): SharedArrayBuffer {
  const table = new PlaceTable(municipalities, shapes);
  for (const row of places) table.add(row);
  const meta: PlacesMeta = { version, municipalities };
  return pack(PLACES_KIND, meta, table.sections());
}

interface Weight {
  readonly isPrimary: boolean;
  readonly isOfficial: boolean;
  readonly inhabitants: number;
  readonly areaM2: number;
  readonly id: string;
}

class PlaceTable {
  readonly #ids: string[] = [];
  readonly #mainTypes = new Codes();
  readonly #subtypes = new Codes();
  readonly #statuses = new Codes();
  readonly #priorities = new Codes();
  readonly #names = new Codes();
  readonly #numbers = growingFloats();
  readonly #inhabitants = growingWords();
  readonly #municipalityPlaces: ReadonlyMap<string, number>;
  readonly #municipalityStarts = growingWords();
  readonly #municipalities = growingWords();
  readonly #spellingStarts = growingWords();
  readonly #spellingPlace = growingWords();
  readonly #weights: Weight[] = [];
  readonly #areas = growingFloats();
  readonly #shapes: ShapeSink;
  readonly #shapeEnds = growingFloats();
  readonly #shapeSums = growingWords();
  #shapeBytes = 0;

  constructor(municipalities: JoinedMunicipalities | null, shapes: ShapeSink) {
    this.#shapes = shapes;
    this.#municipalityPlaces = new Map(municipalities?.names.map(([code], i) => [code, i]));
  }

  add(row: ExportedPlace): void {
    const place = this.#ids.push(row.public_id) - 1;
    this.#mainTypes.push(row.main_type);
    this.#subtypes.push(row.subtype);
    const { easting, northing, min_x: west, min_y: south, max_x: east, max_y: north } = row;
    this.#numbers.append([easting, northing, west, south, east, north]);
    this.#inhabitants.push(row.inhabitants === null ? 0 : row.inhabitants + 1);
    this.#municipalityStarts.push(this.#municipalities.length);
    for (const code of row.municipality_codes ?? []) {
      const at = this.#municipalityPlaces.get(code);
      if (at === undefined) throw new Error(`A place lies in a municipality ${code} of no name.`);
      this.#municipalities.push(at);
    }
    this.#spellingStarts.push(this.#weights.length);
    for (const spelling of spellingsOf(row.names)) this.#addSpelling(place, row, spelling);
    this.#addShape(row);
  }

  #addShape({ area_m2: areaM2, wkb }: ExportedPlace): void {
    this.#areas.push(areaM2);
    this.#shapes.append(wkb);
    this.#shapeBytes += wkb.length;
    this.#shapeEnds.push(this.#shapeBytes);
    this.#shapeSums.push(crc32(wkb));
  }

  #addSpelling(place: number, row: PlaceRow, spelling: Spelling): void {
    this.#names.push(spelling.name);
    this.#statuses.push(spelling.status);
    this.#priorities.push(spelling.priority);
    this.#spellingPlace.push(place);
    this.#weights.push({
      isPrimary: isPrimary(spelling),
      isOfficial: isOfficial(spelling),
      inhabitants: row.inhabitants ?? 0,
      areaM2: row.area_m2,
      id: row.public_id,
    });
  }

  sections(): Record<string, Section> {
    const numbers = this.#numbers.view();
    const { tree } = treeOf(numbers, this.#ids.length, (place) => NUMBERS * place + 2);
    this.#municipalityStarts.push(this.#municipalities.length);
    this.#spellingStarts.push(this.#weights.length);
    return {
      ...packTexts('ids', this.#ids),
      ...this.#mainTypes.sections('mainTypes', 'place.mainType'),
      ...this.#subtypes.sections('subtypes', 'place.subtype'),
      ...this.#statuses.sections('statuses', 'spelling.status'),
      ...this.#priorities.sections('priorities', 'spelling.priority'),
      ...this.#names.sections('names', 'spelling.name'),
      'place.numbers': numbers,
      'place.inhabitants': this.#inhabitants.view(),
      'place.municipalityStarts': this.#municipalityStarts.view(),
      'place.municipalities': this.#municipalities.view(),
      'place.spellings': this.#spellingStarts.view(),
      'place.area': this.#areas.view(),
      'place.shapeEnds': this.#shapeEnds.view(),
      'place.shapeSums': this.#shapeSums.view(),
      'place.byId': byId(this.#ids),
      'place.tree': tree,
      'spelling.place': this.#spellingPlace.view(),
      'spelling.order': orderOf(this.#weights),
      ...this.#names.rowsByCode(),
      ...buildNames(this.#names.texts),
    };
  }
}

/** Code 0 is null. */
class Codes {
  readonly #codes = new Map<string, number>();
  readonly #rows = growingWords();

  push(text: string | null): void {
    if (text === null) {
      this.#rows.push(0);
      return;
    }
    const code = this.#codes.get(text) ?? this.#codes.size + 1;
    this.#codes.set(text, code);
    this.#rows.push(code);
  }

  get texts(): readonly string[] {
    return [...this.#codes.keys()];
  }

  sections(texts: string, rows: string): Record<string, Section> {
    const packed = codeArray(this.#rows.length, this.#codes.size + 1);
    packed.set(this.#rows.view());
    return { ...packTexts(texts, ['', ...this.texts]), [rows]: packed };
  }

  rowsByCode(): Record<string, Section> {
    const rows = this.#rows.view();
    const starts = new Uint32Array(this.#codes.size + 2);
    for (const code of rows) starts[code + 1]! += 1;
    for (let code = 0; code + 1 < starts.length; code++) starts[code + 1]! += starts[code]!;
    const next = starts.slice();
    const members = new Uint32Array(rows.length);
    for (const [row, code] of rows.entries()) {
      members[next[code]!] = row;
      next[code]! += 1;
    }
    return { 'name.starts': starts, 'name.spellings': members };
  }
}

function byId(ids: readonly string[]): Uint32Array {
  return Uint32Array.from(ids.keys()).sort((a, b) => compareTexts(ids[a]!, ids[b]!) || a - b);
}

function orderOf(weights: readonly Weight[]): Uint32Array {
  const sorted = [...weights.keys()].sort((a, b) => compare(weights[a]!, weights[b]!) || a - b);
  const order = new Uint32Array(weights.length);
  for (const [at, spelling] of sorted.entries()) order[spelling] = at;
  return order;
}

/** Primary first, then by inhabitants, by area, official status first, by id (D122). */
function compare(a: Weight, b: Weight): number {
  return (
    Number(b.isPrimary) - Number(a.isPrimary) ||
    b.inhabitants - a.inhabitants ||
    b.areaM2 - a.areaM2 ||
    Number(b.isOfficial) - Number(a.isOfficial) ||
    compareTexts(a.id, b.id)
  );
}
