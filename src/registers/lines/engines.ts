/** Memoized by checksum, since a transferred buffer is a new object. Older versions are dropped. */
import type { LayerId } from '../../layers/keys.ts';
import { sealOf } from '../../snapshot/format.ts';
import { openLayerSnapshot } from '../../snapshot/layer.ts';
import { LineEngine } from '../../snapshot/lines.ts';
import type { SharedSnapshot } from '../../snapshot/layer.ts';
import { unansweredOf } from '../../geo/unanswered.ts';
import type { PlacedEngine } from '../../core/held/line-measures.ts';

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
  // Its owner checked it on loading.
  const engine = new LineEngine(openLayerSnapshot(buffer, { verified: true }));
  kept.set(layer, { seal, bytes, engine });
  return engine;
}

export function placedEngine(shared: SharedSnapshot): PlacedEngine {
  return { engine: lineEngine(shared), unanswered: unansweredOf(shared.unanswered) };
}
