/** In the snapshot's order, a column per attribute. */
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { Builder } from 'flatbuffers';
import { ColumnType } from 'flatgeobuf/lib/mjs/flat-geobuf/column-type.js';
import { Column } from 'flatgeobuf/lib/mjs/flat-geobuf/column.js';
import { Crs } from 'flatgeobuf/lib/mjs/flat-geobuf/crs.js';
import { Feature } from 'flatgeobuf/lib/mjs/flat-geobuf/feature.js';
import { GeometryType } from 'flatgeobuf/lib/mjs/flat-geobuf/geometry-type.js';
import { Geometry } from 'flatgeobuf/lib/mjs/flat-geobuf/geometry.js';
import { Header } from 'flatgeobuf/lib/mjs/flat-geobuf/header.js';
import { RING } from '../geo/wkb.ts';
import { ATTRIBUTE_NAMES } from '../layers/attribute-names.ts';
import type { LineAttributes } from '../layers/feature.ts';
import { boundsOfXy } from '../geo/bounds.ts';
import { boxOfFeature } from './feature-box.ts';
import { replaceFile } from '../kernel/replace-file.ts';
import type { FeatureRecord, LayerSnapshot } from './layer.ts';
import { buildTree, NODE_SIZE, treeBytes } from './packed-tree.ts';
import type { ColumnView } from './texts.ts';

/** "fgb", major version 3, again, patch 1. */
const FGB_MAGIC = Uint8Array.of(0x66, 0x67, 0x62, 3, 0x66, 0x67, 0x62, 1);

/** ISO 8601 UTC. */
const INSTANTS: ReadonlySet<string> = new Set<keyof LineAttributes>(['validFrom', 'registeredAt']);

const EPSG = 25832;
const PIECE_BYTES = 4 * 1024 * 1024;

interface FileColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** null: omitted, which readers show as null. */
  valueOf(feature: number, record: FeatureRecord): string | number | boolean | null;
}

/** Replaces the file atomically. */
export async function writeFlatGeobuf(path: string, snapshot: LayerSnapshot): Promise<void> {
  const columns = fileColumns(snapshot);
  const count = snapshot.meta.featureCount;
  await replaceFile(path, async (temporary) => {
    await using file = await open(temporary, 'w');
    const header = encodeHeader(snapshot, columns);
    const start = FGB_MAGIC.length + header.length + treeBytes(count);
    const { boxes, offsets } = await writeFeatures(file, start, { snapshot, columns });
    await file.write(FGB_MAGIC, 0, FGB_MAGIC.length, 0);
    await file.write(header, 0, header.length, FGB_MAGIC.length);
    const tree = buildTree(boxes, offsets);
    await file.write(tree, 0, tree.length, FGB_MAGIC.length + header.length);
    await file.sync();
  });
}

interface Content {
  readonly snapshot: LayerSnapshot;
  readonly columns: readonly FileColumn[];
}

async function writeFeatures(
  file: FileHandle,
  start: number,
  content: Content,
): Promise<{ boxes: Float64Array; offsets: Float64Array }> {
  const count = content.snapshot.meta.featureCount;
  const boxes = new Float64Array(4 * count);
  const offsets = new Float64Array(count);
  let piece: Uint8Array[] = [];
  let pieceBytes = 0;
  let at = 0;
  const flush = async (): Promise<void> => {
    await file.write(Buffer.concat(piece), 0, pieceBytes, start + at - pieceBytes);
    piece = [];
    pieceBytes = 0;
  };
  for (let feature = 0; feature < count; feature++) {
    offsets[feature] = at;
    boxes.set(boxOfFeature(content.snapshot, feature), 4 * feature);
    const bytes = encodeFeature(content, feature);
    piece.push(bytes);
    pieceBytes += bytes.length;
    at += bytes.length;
    if (pieceBytes >= PIECE_BYTES) await flush();
  }
  await flush();
  return { boxes, offsets };
}

function encodeHeader(snapshot: LayerSnapshot, columns: readonly FileColumn[]): Uint8Array {
  const { meta } = snapshot;
  const builder = new Builder(1024);
  const name = builder.createString(meta.layer);
  const description = builder.createString(`Layer ${meta.layer}, version ${meta.version}`);
  const metadata = builder.createString(
    JSON.stringify({ layer: meta.layer, geometry: meta.geometry, version: meta.version }),
  );
  const columnsVector = Header.createColumnsVector(
    builder,
    columns.map((column) => encodeColumn(builder, column)),
  );
  const envelope = Header.createEnvelopeVector(builder, [
    ...boundsOfXy(snapshot.xy.subarray(0, 2 * meta.vertexCount)),
  ]);
  const crs = encodeCrs(builder);
  Header.startHeader(builder);
  Header.addName(builder, name);
  Header.addEnvelope(builder, envelope);
  Header.addGeometryType(
    builder,
    meta.geometry === 'line' ? GeometryType.MultiLineString : GeometryType.MultiPolygon,
  );
  Header.addColumns(builder, columnsVector);
  Header.addFeaturesCount(builder, BigInt(meta.featureCount));
  Header.addIndexNodeSize(builder, meta.featureCount === 0 ? 0 : NODE_SIZE);
  Header.addCrs(builder, crs);
  Header.addDescription(builder, description);
  Header.addMetadata(builder, metadata);
  Header.finishSizePrefixedHeaderBuffer(builder, Header.endHeader(builder));
  return builder.asUint8Array();
}

function encodeColumn(builder: Builder, { name, type }: FileColumn): number {
  const text = builder.createString(name);
  Column.startColumn(builder);
  Column.addName(builder, text);
  Column.addType(builder, type);
  return Column.endColumn(builder);
}

function encodeCrs(builder: Builder): number {
  const org = builder.createString('EPSG');
  const name = builder.createString('ETRS89 / UTM zone 32N');
  Crs.startCrs(builder);
  Crs.addOrg(builder, org);
  Crs.addCode(builder, EPSG);
  Crs.addName(builder, name);
  return Crs.endCrs(builder);
}

function encodeFeature({ snapshot, columns }: Content, feature: number): Uint8Array {
  const builder = new Builder(1024);
  const geometry = encodeGeometry(builder, snapshot, feature);
  const properties = Feature.createPropertiesVector(
    builder,
    encodeProperties(columns, feature, snapshot.feature(feature)),
  );
  Feature.startFeature(builder);
  if (geometry !== 0) Feature.addGeometry(builder, geometry);
  Feature.addProperties(builder, properties);
  Feature.finishSizePrefixedFeatureBuffer(builder, Feature.endFeature(builder));
  return builder.asUint8Array();
}

/** MultiPolygon or MultiLineString; 0 for an empty geometry, which the format omits. */
function encodeGeometry(builder: Builder, snapshot: LayerSnapshot, feature: number): number {
  const { featureRings, ringStarts, ringKinds } = snapshot;
  const first = featureRings[feature]!;
  const end = featureRings[feature + 1]!;
  if (first === end) return 0;
  if (snapshot.meta.geometry === 'line') {
    return encodePart(builder, snapshot, { first, end, type: GeometryType.MultiLineString });
  }
  const parts: number[] = [];
  for (let ring = first; ring < end;) {
    let next = ring + 1;
    while (next < end && ringKinds[next] === RING.hole) next += 1;
    const hasVertices = ringStarts[next]! > ringStarts[ring]!;
    if (hasVertices) {
      const type = GeometryType.Polygon;
      parts.push(encodePart(builder, snapshot, { first: ring, end: next, type }));
    }
    ring = next;
  }
  const vector = Geometry.createPartsVector(builder, parts);
  Geometry.startGeometry(builder);
  Geometry.addType(builder, GeometryType.MultiPolygon);
  Geometry.addParts(builder, vector);
  return Geometry.endGeometry(builder);
}

function encodePart(
  builder: Builder,
  { xy, ringStarts }: LayerSnapshot,
  { first, end, type }: { first: number; end: number; type: GeometryType },
): number {
  const from = ringStarts[first]!;
  const to = ringStarts[end]!;
  const ends: number[] = [];
  for (let ring = first + 1; ring <= end; ring++) ends.push(ringStarts[ring]! - from);
  // GDAL needs the ends of lines even for one.
  const needsEnds = ends.length > 1 || type === GeometryType.MultiLineString;
  const endsVector = needsEnds ? Geometry.createEndsVector(builder, ends) : 0;
  const xyVector = Geometry.createXyVector(builder, xy.subarray(2 * from, 2 * to));
  Geometry.startGeometry(builder);
  if (endsVector !== 0) Geometry.addEnds(builder, endsVector);
  Geometry.addXy(builder, xyVector);
  Geometry.addType(builder, type);
  return Geometry.endGeometry(builder);
}

/** Column number (two bytes) and value; null is omitted. */
function encodeProperties(
  columns: readonly FileColumn[],
  feature: number,
  record: FeatureRecord,
): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const [number, column] of columns.entries()) {
    const value = column.valueOf(feature, record);
    if (value === null) continue;
    const text = typeof value === 'string' ? Buffer.from(value) : null;
    const head = Buffer.alloc(text === null ? (typeof value === 'number' ? 10 : 3) : 6);
    head.writeUInt16LE(number, 0);
    if (typeof value === 'number') head.writeDoubleLE(value, 2);
    else if (text === null) head[2] = value === true ? 1 : 0;
    else head.writeUInt32LE(text.length, 2);
    parts.push(head);
    if (text !== null) parts.push(text);
  }
  return Buffer.concat(parts);
}

function fileColumns(snapshot: LayerSnapshot): FileColumn[] {
  const isInForce = (_: number, { standing }: FeatureRecord) => standing === 'in_force';
  const columns: FileColumn[] = [
    { name: 'noegle', type: ColumnType.String, valueOf: (_, { key }) => key },
    { name: 'objekt_id', type: ColumnType.String, valueOf: (_, { objectId }) => objectId },
    { name: 'i_kraft', type: ColumnType.Bool, valueOf: isInForce },
    { name: 'vedtaget', type: ColumnType.Bool, valueOf: (_, { adopted }) => adopted },
    { name: 'areal_m2', type: ColumnType.Double, valueOf: (_, { areaM2 }) => areaM2 },
    ...snapshot.columns.map((column) => attributeColumn(snapshot, column)),
  ];
  if (new Set(columns.map(({ name }) => name)).size < columns.length) {
    throw new Error(`Two columns of ${snapshot.meta.layer} have one name.`);
  }
  return columns;
}

/**
 * A column of other values than text, or missing in some features, is JSON with explicit nulls, so
 * that reading restores the original.
 */
function attributeColumn(
  { meta }: LayerSnapshot,
  { name: attribute, values, codes }: ColumnView,
): FileColumn {
  const name = ATTRIBUTE_NAMES[attribute] ?? attribute;
  let isText = true;
  for (let code = 1; code < values.count; code++) {
    const first = values.at(code)[0];
    if (first !== '"' && first !== 'n') isText = false;
  }
  for (let feature = 0; feature < meta.featureCount; feature++) {
    if (codes[feature] === 0) isText = false;
  }
  if (isText) {
    const valueOf = (feature: number): string | null =>
      JSON.parse(values.at(codes[feature]!)) as string | null;
    const type = INSTANTS.has(attribute) ? ColumnType.DateTime : ColumnType.String;
    return { name, type, valueOf };
  }
  const valueOf = (feature: number): string | null => values.at(codes[feature]!) || null;
  return { name, type: ColumnType.Json, valueOf };
}
