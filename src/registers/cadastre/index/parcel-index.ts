import { ringsCover } from '../../../geo/covers.ts';
import { boxOfPoint } from '../../../geo/box.ts';
import type { PointUtm32 } from '../../../geo/point.ts';
import { RingSink } from '../../../geo/wkb.ts';
import { unpack } from '../../../snapshot/format.ts';
import type { Container } from '../../../snapshot/format.ts';
import { offsetsMeeting } from '../../../snapshot/packed-tree.ts';
import { unpackTexts } from '../../../snapshot/texts.ts';
import { leadingOf, spellingsOf } from '../parcels.ts';
import type { Parcel } from '../parcels.ts';
import { DistrictNames } from './district-names.ts';
import { unpackShape } from './pack-shape.ts';
import { PARCELS_KIND } from './parcel-format.ts';
import type { ParcelsMeta } from './parcel-format.ts';
import { readingsOf } from './search-text.ts';
import type { Reading } from './search-text.ts';

export interface ParcelQuestion {
  readonly text: string;
  /** None: all. */
  readonly municipalityCodes: readonly string[];
  readonly limit: number;
}

export interface ParcelsFound {
  /** Best first. */
  readonly parcels: readonly Parcel[];
  /** Whether the first has the very number of the text. */
  readonly isExact: boolean;
}

type Columns = ReturnType<typeof readColumns>;

function readColumns(container: Container<ParcelsMeta>) {
  return {
    districts: unpackTexts(container, 'districts'),
    codes: container.floats('district.codes'),
    starts: container.words('district.starts'),
    numbers: unpackTexts(container, 'numbers'),
    leading: container.words('parcel.leading'),
    bfe: container.words('parcel.bfe'),
    area: container.words('parcel.area'),
    municipalities: unpackTexts(container, 'municipalities'),
    municipality: container.halves('parcel.municipality'),
    shapes: container.bytes('shape.bytes'),
    ends: container.words('shape.ends'),
    tree: container.bytes('tree'),
    items: container.words('tree.items'),
  };
}

export class ParcelIndex {
  readonly meta: ParcelsMeta;
  readonly #columns: Columns;
  readonly #names: DistrictNames;
  readonly #scratch = new RingSink();

  constructor(buffer: SharedArrayBuffer, options: { readonly verified: boolean }) {
    const container = unpack<ParcelsMeta>(buffer, { kind: PARCELS_KIND, ...options });
    this.meta = container.meta;
    this.#columns = readColumns(container);
    this.#names = new DistrictNames(this.#columns);
  }

  get count(): number {
    return this.#columns.leading.length;
  }

  /** Those that cover the point, in order (D44). */
  at(point: PointUtm32): readonly Parcel[] {
    const { tree, items } = this.#columns;
    return offsetsMeeting(tree, items[0]!, boxOfPoint(point, 0))
      .filter((at) => ringsCover(this.#unpackInto(this.#scratch, at), point))
      .sort((a, b) => a - b)
      .map((at) => this.#parcel(at));
  }

  withNumber(districtCode: number, number: string): readonly Parcel[] {
    const spellings = spellingsOf(number);
    const found: Parcel[] = [];
    for (const district of this.#names.withCode(districtCode)) {
      for (const at of this.#numbered(district, leadingOf(number.trim()))) {
        if (spellings.includes(this.#columns.numbers.at(at))) found.push(this.#parcel(at));
      }
    }
    return found;
  }

  search({ text, municipalityCodes, limit }: ParcelQuestion): ParcelsFound {
    const readings = readingsOf(text).map((reading) => ({
      ...reading,
      districts: this.#names.fitting(reading.words),
    }));
    const { municipality } = this.#columns;
    const wanted = new Set(municipalityCodes.map((code) => this.#names.municipality(code)));
    const isWanted = (at: number) => wanted.size === 0 || wanted.has(municipality[at]!);
    const found = new Set<number>();
    let exact: number | undefined;
    for (const [isExact, positions] of this.#ranked(readings)) {
      for (const at of positions) {
        if (!isWanted(at)) continue;
        if (isExact) exact ??= at;
        found.add(at);
        if (found.size === limit) break;
      }
      if (found.size === limit) break;
    }
    const parcels = Array.from(found, (at) => this.#parcel(at));
    return { parcels, isExact: exact !== undefined };
  }

  /** Exact numbers first, then those that begin so, then whole districts. */
  *#ranked(readings: readonly (Reading & { readonly districts: readonly number[] })[]) {
    for (const [rank, isExact] of [true, false].entries()) {
      for (const { number, districts } of readings) {
        if (number === null) continue;
        for (const district of districts) {
          yield [
            isExact,
            rank === 0 ? this.#exact(district, number) : this.#begun(district, number),
          ] as const;
        }
      }
    }
    for (const { number, districts, words } of readings) {
      if (number !== null || words.length === 0) continue;
      for (const district of districts)
        yield [false, this.#between(district, 0, Infinity)] as const;
    }
  }

  *#exact(district: number, number: string): Generator<number, undefined> {
    for (const at of this.#numbered(district, leadingOf(number))) {
      if (this.#columns.numbers.at(at).toLowerCase() === number) yield at;
    }
  }

  *#begun(district: number, number: string): Generator<number, undefined> {
    const leading = leadingOf(number);
    if (!/\D/.test(number)) {
      yield* this.#numbered(district, leading);
      for (let scale = 10; leading * scale < MOST_LEADING; scale *= 10) {
        yield* this.#between(district, leading * scale, (leading + 1) * scale);
      }
      return;
    }
    for (const at of this.#numbered(district, leading)) {
      if (this.#columns.numbers.at(at).toLowerCase().startsWith(number)) yield at;
    }
  }

  #numbered(district: number, leading: number): Iterable<number> {
    return this.#between(district, leading, leading + 1);
  }

  /** Positions of the parcels of a district whose leading number is from `least` to below `end`. */
  *#between(district: number, least: number, end: number): Generator<number, undefined> {
    const { starts, leading } = this.#columns;
    const last = starts[district + 1]!;
    let from = starts[district]!;
    for (let to = last; from < to;) {
      const middle = (from + to) >>> 1;
      if (leading[middle]! < least) from = middle + 1;
      else to = middle;
    }
    for (let at = from; at < last && leading[at]! < end; at++) yield at;
  }

  #parcel(at: number): Parcel {
    const { numbers, bfe, area, municipalities, municipality, districts, codes } = this.#columns;
    const district = this.#names.ofParcel(at);
    const rings = this.#unpackInto(new RingSink(), at);
    return {
      number: numbers.at(at) || null,
      districtCode: district === 0 ? null : codes[district]!,
      districtName: district === 0 ? null : districts.at(district),
      bfe: bfe[at] === 0 ? null : bfe[at]! - 1,
      area: area[at] === 0 ? null : area[at]! - 1,
      municipalityCode: municipality[at] === 0 ? null : municipalities.at(municipality[at]!),
      rings: rings.xy.length === 0 ? null : rings,
    };
  }

  #unpackInto(sink: RingSink, at: number): RingSink {
    const { shapes, ends } = this.#columns;
    for (const list of [sink.xy, sink.starts, sink.kinds]) list.length = 0;
    const start = at === 0 ? 0 : ends[at - 1]!;
    if (ends[at]! > start) unpackShape(shapes, start, sink);
    return sink;
  }
}

/** Beyond every number of a parcel. */
const MOST_LEADING = 1e7;
