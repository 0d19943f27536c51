/** JSON of rings (D43): WGS84 with 7 decimals, EPSG:25832 with 2, oriented as in RFC 7946. */
import { growingBytes } from './growing.ts';
import { toWgs84All } from './project.ts';
import { signedRingArea } from './ring-area.ts';
import { RING, ringsOfWkb, wkbType } from './wkb.ts';
import type { RingSink } from './wkb.ts';

/** `geometri`, from WKB in EPSG:25832. */
export function areaGeometryJson(wkb: Uint8Array): Uint8Array {
  const { writer, xy, lonLat } = writing(ringsOfWkb(wkb));
  writer.text('{"type":"MultiPolygon","coordinates":');
  writer.multiPolygon(lonLat, 7);
  writer.text(',"epsg25832_rings":');
  writer.multiPolygon(xy, 2);
  writer.text('}');
  return writer.bytes();
}

/** As GeoJSON (D90). */
export function multiPolygonText(rings: RingSink, srid: 4326 | 25832 = 4326): string {
  const { writer, xy, lonLat } = writing(rings);
  writer.text('{"type":"MultiPolygon","coordinates":');
  if (srid === 4326) writer.multiPolygon(lonLat, 7);
  else writer.multiPolygon(xy, 2);
  writer.text('}');
  const { buffer, byteOffset, length } = writer.bytes();
  return Buffer.from(buffer, byteOffset, length).toString('latin1');
}

/** Any geometry but a collection as GeoJSON (D121), areas by the right-hand rule. */
export function geometryJson(wkb: Uint8Array, srid: 4326 | 25832 = 4326): Uint8Array {
  const { writer, xy, lonLat } = writing(ringsOfWkb(wkb));
  const type = wkbType(wkb);
  const name = GEOJSON_TYPES[type];
  if (name === undefined) throw new Error(`A geometry of type ${type} is no single kind.`);
  writer.text(`{"type":"${name}","coordinates":`);
  if (srid === 4326) writer.coordinates(name, lonLat, 7);
  else writer.coordinates(name, xy, 2);
  writer.text('}');
  return writer.bytes();
}

const GEOJSON_TYPES = [
  ...([undefined, 'Point', 'LineString', 'Polygon'] as const),
  ...(['MultiPoint', 'MultiLineString', 'MultiPolygon'] as const),
] as const;
type GeoJsonType = Exclude<(typeof GEOJSON_TYPES)[number], undefined>;

function writing(rings: RingSink) {
  const xy = rings.xy.view();
  const lonLat = new Float64Array(xy.length);
  toWgs84All(xy, lonLat);
  const writer = new RingWriter(vertexOrder(rings), xy.length / 2);
  return { writer, xy, lonLat };
}

interface OrderedRing {
  readonly isArea: boolean;
  readonly isShell: boolean;
  readonly from: number;
  readonly to: number;
  readonly backwards: boolean;
}

function vertexOrder(rings: RingSink): readonly OrderedRing[] {
  const xy = rings.xy.view();
  const starts = rings.starts.view();
  return Array.from(rings.kinds.view(), (kind, ring) => {
    const from = starts[ring] ?? 0;
    const to = starts[ring + 1] ?? xy.length / 2;
    const isShell = kind === RING.shell;
    const isArea = isShell || kind === RING.hole;
    // Points and lines keep the register's direction.
    const backwards = isArea && signedRingArea(xy, from, to) > 0 !== isShell;
    return { isArea, isShell, from, to, backwards };
  });
}

const VERTEX_BYTES = 26;
const FRAME_BYTES = 128;

class RingWriter {
  readonly #out;
  readonly #order: readonly OrderedRing[];
  readonly #digits = new Uint8Array(24);

  constructor(order: readonly OrderedRing[], vertices: number) {
    this.#out = growingBytes(FRAME_BYTES + VERTEX_BYTES * vertices);
    this.#order = order;
  }

  bytes(): Uint8Array {
    return this.#out.view();
  }

  text(ascii: string): void {
    for (let n = 0; n < ascii.length; n++) this.#out.push(ascii.charCodeAt(n));
  }

  multiPolygon(pairs: Float64Array, decimals: number): void {
    this.text('[');
    this.#polygons(pairs, decimals);
    this.text(']');
  }

  coordinates(type: GeoJsonType, pairs: Float64Array, decimals: number): void {
    if (type.startsWith('Multi')) this.text('[');
    if (type.endsWith('Polygon')) this.#polygons(pairs, decimals);
    else {
      this.#order.forEach((ring, n) => {
        if (n > 0) this.text(',');
        if (type.endsWith('Point')) this.#positions(pairs, ring, decimals);
        else this.#ring(pairs, ring, decimals);
      });
    }
    if (type.startsWith('Multi')) this.text(']');
  }

  #polygons(pairs: Float64Array, decimals: number): void {
    this.#order.forEach((ring, n) => {
      if (!ring.isArea) throw new Error('An area is made of polygons.');
      if (n > 0) this.text(ring.isShell ? '],' : ',');
      if (ring.isShell) this.text('[');
      this.#ring(pairs, ring, decimals);
    });
    if (this.#order.length > 0) this.text(']');
  }

  #ring(pairs: Float64Array, ring: OrderedRing, decimals: number): void {
    this.text('[');
    this.#positions(pairs, ring, decimals);
    this.text(']');
  }

  #positions(pairs: Float64Array, { from, to, backwards }: OrderedRing, decimals: number): void {
    for (let n = from; n < to; n++) {
      const vertex = backwards ? to - 1 - (n - from) : n;
      this.text(n > from ? ',[' : '[');
      this.#number(pairs[2 * vertex] ?? Number.NaN, decimals);
      this.text(',');
      this.#number(pairs[2 * vertex + 1] ?? Number.NaN, decimals);
      this.text(']');
    }
  }

  /** Without trailing zeros; never "-0". */
  #number(value: number, decimals: number): void {
    const scaled = Math.round(Math.abs(value) * 10 ** decimals);
    if (!Number.isSafeInteger(scaled)) throw new Error('A vertex is not a finite coordinate.');
    if (value < 0 && scaled > 0) this.#out.push(0x2d);
    let count = 0;
    let rest = scaled;
    let wanted = decimals;
    for (; wanted > 0 && rest % 10 === 0; wanted--) rest /= 10;
    for (let n = 0; n < wanted; n++) {
      this.#digits[count++] = 0x30 + (rest % 10);
      rest = Math.floor(rest / 10);
    }
    if (wanted > 0) this.#digits[count++] = 0x2e;
    do {
      this.#digits[count++] = 0x30 + (rest % 10);
      rest = Math.floor(rest / 10);
    } while (rest > 0);
    while (count > 0) this.#out.push(this.#digits[--count] ?? 0);
  }
}
