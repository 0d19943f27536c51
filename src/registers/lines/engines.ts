import { Failure } from '../../kernel/failures.ts';
import type { JobMemory } from '../../core/rows/chunk-types.ts';
import type { LayerId } from '../../layers/keys.ts';
import { Last } from '../../kernel/last.ts';
import { remember } from '../../kernel/remember.ts';
import { keyOf } from '../../snapshot/format.ts';
import { openLayerSnapshot } from '../../snapshot/layer.ts';
import { LineEngine } from '../../snapshot/lines.ts';
import type { SharedSnapshot } from '../../snapshot/layer.ts';
import { unansweredOf } from '../../geo/unanswered.ts';
import type { PlacedEngine } from '../../core/held/line-measures.ts';

const engines = new Map<LayerId, Last<LineEngine>>();

export function placedEngine({ layer, buffer, unanswered }: SharedSnapshot): PlacedEngine {
  const last = remember(engines, layer, () => new Last<LineEngine>());
  // Its owner checked it on loading.
  const open = () => new LineEngine(openLayerSnapshot(buffer, { verified: true }));
  return { engine: last.of([keyOf(buffer)], open), unanswered: unansweredOf(unanswered) };
}

export function snapshotOf({ snapshots }: JobMemory, line: LayerId): SharedSnapshot {
  const found = snapshots.find(({ layer }) => layer === line);
  if (found === undefined)
    throw new Failure('internal_error', { error: `No snapshot of ${line}.` });
  return found;
}
