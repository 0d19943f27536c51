import { boxOf } from '../geo/box.ts';
import { hilbertPosition, HILBERT_SIDE } from '../geo/hilbert.ts';
import { growingBytes, growingFloats } from '../geo/growing.ts';
import { readWkb, RING, RingSink } from '../geo/wkb.ts';
import { compareTexts } from '../kernel/compare.ts';
import type { LayerId } from '../layers/keys.ts';
import { pack } from './format.ts';
import type { Section } from './format.ts';
import { GridBuilder } from './grid-build.ts';
import type { Grid } from './grid-layout.ts';
import { FEATURE, gridShape, MAX_FEATURES, RUN } from './grid.ts';
import type { GridShape } from './grid.ts';
import { LAYER_KIND } from './layer.ts';
import type { FeatureRecord, LayerMeta, LayerSnapshot } from './layer.ts';
import { AttributeColumns, packTexts } from './texts.ts';
import { matchZoneEdges } from './zone-edges.ts';

export interface SnapshotFeature extends FeatureRecord {
  /** EPSG:25832, polygons or lines. */
  readonly wkb: Uint8Array;
}

export interface SnapshotOptions {
  readonly layer: LayerId;
  readonly geometry: 'area' | 'line';
  readonly version: number;
}

/** Whole metres: best at national density (measured). */
const CELL_M = 250;

type OrderedGeometry = Pick<LayerSnapshot, 'xy' | 'ringStarts' | 'ringKinds' | 'featureRings'>;

export class LayerSnapshotBuilder {
  readonly #options: SnapshotOptions;
  readonly #rings = new RingSink();
  readonly #firstRing: number[] = [];
  readonly #keys: string[] = [];
  readonly #objectIds: string[] = [];
  readonly #flags = growingBytes();
  readonly #areas = growingFloats();
  readonly #columns = new AttributeColumns();
  readonly #zoneEdges = new RingSink();
  #hasZones = false;

  constructor(options: SnapshotOptions) {
    this.#options = options;
  }

  /** Throws where the geometry is not of the layer's kind. */
  add(feature: SnapshotFeature): void {
    if (this.#keys.length === MAX_FEATURES) throw new Error('A layer has too many features.');
    this.#firstRing.push(this.#rings.kinds.length);
    readWkb(feature.wkb, this.#rings);
    this.#refuseWrongKind(feature.key);
    this.#keys.push(feature.key);
    this.#objectIds.push(feature.objectId);
    const repealed = feature.standing === 'repealed' ? FEATURE.repealed : 0;
    this.#flags.push(repealed | (feature.adopted ? FEATURE.adopted : 0));
    this.#areas.push(feature.areaM2 ?? Number.NaN);
    this.#columns.add(feature.attributes);
  }

  /** `wkb`: any line geometry (line_zone_edge). */
  addZoneEdge(wkb: Uint8Array): void {
    this.#hasZones = true;
    readWkb(wkb, this.#zoneEdges);
  }

  /** Zone edges were read, even if there were none. */
  withZones(): this {
    this.#hasZones = true;
    return this;
  }

  finish(): SharedArrayBuffer {
    const order = this.#hilbertOrder();
    const geometry = this.#layGeometry(order);
    const inForce = new Uint8Array(order.length);
    const flags = new Uint8Array(order.length);
    for (const [i, from] of order.entries()) {
      flags[i] = this.#flags.items[from]!;
      inForce[i] = (flags[i] & FEATURE.repealed) === 0 ? 1 : 0;
    }
    const zoned = matchZoneEdges(geometry, inForce, this.#zoneEdges);
    const shape = gridShape(boxOf(zoned.xy), CELL_M);
    const grid = this.#buildGrid({ shape, flags, ...geometry, ...zoned });
    const columns = this.#columns.pack(order);
    const keysAreObjectIds = this.#keys.every((key, i) => key === this.#objectIds[i]);
    const meta: LayerMeta = {
      layer: this.#options.layer,
      geometry: this.#options.geometry,
      version: this.#options.version,
      grid: shape,
      columns: columns.names,
      keysAreObjectIds,
      featureCount: order.length,
      vertexCount: geometry.xy.length / 2,
      hasZones: this.#hasZones,
    };
    const sections: Record<string, Section> = {
      blocks: grid.blocks,
      tables: grid.tables,
      lists: grid.lists,
      featureFlags: flags,
      featureRank: this.#ranks(order),
      featureRings: geometry.featureRings,
      ringStarts: zoned.ringStarts,
      ringKinds: geometry.ringKinds,
      zoneBits: zoned.zoneBits,
      xy: zoned.xy,
      areas: Float64Array.from(order, (from) => this.#areas.items[from]!),
      ...packTexts('objectIds', pick(this.#objectIds, order)),
      ...(keysAreObjectIds ? {} : packTexts('keys', pick(this.#keys, order))),
      ...columns.sections,
    };
    return pack(LAYER_KIND, meta, sections);
  }

  #refuseWrongKind(key: string): void {
    const { kinds, starts, xy } = this.#rings;
    for (let r = this.#firstRing.at(-1)!; r < kinds.length; r++) {
      const isArea = kinds.items[r] === RING.shell || kinds.items[r] === RING.hole;
      if (isArea !== (this.#options.geometry === 'area') || kinds.items[r] === RING.point) {
        throw new Error(`Feature ${key} has geometry of another kind than its layer.`);
      }
      if (!isArea) continue;
      const first = 2 * starts.items[r]!;
      const last = r + 1 < kinds.length ? 2 * starts.items[r + 1]! - 2 : xy.length - 2;
      if (xy.items[first] !== xy.items[last] || xy.items[first + 1] !== xy.items[last + 1]) {
        throw new Error(`Feature ${key} has a ring that is not closed.`);
      }
    }
  }

  #vertexRange(feature: number): [number, number] {
    const { starts, kinds, xy } = this.#rings;
    const vertexOf = (ring: number): number =>
      ring < kinds.length ? starts.items[ring]! : xy.length / 2;
    return [vertexOf(this.#firstRing[feature]!), vertexOf(this.#ringsEnd(feature))];
  }

  #ringsEnd(feature: number): number {
    return this.#firstRing[feature + 1] ?? this.#rings.kinds.length;
  }

  #hilbertOrder(): Uint32Array {
    const count = this.#keys.length;
    const { minX, minY, maxX, maxY } = boxOf(this.#rings.xy.view());
    const scale = (HILBERT_SIDE - 1) / Math.max(maxX - minX, maxY - minY, 1);
    const sortable = new Float64Array(count);
    for (let f = 0; f < count; f++) {
      const [from, to] = this.#vertexRange(f);
      const box = boxOf(this.#rings.xy.items.subarray(2 * from, 2 * to));
      const column = ((box.minX + box.maxX) / 2 - minX) * scale;
      const row = ((box.minY + box.maxY) / 2 - minY) * scale;
      // 30 bits of position above 22 of number: exact in a double. Empty geometry goes first.
      const position = from === to ? 0 : hilbertPosition(column, row);
      sortable[f] = position * (MAX_FEATURES + 1) + f;
    }
    return Uint32Array.from(sortable.sort(), (value) => value % (MAX_FEATURES + 1));
  }

  #layGeometry(order: Uint32Array): OrderedGeometry {
    const { xy, kinds, starts } = this.#rings;
    const geometry: OrderedGeometry = {
      xy: new Float64Array(xy.length),
      ringStarts: new Uint32Array(kinds.length + 1),
      ringKinds: new Uint8Array(kinds.length),
      featureRings: new Uint32Array(order.length + 1),
    };
    let ring = 0;
    let vertex = 0;
    for (const [i, feature] of order.entries()) {
      geometry.featureRings[i] = ring;
      const [from, to] = this.#vertexRange(feature);
      for (let r = this.#firstRing[feature]!; r < this.#ringsEnd(feature); r++) {
        geometry.ringStarts[ring] = vertex + starts.items[r]! - from;
        geometry.ringKinds[ring] = kinds.items[r]!;
        ring += 1;
      }
      geometry.xy.set(xy.items.subarray(2 * from, 2 * to), 2 * vertex);
      vertex += to - from;
    }
    geometry.featureRings[order.length] = ring;
    geometry.ringStarts[ring] = vertex;
    return geometry;
  }

  #buildGrid(
    input: OrderedGeometry & {
      readonly shape: GridShape;
      readonly flags: Uint8Array;
      readonly zoneBits: Uint32Array;
    },
  ): Grid {
    const { shape, xy, ringStarts, featureRings, flags, zoneBits } = input;
    const builder = new GridBuilder(shape, xy, zoneBits);
    const isArea = this.#options.geometry === 'area';
    for (let f = 0; f < flags.length; f++) {
      let word = f;
      if ((flags[f]! & FEATURE.repealed) !== 0) word |= RUN.repealed;
      if ((flags[f]! & FEATURE.adopted) !== 0) word |= RUN.adopted;
      const rings = ringStarts.subarray(featureRings[f], featureRings[f + 1]! + 1);
      builder.add(word >>> 0, rings, isArea);
    }
    for (let r = featureRings[flags.length]!; r + 1 < ringStarts.length; r++) {
      builder.add(RUN.zoneOnly, ringStarts.subarray(r, r + 2), false);
    }
    return builder.finish();
  }

  #ranks(order: Uint32Array): Uint32Array {
    const ids = this.#objectIds;
    const keys = this.#keys;
    const sorted = Array.from(order, (_, i) => i).sort((a, b) => {
      const [from, to] = [order[a]!, order[b]!];
      return compareTexts(ids[from]!, ids[to]!) || compareTexts(keys[from]!, keys[to]!);
    });
    const ranks = new Uint32Array(order.length);
    for (const [rank, i] of sorted.entries()) ranks[i] = rank;
    return ranks;
  }
}

function* pick(texts: readonly string[], order: Uint32Array): Generator<string> {
  for (const from of order) yield texts[from]!;
}
