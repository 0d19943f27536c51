/** Mapbox Vector Tile 2, what a page draws without a map library. */
import { PbfReader } from 'pbf';

export interface TileFeature {
  /** Of the tile's layers, which is which. */
  readonly layer: string;
  readonly kind: 'point' | 'line' | 'area';
  readonly properties: Readonly<Record<string, unknown>>;
  /** In parts of the tile: 0 to 1 from its north-west corner. */
  readonly rings: readonly (readonly (readonly [number, number])[])[];
}

interface RawFeature {
  type: number;
  tags: readonly number[];
  commands: readonly number[];
}

interface RawLayer {
  name: string;
  extent: number;
  readonly keys: string[];
  readonly values: unknown[];
  readonly features: RawFeature[];
}

const KINDS: Readonly<Record<number, TileFeature['kind']>> = { 1: 'point', 2: 'line', 3: 'area' };
const MOVE_TO = 1;
const CLOSE_PATH = 7;

export function readVectorTile(bytes: ArrayBuffer): readonly TileFeature[] {
  const layers: RawLayer[] = [];
  new PbfReader(bytes).readFields((tag, into, pbf) => {
    if (tag === 3) into.push(readLayer(pbf));
  }, layers);
  return layers.flatMap((layer) => layer.features.flatMap((raw) => featureOf(layer, raw)));
}

function readLayer(pbf: PbfReader): RawLayer {
  const layer: RawLayer = { name: '', extent: 4096, keys: [], values: [], features: [] };
  return pbf.readMessage((tag, into) => {
    if (tag === 1) into.name = pbf.readString();
    else if (tag === 2) into.features.push(readFeature(pbf));
    else if (tag === 3) into.keys.push(pbf.readString());
    else if (tag === 4) into.values.push(readValue(pbf));
    else if (tag === 5) into.extent = pbf.readVarint();
  }, layer);
}

function readFeature(pbf: PbfReader): RawFeature {
  const feature: RawFeature = { type: 0, tags: [], commands: [] };
  return pbf.readMessage((tag, into) => {
    if (tag === 2) into.tags = pbf.readPackedVarint();
    else if (tag === 3) into.type = pbf.readVarint();
    else if (tag === 4) into.commands = pbf.readPackedVarint();
  }, feature);
}

function readValue(pbf: PbfReader): unknown {
  const read = { value: null as unknown };
  pbf.readMessage((tag, into) => {
    if (tag === 1) into.value = pbf.readString();
    else if (tag === 2) into.value = pbf.readFloat();
    else if (tag === 3) into.value = pbf.readDouble();
    else if (tag === 4 || tag === 5) into.value = pbf.readVarint(tag === 4);
    else if (tag === 6) into.value = pbf.readSVarint();
    else if (tag === 7) into.value = pbf.readBoolean();
  }, read);
  return read.value;
}

function featureOf(layer: RawLayer, { type, tags, commands }: RawFeature): TileFeature[] {
  const kind = KINDS[type];
  if (kind === undefined) return [];
  const properties: Record<string, unknown> = {};
  for (let at = 0; at + 1 < tags.length; at += 2) {
    const key = layer.keys[tags[at] ?? -1];
    if (key !== undefined) properties[key] = layer.values[tags[at + 1] ?? -1];
  }
  return [{ layer: layer.name, kind, properties, rings: ringsOf(commands, layer.extent) }];
}

function ringsOf(commands: readonly number[], extent: number): TileFeature['rings'] {
  const rings: [number, number][][] = [];
  let [x, y] = [0, 0];
  for (let at = 0; at < commands.length;) {
    const word = commands[at++] ?? 0;
    const command = word & 7;
    if (command === CLOSE_PATH) continue;
    for (let left = word >> 3; left > 0 && at + 1 < commands.length; left--) {
      x += signed(commands[at++] ?? 0);
      y += signed(commands[at++] ?? 0);
      if (command === MOVE_TO) rings.push([]);
      rings.at(-1)?.push([x / extent, y / extent]);
    }
  }
  return rings;
}

function signed(value: number): number {
  return (value >>> 1) ^ -(value & 1);
}
