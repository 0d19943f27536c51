import type { RegisterLayers } from '../../../src/core/register-layers.ts';
import type { Run, RunCounts } from '../../deps.ts';

export interface FeatureKind {
  readonly derive: RegisterLayers['derive'];
  readonly sourceRows: (counts: RunCounts) => number | null;
}

/** The run read all announcements: an area's WFS has none, a replay those of its time. */
export function tellsAhead({ counts, layer, replay }: Pick<Run, 'counts' | 'layer' | 'replay'>) {
  return (
    replay === null && (counts.source === 'files' || (!layer.dated && counts.source === 'wfs'))
  );
}
