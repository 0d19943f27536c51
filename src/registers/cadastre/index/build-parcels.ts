import { emptyBoxes, widen } from '../../../geo/bounds.ts';
import { growingBytes, growingFloats, growingWords } from '../../../geo/growing.ts';
import { RingSink, readWkb } from '../../../geo/wkb.ts';
import { buildNames } from '../../../names/build-names.ts';
import { pack } from '../../../snapshot/format.ts';
import type { Section } from '../../../snapshot/format.ts';
import { treeOf } from '../../../snapshot/packed-tree.ts';
import { packTexts } from '../../../snapshot/texts.ts';
import { compareParcelNumbers, leadingOf } from '../parcels.ts';
import { packShape } from './pack-shape.ts';
import { PARCELS_KIND } from './parcel-format.ts';
import type { ParcelsMeta } from './parcel-format.ts';

export interface ExportedDistrict {
  readonly id: number;
  readonly code: number;
  readonly name: string;
}

export interface ExportedParcel {
  readonly id: number;
  readonly number: string | null;
  readonly bfe: number | null;
  readonly district_id: number | null;
  readonly area: number | null;
  readonly municipality_code: string | null;
  readonly wkb: Uint8Array | null;
}

export interface ParcelsToBuild {
  readonly districts: readonly ExportedDistrict[];
  readonly parcels: Iterable<ExportedParcel>;
}

/** `parcels`: by id. */
export function buildParcelIndex(
  meta: ParcelsMeta,
  { districts, parcels }: ParcelsToBuild,
): SharedArrayBuffer {
  const table = new ParcelTable(districts);
  for (const parcel of parcels) table.add(parcel);
  return pack(PARCELS_KIND, meta, table.sections());
}

const BOX = 4;

class ParcelTable {
  readonly #districts: readonly ExportedDistrict[];
  readonly #districtById: ReadonlyMap<number, number>;
  readonly #municipalities = new Map([['', 0]]);
  readonly #numbers = new Map<string, number>();
  readonly #number = growingWords();
  readonly #rings = new RingSink();
  readonly #district = growingWords();
  readonly #bfe = growingWords();
  readonly #area = growingWords();
  readonly #municipality = growingWords();
  readonly #boxes = growingFloats();
  readonly #shapes = growingBytes();
  readonly #shapeEnds = growingWords();

  constructor(districts: readonly ExportedDistrict[]) {
    this.#districts = [...districts].sort((a, b) => a.code - b.code || a.id - b.id);
    this.#districtById = new Map(this.#districts.map(({ id }, n) => [id, n + 1]));
  }

  add({ number, bfe, district_id: district, area, municipality_code, wkb }: ExportedParcel) {
    this.#number.push(codeIn(this.#numbers, number ?? ''));
    this.#district.push(this.#districtById.get(district ?? Number.NaN) ?? 0);
    this.#bfe.push(plusOne(bfe));
    this.#area.push(plusOne(area));
    this.#municipality.push(codeIn(this.#municipalities, municipality_code ?? ''));
    this.#addShape(wkb);
  }

  #addShape(wkb: Uint8Array | null): void {
    const rings = this.#rings;
    for (const list of [rings.xy, rings.starts, rings.kinds]) list.length = 0;
    if (wkb !== null) readWkb(wkb, rings);
    const box = [Infinity, Infinity, -Infinity, -Infinity];
    const { items: xy, length } = rings.xy;
    for (let i = 0; i < length; i += 2) widen(box, 0, xy[i]!, xy[i + 1]!);
    this.#boxes.append(box);
    if (rings.xy.length > 0) packShape(rings, this.#shapes);
    if (this.#shapes.length > 0xffff_ffff) throw new Error('The shapes of parcels are too large.');
    this.#shapeEnds.push(this.#shapes.length);
  }

  sections(): Record<string, Section> {
    const numbers = [...this.#numbers.keys()].sort(compareParcelNumbers);
    const rankOf = new Map(numbers.map((number, rank) => [this.#numbers.get(number), rank]));
    const ranks = this.#number.view().map((code) => rankOf.get(code)!);
    const order = this.#order(ranks, numbers.length);
    const { tree, items } = treeOf(this.#boxes.view(), order.length, (at) => BOX * order[at]!);
    return {
      ...packTexts('districts', ['', ...this.#districts.map(({ name }) => name)]),
      ...buildNames(this.#districts.map(({ name }) => name)),
      'district.codes': Float64Array.of(0, ...this.#districts.map(({ code }) => code)),
      'district.starts': this.#starts(),
      'district.boxes': this.#boxesOfDistricts(),
      ...this.#municipalitiesOfDistricts(),
      ...packTexts('numbers', numbers),
      'number.leading': Uint32Array.from(numbers, leadingOf),
      'parcel.number': sorted(ranks, order),
      'parcel.bfe': sorted(this.#bfe.view(), order),
      'parcel.area': sorted(this.#area.view(), order),
      ...packTexts('municipalities', this.#municipalities.keys()),
      'parcel.municipality': Uint16Array.from(sorted(this.#municipality.view(), order)),
      ...this.#sortedShapes(order),
      tree,
      'tree.items': Uint32Array.of(items),
    };
  }

  /** The sort is stable. */
  #order(ranks: Uint32Array, count: number): Uint32Array {
    const keys = Float64Array.from(
      this.#district.view(),
      (each, row) => each * count + ranks[row]!,
    );
    return Uint32Array.from(keys.keys()).sort((a, b) => keys[a]! - keys[b]! || a - b);
  }

  #starts(): Uint32Array {
    const starts = new Uint32Array(this.#districts.length + 2);
    for (const district of this.#district.view()) starts[district + 1]! += 1;
    for (let n = 0; n + 1 < starts.length; n++) starts[n + 1]! += starts[n]!;
    return starts;
  }

  #boxesOfDistricts(): Float64Array {
    const boxes = emptyBoxes(this.#districts.length + 1);
    const parcels = this.#boxes.items;
    for (const [row, district] of this.#district.view().entries()) {
      if (parcels[BOX * row]! === Infinity) continue;
      for (const corner of [BOX * row, BOX * row + 2]) {
        widen(boxes, BOX * district, parcels[corner]!, parcels[corner + 1]!);
      }
    }
    return boxes;
  }

  #municipalitiesOfDistricts(): Record<string, Section> {
    const sets = Array.from({ length: this.#districts.length + 1 }, () => new Set<number>());
    for (const [row, district] of this.#district.view().entries()) {
      sets[district]!.add(this.#municipality.items[row]!);
    }
    const starts = growingWords();
    const codes: number[] = [];
    for (const set of sets) {
      starts.push(codes.length);
      codes.push(...set);
    }
    starts.push(codes.length);
    return {
      'district.municipalityStarts': starts.view(),
      'district.municipality': Uint16Array.from(codes),
    };
  }

  #sortedShapes(order: Uint32Array): Record<string, Section> {
    const [bytes, ends] = [this.#shapes.view(), this.#shapeEnds.view()];
    const packed = new Uint8Array(bytes.length);
    const packedEnds = new Uint32Array(order.length);
    let length = 0;
    for (const [at, row] of order.entries()) {
      const shape = bytes.subarray(row === 0 ? 0 : ends[row - 1], ends[row]);
      packed.set(shape, length);
      length += shape.length;
      packedEnds[at] = length;
    }
    return { 'shape.bytes': packed, 'shape.ends': packedEnds };
  }
}

function plusOne(value: number | null): number {
  if (value === null) return 0;
  if (value >= 0 && value < 0xffff_ffff) return value + 1;
  throw new Error(`A parcel has a number out of range: ${value}.`);
}

function codeIn(codes: Map<string, number>, text: string): number {
  const known = codes.get(text);
  if (known !== undefined) return known;
  codes.set(text, codes.size);
  return codes.size - 1;
}

function sorted(values: Uint32Array, order: Uint32Array): Uint32Array {
  return order.map((row) => values[row]!);
}
