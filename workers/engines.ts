/**
 * A thread's line engines over shared snapshots, memoized. A transferred buffer is a new object
 * over the same memory each time, so it is identified by its checksum; a layer's older version is
 * dropped when the next one comes.
 */
import type { LayerId } from '../src/layers/keys.ts';
import { sealOf } from '../src/snapshot/format.ts';
import { openLayerSnapshot } from '../src/snapshot/layer.ts';
import { LineEngine } from '../src/snapshot/lines.ts';
import type { SharedSnapshot } from '../src/snapshot/layer.ts';
import { unansweredOf } from '../src/geo/unanswered.ts';
import type { PlacedEngine } from '../src/registers/lines/measures.ts';
import { lowerThreadPriority } from './lower-priority.ts';

lowerThreadPriority();

interface Kept {
  readonly seal: number;
  readonly bytes: number;
  readonly engine: LineEngine;
}

const kept = new Map<LayerId, Kept>();

export function lineEngine({ layer, buffer }: SharedSnapshot): LineEngine {
  const seal = sealOf(buffer);
  const bytes = buffer.byteLength;
  const known = kept.get(layer);
  if (known?.seal === seal && known.bytes === bytes) return known.engine;
  // Checked when loaded, by its owner.
  const engine = new LineEngine(openLayerSnapshot(buffer, { verified: true }));
  kept.set(layer, { seal, bytes, engine });
  return engine;
}

/** With the places where its copy is unavailable. */
export function placedEngine(shared: SharedSnapshot): PlacedEngine {
  return { engine: lineEngine(shared), unanswered: unansweredOf(shared.unanswered) };
}
