import type { Bounds } from '../../../geo/bounds.ts';
import { ringsCover } from '../../../geo/covers.ts';
import type { PointUtm32 } from '../../../geo/point.ts';
import { RingSink } from '../../../geo/wkb.ts';
import { lowerBound } from '../../../kernel/compare.ts';
import { NameIndex, readNames } from '../../../names/name-index.ts';
import { unpack } from '../../../snapshot/format.ts';
import type { Container } from '../../../snapshot/format.ts';
import { PackedTree } from '../../../snapshot/packed-tree.ts';
import { unpackTexts } from '../../../snapshot/texts.ts';
import { leadingOf, spellingsOf } from '../parcels.ts';
import type { CalledParcel, Parcel, ParcelPage } from '../parcels.ts';
import { DistrictNames } from './district-names.ts';
import { unpackShape } from './pack-shape.ts';
import { PARCELS_KIND } from './parcel-format.ts';
import type { ParcelsMeta } from './parcel-format.ts';
import { readingsOf } from './search-text.ts';
import type { Reading } from './search-text.ts';

export interface ParcelQuestion {
  readonly text: string;
  /** Empty: all. */
  readonly municipalityCodes: readonly string[];
  readonly limit: number;
  /** A word without a match yet is no mistake. */
  readonly isTyped?: boolean;
}

export interface ParcelsFound {
  readonly parcels: readonly Parcel[];
  readonly isExact: boolean;
}

/** Ejerlav. */
export interface District {
  readonly code: number;
  readonly name: string;
  /** Of parcels in force; null: none has a place. */
  readonly box: Bounds | null;
}

type Columns = ReturnType<typeof readColumns>;

function readColumns(container: Container<ParcelsMeta>) {
  return {
    districts: unpackTexts(container, 'districts'),
    names: new NameIndex(readNames(container)),
    codes: container.floats('district.codes'),
    boxes: container.floats('district.boxes'),
    starts: container.words('district.starts'),
    municipalityStarts: container.words('district.municipalityStarts'),
    inDistrict: container.halves('district.municipality'),
    numbers: unpackTexts(container, 'numbers'),
    leading: container.words('number.leading'),
    number: container.words('parcel.number'),
    bfe: container.words('parcel.bfe'),
    area: container.words('parcel.area'),
    municipalities: unpackTexts(container, 'municipalities'),
    municipality: container.halves('parcel.municipality'),
    shapes: container.bytes('shape.bytes'),
    ends: container.words('shape.ends'),
    tree: new PackedTree(container.bytes('tree'), container.words('tree.items')[0]!),
  };
}

export class ParcelIndex {
  readonly meta: ParcelsMeta;
  readonly #columns: Columns;
  readonly #names: DistrictNames;
  #districts: readonly District[] | null = null;

  constructor(buffer: SharedArrayBuffer, options: { readonly verified: boolean }) {
    const container = unpack<ParcelsMeta>(buffer, { kind: PARCELS_KIND, ...options });
    this.meta = container.meta;
    this.#columns = readColumns(container);
    this.#names = new DistrictNames(this.#columns);
  }

  districts(): readonly District[] {
    return (this.#districts ??= this.#readDistricts());
  }

  #readDistricts(): readonly District[] {
    const { codes, districts, boxes } = this.#columns;
    return Array.from({ length: districts.count - 1 }, (_, n) => {
      const [west = 0, south = 0, east = 0, north = 0] = boxes.subarray(4 * n + 4, 4 * n + 8);
      const box: Bounds | null = west > east ? null : [west, south, east, north];
      return { code: codes[n + 1]!, name: districts.at(n + 1), box };
    });
  }

  /** Boundary included (D44). */
  at(point: PointUtm32): readonly Parcel[] {
    const found: Parcel[] = [];
    for (const at of this.#columns.tree.at(point.xUtm32, point.yUtm32).sort((a, b) => a - b)) {
      const rings = this.#rings(at);
      if (ringsCover(rings, point)) found.push(this.#parcel(at, rings));
    }
    return found;
  }

  get count(): number {
    return this.#columns.number.length;
  }

  parcelAt(position: number): Parcel {
    return this.#parcel(position);
  }

  withNumber(districtCode: number, number: string): readonly Parcel[] {
    const spellings = spellingsOf(number);
    const ranges = this.#fitting(leadingOf(spellings[0]!), (text) => spellings.includes(text));
    return this.#names
      .withCode(districtCode)
      .flatMap((district) => Array.from(this.#within(district, ranges), (at) => this.#parcel(at)));
  }

  withBfe(bfe: number): readonly Parcel[] {
    const found: Parcel[] = [];
    const { bfe: all } = this.#columns;
    for (let at = all.indexOf(bfe + 1); at >= 0; at = all.indexOf(bfe + 1, at + 1)) {
      found.push(this.#parcel(at));
    }
    return found;
  }

  page({
    skip,
    take,
    districtCode,
    municipalityCodes = [],
    within,
  }: ParcelPage): readonly Parcel[] {
    const { starts, number, municipality, tree } = this.#columns;
    if (within !== undefined) {
      const places = tree.meeting(within.box).sort((a, b) => a - b);
      const found = places.filter((at) => within.meets(this.#rings(at)));
      return found.slice(skip, skip + take).map((at) => this.#parcel(at));
    }
    if (municipalityCodes.length > 0) {
      const wanted = new Set(municipalityCodes.map((code) => this.#names.municipality(code)));
      const found: number[] = [];
      for (let at = 0; at < municipality.length && found.length < skip + take; at++) {
        if (wanted.has(municipality[at]!)) found.push(at);
      }
      return found.slice(skip).map((at) => this.#parcel(at));
    }
    const ranges: readonly Range[] =
      districtCode === undefined
        ? [[0, number.length]]
        : this.#names.withCode(districtCode).map((n) => [starts[n]!, starts[n + 1]!]);
    const places = ranges.flatMap(([from, end]) =>
      Array.from({ length: Math.max(0, Math.min(end - from, skip + take)) }, (_, n) => from + n),
    );
    return places.slice(skip, skip + take).map((at) => this.#parcel(at));
  }

  search({ text, municipalityCodes, limit }: ParcelQuestion): ParcelsFound {
    const { municipality } = this.#columns;
    const wanted = new Set(municipalityCodes.map((code) => this.#names.municipality(code)));
    const isWanted = (at: number) => wanted.size === 0 || wanted.has(municipality[at]!);
    const holdsOne = (district: number) => wanted.size === 0 || this.#liesIn(district, wanted);
    const { isSpelt, readings } = this.#placed(text, holdsOne);
    const found = new Set<number>();
    let exact: number | undefined;
    for (const [isExact, positions] of this.#ranked(readings)) {
      for (const at of positions) {
        if (!isWanted(at)) continue;
        if (isExact && isSpelt) exact ??= at;
        found.add(at);
        if (found.size === limit) break;
      }
      if (found.size === limit) break;
    }
    const parcels = Array.from(found, (at) => this.#parcel(at));
    return { parcels, isExact: exact !== undefined };
  }

  /** Misspelt names only where no name matches as written. */
  #placed(text: string, isWanted: (district: number) => boolean) {
    const readings = readingsOf(text);
    const fitting = readings.map(({ words }) => this.#names.fitting(words));
    const isSpelt = fitting.some((districts) => districts.length > 0);
    const placed = readings.map((reading, n): PlacedReading => {
      const districts = isSpelt ? fitting[n]! : this.#names.near(reading.words);
      return { ...reading, districts: districts.filter(isWanted) };
    });
    return { isSpelt, readings: placed };
  }

  mayMean(text: string, { districtCode, number }: CalledParcel): boolean {
    return readingsOf(text).some(({ number: asked, words }) => {
      const isBegun = asked === null || number === '' || number.toLowerCase().startsWith(asked);
      return isBegun && this.#names.mayFit(words, districtCode);
    });
  }

  /**
   * Words that begin no district's name while others do. Empty: the text was understood, so nothing
   * is there.
   */
  notUnderstood(text: string): readonly string[] {
    const readings = readingsOf(text);
    if (readings.some(({ words }) => words.length > 0 && this.#isDistrict(words))) return [];
    const { words } = readings.filter(({ number }) => number !== null).at(-1) ?? readings.at(-1)!;
    const unknown = words.filter((word) => !this.#isDistrict([word]));
    const isMixed =
      unknown.length < words.length || unknown.some((word) => /^(?!\d+$).*\d/.test(word));
    return isMixed ? unknown : [];
  }

  #isDistrict(words: readonly string[]): boolean {
    return this.#names.fitting(words).length > 0 || this.#names.near(words).length > 0;
  }

  #liesIn(district: number, wanted: ReadonlySet<number>): boolean {
    const { municipalityStarts, inDistrict } = this.#columns;
    for (let n = municipalityStarts[district]!; n < municipalityStarts[district + 1]!; n++) {
      if (wanted.has(inDistrict[n]!)) return true;
    }
    return false;
  }

  /** Exact numbers, then prefixes, then whole districts. */
  *#ranked(readings: readonly PlacedReading[]) {
    for (const isExact of [true, false]) {
      for (const { number, districts } of readings) {
        if (number === null) continue;
        const ranges = isExact ? this.#exact(number) : this.#begun(number);
        if (ranges.length === 0) continue;
        for (const district of districts) yield [isExact, this.#within(district, ranges)] as const;
      }
    }
    for (const { number, districts, words } of readings) {
      if (number !== null || words.length === 0) continue;
      for (const district of districts) yield [false, this.#within(district, ALL)] as const;
    }
  }

  #exact(number: string): readonly Range[] {
    const spellings = spellingsOf(number);
    return this.#fitting(leadingOf(number), (text) => spellings.includes(text.toLowerCase()));
  }

  #begun(number: string): readonly Range[] {
    const leading = leadingOf(number);
    if (/\D/.test(number)) {
      return this.#fitting(leading, (text) => text.toLowerCase().startsWith(number));
    }
    const ranges = [this.#led(leading, leading + 1)];
    for (let scale = 10; leading * scale < MOST_LEADING; scale *= 10) {
      ranges.push(this.#led(leading * scale, (leading + 1) * scale));
    }
    return ranges.filter(([from, end]) => from < end);
  }

  #fitting(leading: number, isFit: (text: string) => boolean): readonly Range[] {
    const ranges: Range[] = [];
    const [from, end] = this.#led(leading, leading + 1);
    for (let n = from; n < end; n++)
      if (isFit(this.#columns.numbers.at(n))) ranges.push([n, n + 1]);
    return ranges;
  }

  #led(least: number, end: number): Range {
    const { leading } = this.#columns;
    const to = leading.length;
    const from = lowerBound({ from: 0, to }, (at) => leading[at]! < least);
    return [from, lowerBound({ from, to }, (at) => leading[at]! < end)];
  }

  *#within(district: number, ranges: readonly Range[]): Generator<number, undefined> {
    const { starts, number } = this.#columns;
    const span = { from: starts[district]!, to: starts[district + 1]! };
    for (const [from, end] of ranges) {
      let at = lowerBound(span, (each) => number[each]! < from);
      for (; at < span.to && number[at]! < end; at++) yield at;
    }
  }

  #parcel(at: number, rings = this.#rings(at)): Parcel {
    const { numbers, number, bfe, area, municipalities, municipality, districts, codes } =
      this.#columns;
    const district = this.#names.ofParcel(at);
    return {
      number: numbers.at(number[at]!) || null,
      districtCode: district === 0 ? null : codes[district]!,
      districtName: district === 0 ? null : districts.at(district),
      bfe: bfe[at] === 0 ? null : bfe[at]! - 1,
      area: area[at] === 0 ? null : area[at]! - 1,
      municipalityCode: municipality[at] === 0 ? null : municipalities.at(municipality[at]!),
      rings: rings.xy.length === 0 ? null : rings,
    };
  }

  #rings(at: number): RingSink {
    const { shapes, ends } = this.#columns;
    const sink = new RingSink(VERTICES);
    const start = at === 0 ? 0 : ends[at - 1]!;
    if (ends[at]! > start) unpackShape(shapes, start, sink);
    return sink;
  }
}

const VERTICES = 32;

/** Beyond every parcel number. */
const MOST_LEADING = 1e7;

type Range = readonly [number, number];
const ALL: readonly Range[] = [[0, Infinity]];

type PlacedReading = Reading & { readonly districts: readonly number[] };
