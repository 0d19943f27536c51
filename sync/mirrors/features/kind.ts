/** What follows from the features of a kind beyond their rows. Two kinds: mirrors/lines, mirrors/areas. */
import type { Store } from '../../../src/db/connect.ts';
import type { Layer } from '../../../src/layers/catalogue.ts';
import type { AreaId } from '../../../src/layers/keys.ts';
import type { DatedReading } from '../../dated/carry-out.ts';
import type { Explained } from '../../dated/explain.ts';
import type { Evidence } from '../../check.ts';
import type { Run, RunCounts } from '../../deps.ts';

type Db = Store['db'];

export interface Derived {
  /**
   * Called inside the transaction, after the rows are in place. Gives the other layers whose rows it
   * has changed.
   */
  readonly apply: (trx: Db) => Promise<readonly AreaId[]>;
}

export interface FeatureKind {
  /**
   * Works out what follows from the stage of a run. What takes long is prepared here, before the
   * publishing transaction, so that readers hardly wait. Throws when it cannot be whole.
   */
  readonly derive: (store: Store, run: Run) => Promise<Derived>;
  /** What a live lookup will count at the register. */
  readonly sourceRows: (counts: RunCounts) => number;
  /** Changes known ahead (sync/dated); null: the kind has none. */
  readonly dates: Dates | null;
}

export interface Dates {
  /** The layer with its guards as of the changes that were carried out. */
  guarded<L extends Layer>(store: Pick<Store, 'db'>, layer: L): Promise<L>;
  /** Stages what the dates lead to; null: none has come. */
  readDue(deps: { readonly store: Pick<Store, 'db'> }, run: Run): Promise<DatedReading | null>;
  /** What a confirmed change explains of a refusal; null: nothing. */
  explain(db: Db, run: Run, evidence: Evidence): Promise<Explained | null>;
  /** Behind a publication or confirmation: what is known ahead now. `fromRun`: whose rows tell. */
  settle(
    trx: Db,
    layer: Layer['id'],
    by: { readonly nowMs: number; readonly fromRun: string | null },
  ): Promise<void>;
  /** Behind a revert: changes that came with the version are to come again. */
  reopen(trx: Db, layer: Layer['id'], version: number): Promise<void>;
}

/** Whether a run read all that is announced ahead: only files tell it. A replay tells what was known then. */
export function tellsAhead({ counts, replay }: Pick<Run, 'counts' | 'replay'>): boolean {
  return counts.source === 'files' && replay === null;
}
