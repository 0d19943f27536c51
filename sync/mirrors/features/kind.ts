import type { Store } from '../../../src/db/connect.ts';
import type { Layer } from '../../../src/layers/catalogue.ts';
import type { RegisterLayers } from '../../../src/core/register-layers.ts';
import type { DatedReading } from '../../dated/carry-out.ts';
import type { Explained } from '../../dated/explain.ts';
import type { Evidence } from '../../check.ts';
import type { Run, RunCounts } from '../../deps.ts';

type Db = Store['db'];

export interface FeatureKind {
  /** What the register derives from the rows. */
  readonly derive: RegisterLayers['derive'];
  readonly sourceRows: (counts: RunCounts) => number | null;
  /** Future changes (sync/dated). */
  readonly dates: Dates;
}

export interface Dates {
  guarded<L extends Layer>(store: Pick<Store, 'db'>, layer: L): Promise<L>;
  /** Stages what the dates lead to; null: none has come. */
  readDue(deps: { readonly store: Pick<Store, 'db'> }, run: Run): Promise<DatedReading | null>;
  /** What a confirmed change explains of a refusal; null: nothing. */
  explain(db: Db, run: Run, evidence: Evidence): Promise<Explained | null>;
  /**
   * After a publication or confirmation: updates the known future. `fromRun`: whose rows have it.
   */
  settle(
    trx: Db,
    layer: Layer,
    by: { readonly nowMs: number; readonly fromRun: string | null },
  ): Promise<void>;
  reopen(trx: Db, layer: Layer['id'], version: number): Promise<void>;
}

/** Whether a run read all announcements: an area's WFS has none. A replay has those of its time. */
export function tellsAhead({ counts, layer, replay }: Pick<Run, 'counts' | 'layer' | 'replay'>) {
  return (
    replay === null && (counts.source === 'files' || (!layer.dated && counts.source === 'wfs'))
  );
}
