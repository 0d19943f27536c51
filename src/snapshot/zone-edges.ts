/**
 * Edges of dissolved zones (D27): those of features are marked by a bit; only edges that the union
 * created are stored.
 */
import { growingFloats, growingWords } from '../geo/growing.ts';
import type { RingSink } from '../geo/wkb.ts';
import type { LayerSnapshot } from './layer.ts';

type Rings = Pick<LayerSnapshot, 'xy' | 'ringStarts' | 'featureRings'>;

export type ZonedRings = Pick<LayerSnapshot, 'xy' | 'ringStarts' | 'zoneBits'>;

export function matchZoneEdges(rings: Rings, inForce: Uint8Array, zones: RingSink): ZonedRings {
  const own = rings.xy.length / 2;
  // Unmatched edges may repeat their first vertex: at most twice the input vertices.
  const zoneBits = new Uint32Array(((own + zones.xy.length) >>> 5) + 1);
  if (zones.xy.length === 0) return { xy: rings.xy, ringStarts: rings.ringStarts, zoneBits };
  const known = indexEdges(rings, inForce);
  const extra: Extra = { xy: growingFloats(), starts: growingWords() };
  const zoneXy = zones.xy.view();
  for (let r = 0; r < zones.kinds.length; r++) {
    const end = r + 1 < zones.kinds.length ? zones.starts.items[r + 1]! : zoneXy.length / 2;
    let isOpen = false;
    for (let v = zones.starts.items[r]!; v + 1 < end; v++) {
      const edge = known.find(zoneXy, v);
      if (edge >= 0) {
        mark(zoneBits, edge);
        isOpen = false;
        continue;
      }
      if (!isOpen) {
        extra.starts.push(own + extra.xy.length / 2);
        extra.xy.append(zoneXy.subarray(2 * v, 2 * v + 2));
        isOpen = true;
      }
      mark(zoneBits, own + extra.xy.length / 2 - 1);
      extra.xy.append(zoneXy.subarray(2 * v + 2, 2 * v + 4));
    }
  }
  return { ...append(rings, extra), zoneBits };
}

interface Extra {
  readonly xy: ReturnType<typeof growingFloats>;
  readonly starts: ReturnType<typeof growingWords>;
}

function mark(bits: Uint32Array, edge: number): void {
  bits[edge >>> 5]! |= 1 << (edge & 31);
}

function append({ xy, ringStarts }: Rings, extra: Extra): Omit<ZonedRings, 'zoneBits'> {
  const joined = new Float64Array(xy.length + extra.xy.length);
  joined.set(xy);
  joined.set(extra.xy.view(), xy.length);
  const starts = new Uint32Array(ringStarts.length + extra.starts.length);
  starts.set(ringStarts);
  starts.set(extra.starts.view(), ringStarts.length - 1);
  starts[starts.length - 1] = joined.length / 2;
  return { xy: joined, ringStarts: starts };
}

/** Edges of features in force, ignoring direction; equal edges once. */
class EdgeIndex {
  readonly #xy: Float64Array;
  readonly #slots: Uint32Array;
  readonly #mask: number;

  constructor(xy: Float64Array, edges: number) {
    const capacity = 2 ** Math.ceil(Math.log2(Math.max(16, 2 * edges)));
    this.#xy = xy;
    this.#slots = new Uint32Array(capacity);
    this.#mask = capacity - 1;
  }

  add(edge: number): void {
    const slot = this.#slotOf(this.#xy, edge);
    if (this.#slots[slot] === 0) this.#slots[slot] = edge + 1;
  }

  /** -1: no feature edge equals it. */
  find(xy: Float64Array, v: number): number {
    return this.#slots[this.#slotOf(xy, v)]! - 1;
  }

  #slotOf(xy: Float64Array, v: number): number {
    let slot = hashEdge(xy, v) & this.#mask;
    while (this.#slots[slot] !== 0 && !this.#equal(this.#slots[slot]! - 1, xy, v)) {
      slot = (slot + 1) & this.#mask;
    }
    return slot;
  }

  #equal(edge: number, xy: Float64Array, v: number): boolean {
    const own = this.#xy;
    const e = 2 * edge;
    const w = 2 * v;
    return (
      (own[e] === xy[w] &&
        own[e + 1] === xy[w + 1] &&
        own[e + 2] === xy[w + 2] &&
        own[e + 3] === xy[w + 3]) ||
      (own[e] === xy[w + 2] &&
        own[e + 1] === xy[w + 3] &&
        own[e + 2] === xy[w] &&
        own[e + 3] === xy[w + 1])
    );
  }
}

function indexEdges({ xy, ringStarts, featureRings }: Rings, inForce: Uint8Array): EdgeIndex {
  const index = new EdgeIndex(xy, xy.length / 2);
  for (let f = 0; f < inForce.length; f++) {
    if (inForce[f] === 0) continue;
    for (let r = featureRings[f]!; r < featureRings[f + 1]!; r++) {
      for (let v = ringStarts[r]!; v + 1 < ringStarts[r + 1]!; v++) index.add(v);
    }
  }
  return index;
}

const float = new Float64Array(2);
const words = new Uint32Array(float.buffer);

/** Adding the hashes of the ends ignores direction. */
function hashEdge(xy: Float64Array, v: number): number {
  return mix(hashVertex(xy, v) + hashVertex(xy, v + 1));
}

function hashVertex(xy: Float64Array, v: number): number {
  // Turns -0 into 0, which is equal to it.
  float[0] = xy[2 * v]! + 0;
  float[1] = xy[2 * v + 1]! + 0;
  let hash = Math.imul(words[0]!, 0x9e3779b1) ^ Math.imul(words[1]!, 0x85ebca77);
  hash = mix(hash) ^ Math.imul(words[2]!, 0xc2b2ae3d) ^ Math.imul(words[3]!, 0x27d4eb2f);
  return mix(hash);
}

function mix(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b);
  return (hash ^ (hash >>> 16)) >>> 0;
}
