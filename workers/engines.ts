/**
 * A thread's own engines over shared snapshots, made once. A buffer that crosses to a thread is a new
 * object over the same memory each time, so it is known by its checksum; a layer's older version is
 * let go when the next one comes.
 */
import type { LayerId } from '../src/layers/keys.ts';
import { AreaEngine } from '../src/snapshot/areas.ts';
import { sealOf } from '../src/snapshot/format.ts';
import { openLayerSnapshot } from '../src/snapshot/layer.ts';
import type { LayerSnapshot } from '../src/snapshot/layer.ts';
import { LineEngine } from '../src/snapshot/lines.ts';
import type { SharedSnapshot } from '../src/snapshot/layer.ts';
import { standBack } from './stand-back.ts';

standBack();

interface Kept<E> {
  readonly seal: number;
  readonly bytes: number;
  readonly engine: E;
}

const lines = new Map<LayerId, Kept<LineEngine>>();
const areas = new Map<LayerId, Kept<AreaEngine>>();

export function lineEngine(shared: SharedSnapshot): LineEngine {
  return engineOf(lines, shared, (snapshot) => new LineEngine(snapshot));
}

export function areaEngine(shared: SharedSnapshot): AreaEngine {
  return engineOf(areas, shared, (snapshot) => new AreaEngine(snapshot));
}

function engineOf<E>(
  kept: Map<LayerId, Kept<E>>,
  { layer, buffer }: SharedSnapshot,
  make: (snapshot: LayerSnapshot) => E,
): E {
  const seal = sealOf(buffer);
  const bytes = buffer.byteLength;
  const known = kept.get(layer);
  if (known?.seal === seal && known.bytes === bytes) return known.engine;
  // Checked when it was loaded, by whoever shares it.
  const engine = make(openLayerSnapshot(buffer, { verified: true }));
  kept.set(layer, { seal, bytes, engine });
  return engine;
}
