/** Reads back the FlatGeobuf files of `flatgeobuf-write.ts`: the way to rebuild a lost snapshot. */
import { ByteBuffer } from 'flatbuffers';
import { ColumnType } from 'flatgeobuf/lib/mjs/flat-geobuf/column-type.js';
import { Feature } from 'flatgeobuf/lib/mjs/flat-geobuf/feature.js';
import type { Geometry } from 'flatgeobuf/lib/mjs/flat-geobuf/geometry.js';
import { Header } from 'flatgeobuf/lib/mjs/flat-geobuf/header.js';
import { multiLineWkb, multiPolygonWkb } from '../geo/wkb.ts';
import type { FlatRing } from '../geo/wkb.ts';
import type { LayerId } from '../layers/keys.ts';
import type { SnapshotFeature } from './build-layer.ts';
import { FGB_MAGIC, OWN_COLUMNS } from './flatgeobuf-write.ts';
import { SnapshotRefused } from './format.ts';
import { treeBytes } from './packed-tree.ts';

export interface FlatGeobufLayer {
  readonly layer: LayerId;
  readonly geometry: 'area' | 'line';
  readonly version: number;
  readonly featureCount: number;
  /** In file order. Throws SnapshotRefused when the file ends early. */
  features(): Generator<SnapshotFeature>;
}

interface FileColumn {
  readonly name: string;
  readonly type: ColumnType;
}

/** Throws SnapshotRefused for what is not one of our files. */
export function readFlatGeobuf(bytes: Uint8Array): FlatGeobufLayer {
  if (FGB_MAGIC.some((byte, i) => bytes[i] !== byte)) {
    throw new SnapshotRefused('it is not a FlatGeobuf file');
  }
  const headerBytes = sizeAt(bytes, FGB_MAGIC.length);
  const header = Header.getSizePrefixedRootAsHeader(
    new ByteBuffer(bytes.subarray(FGB_MAGIC.length, FGB_MAGIC.length + 4 + headerBytes)),
  );
  const featureCount = Number(header.featuresCount());
  const metadata = JSON.parse(header.metadata() ?? '{}') as Partial<FlatGeobufLayer>;
  const { layer, geometry, version } = metadata;
  if (layer === undefined || geometry === undefined || version === undefined) {
    throw new SnapshotRefused('it does not say which layer it is');
  }
  const columns: FileColumn[] = [];
  for (let i = 0; i < header.columnsLength(); i++) {
    const column = header.columns(i);
    columns.push({ name: column?.name() ?? '', type: column?.type() ?? ColumnType.String });
  }
  const start = FGB_MAGIC.length + 4 + headerBytes + treeBytes(featureCount);
  function* features(): Generator<SnapshotFeature> {
    let at = start;
    for (let i = 0; i < featureCount; i++) {
      const end = at + 4 + sizeAt(bytes, at);
      // Coordinates are read in place, which needs them aligned: each feature is copied out first.
      const table = new ByteBuffer(new Uint8Array(bytes.subarray(at, end)));
      yield readFeature(Feature.getSizePrefixedRootAsFeature(table), columns, geometry);
      at = end;
    }
  }
  return { layer, geometry, version, featureCount, features };
}

function sizeAt(bytes: Uint8Array, at: number): number {
  if (at + 4 > bytes.length) throw new SnapshotRefused('it is cut off');
  const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(at, true);
  if (at + 4 + size > bytes.length) throw new SnapshotRefused('it is cut off');
  return size;
}

function readFeature(
  feature: Feature,
  columns: readonly FileColumn[],
  geometry: 'area' | 'line' | undefined,
): SnapshotFeature {
  const values = readProperties(feature.propertiesArray() ?? new Uint8Array(), columns);
  const attributes: [string, unknown][] = [];
  for (const { name, type } of columns.slice(OWN_COLUMNS.length)) {
    const value = values.get(name);
    if (type === ColumnType.String) attributes.push([name, value ?? null]);
    else if (value !== undefined) attributes.push([name, JSON.parse(String(value))]);
  }
  const shape = feature.geometry();
  return {
    key: String(values.get('key')),
    objectId: String(values.get('objectId')),
    standing: values.get('standing') === 'repealed' ? 'repealed' : 'in_force',
    adopted: values.get('adopted') === true,
    areaM2: (values.get('areaM2') as number | undefined) ?? null,
    attributes: JSON.stringify(Object.fromEntries(attributes)),
    wkb: geometry === 'line' ? multiLineWkb(ringsOf(shape)) : multiPolygonWkb(polygonsOf(shape)),
  };
}

function readProperties(
  bytes: Uint8Array,
  columns: readonly FileColumn[],
): Map<string, string | number | boolean> {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values = new Map<string, string | number | boolean>();
  for (let at = 0; at < view.length;) {
    const column = columns[view.readUInt16LE(at)];
    if (column === undefined) throw new SnapshotRefused('a feature has a column of no name');
    at += 2;
    if (column.type === ColumnType.Double) {
      values.set(column.name, view.readDoubleLE(at));
      at += 8;
    } else if (column.type === ColumnType.Bool) {
      values.set(column.name, view[at] === 1);
      at += 1;
    } else {
      const length = view.readUInt32LE(at);
      values.set(column.name, view.toString('utf8', at + 4, at + 4 + length));
      at += 4 + length;
    }
  }
  return values;
}

function polygonsOf(geometry: Geometry | null): FlatRing[][] {
  const polygons: FlatRing[][] = [];
  for (let i = 0; geometry !== null && i < geometry.partsLength(); i++) {
    polygons.push(ringsOf(geometry.parts(i)));
  }
  return polygons;
}

function ringsOf(geometry: Geometry | null): FlatRing[] {
  if (geometry === null) return [];
  const xy = geometry.xyArray() ?? new Float64Array();
  const ends = geometry.endsArray() ?? Uint32Array.of(xy.length / 2);
  let from = 0;
  return Array.from(ends, (to) => {
    const ring = xy.slice(2 * from, 2 * to);
    from = to;
    return ring;
  });
}
