import type { Layer } from '../../../src/layers/catalogue.ts';
import type { Refusal } from '../../check.ts';
import type { ClaimedRun, Publication, Run, SyncDeps } from '../../deps.ts';
import type { Step } from '../../history.ts';
import type { Mirror, Reading } from '../../mirror.ts';
import { confirm } from './apply.ts';
import type { Publishing, apply } from './apply.ts';
import { classify } from './classify.ts';
import { doubledIds } from './doubled.ts';
import { diff, isUnchanged, readLastGood } from './diff.ts';
import type { Difference, LastGood } from './diff.ts';
import { readDue } from '../../dated/carry-out.ts';
import { withDatedGuards } from '../../dated/guards.ts';
import { judge } from './judge.ts';
import { tellsAhead } from './counts.ts';
import type { Derived } from '../../../src/core/register-layers.ts';
import type { Origin } from './origin.ts';
import { readSource } from './reading.ts';
import { clearDeadStage, clearStage, countStage, vacuumStage } from './stage.ts';
import type { StageCounts } from './stage.ts';
import { NOTHING_UNREAD, findPlaces, releasedNote, withBegun } from './unread.ts';
import type { FoundUnread } from './unread.ts';
import { sql } from 'kysely';
import type { Store } from '../../../src/db/connect.ts';
import type { Log } from '../../../src/kernel/log.ts';
import { layersOf } from '../layers-of.ts';
import { publishedRows, rowsOf } from './rows-of.ts';

export interface FeatureSource {
  readonly layer: Layer;
  readonly replay: Run['replay'];
  /** The layer's own dates replace the upstream: see sync/dated. */
  readonly dated: boolean;
  /** Replaces `apply`: several layers may be published as one. */
  readonly publish: typeof apply;
  readonly by: string;
}

export class FeatureMirror implements Mirror {
  readonly isAskedLive = true;
  readonly #deps: SyncDeps;
  readonly #claimed: ClaimedRun;
  readonly #source: FeatureSource;
  #run: Run;
  #origin: Origin | null = null;
  #provedAtMs: number | undefined;
  #staged: StageCounts = { rows: 0, distinctKeys: 0, areaM2: 0 };
  #difference: Difference = { inserted: 0, changed: 0, removed: 0 };
  #lastGood: LastGood | null = null;
  #derived: Derived = { apply: () => Promise.resolve([]) };
  #hasPublished = false;
  #hasRead = false;
  #unread: FoundUnread = NOTHING_UNREAD;

  constructor(deps: SyncDeps, claimed: ClaimedRun, source: FeatureSource) {
    const { layer, replay } = source;
    this.#deps = deps;
    this.#claimed = claimed;
    this.#source = source;
    this.#run = { ...claimed, layer, replay, unread: [] };
  }

  async prepare(): Promise<void> {
    await clearDeadStage(this.#deps.store, this.#run.layer.id);
  }

  async read(): Promise<Reading> {
    const { store } = this.#deps;
    const { layer, dated } = this.#source;
    this.#run = { ...this.#run, layer: await withDatedGuards(store, layer) };
    if (dated) {
      const due = await readDue(this.#deps, this.#run);
      if (due === null) return { kind: 'nothing' };
      this.#origin = due.origin;
      this.#provedAtMs = due.provedAtMs;
      return { kind: 'staged' };
    }
    const read = await readSource(this.#deps, this.#run, this.#claimed.liftedGuards);
    if (read.kind === 'staged') {
      this.#origin = read.origin;
      this.#hasRead = true;
    }
    return read;
  }

  async compare(): Promise<void> {
    const { store } = this.#deps;
    const run = this.#run;
    this.#staged = await countStage(store, run);
    this.#difference = await diff(store.db, run.id, run.layer);
    this.#lastGood = await readLastGood(store.db, run.layer);
    Object.assign(run.counts, this.#difference, { staged: this.#staged.rows });
    const { rows, distinctKeys } = this.#staged;
    if (distinctKeys < rows) run.counts.doubledIds = await doubledIds(store, run);
    const isToldAhead = tellsAhead(run);
    this.#unread = await (this.#hasRead
      ? findPlaces(store.db, { ...run, isToldAhead })
      : withBegun(store.db, run));
    run.counts.unplaced = this.#unread.unplaced;
    const { changed } = this.#difference;
    if (changed > 0) run.counts.changes = await classify(this.#deps, run, changed);
  }

  async judge(): Promise<readonly Refusal[]> {
    return await judge(this.#deps.store.db, this.#run, {
      staged: this.#staged,
      difference: this.#difference,
      lastGood: this.#lastGood,
      liftedGuards: this.#claimed.liftedGuards,
    });
  }

  isUnchanged(): boolean {
    return this.#lastGood !== null && isUnchanged(this.#difference) && this.#unread.isAsBefore;
  }

  async derive(): Promise<void> {
    this.#derived = await layersOf(this.#run.layer.id).derive(this.#deps.store, this.#run);
  }

  async publish(): Promise<Publication> {
    const origin = this.#run.replay === null ? this.#origin : null;
    const provedAtMs = this.#provedAtMs;
    const { features: unread, unplaced, isAsBefore } = this.#unread;
    if (unplaced > 0) this.#run.counts.notes.push(releasedNote(unread));
    return await this.#apply({
      ...((this.#hasRead || !isAsBefore) && { unread }),
      ...(origin !== null && { origin }),
      ...(provedAtMs !== undefined && { provedAtMs }),
    });
  }

  async confirm(): Promise<void> {
    const nowMs = this.#deps.clock.nowMs();
    const proves = this.#run.replay === null && !this.#source.dated;
    const origin = proves ? this.#origin : null;
    await confirm(this.#deps.store, this.#run, { nowMs, origin, proves });
  }

  async revert(step: Step): Promise<Publication> {
    const { store } = this.#deps;
    const { enter } = this.#claimed;
    await enter('fetch');
    await stageStep(store.db, this.#run, step);
    await enter('diff');
    await this.compare();
    const { rows } = this.#staged;
    if (rows !== step.rowCount) {
      throw new Error(`The history gives ${rows} rows; the earlier version had ${step.rowCount}.`);
    }
    await enter('derive');
    await this.derive();
    await enter('apply');
    return await this.#apply({ reversal: { step, by: this.#source.by } });
  }

  async #apply(
    as: Pick<Publishing, 'origin' | 'provedAtMs' | 'reversal' | 'unread'>,
  ): Promise<Publication> {
    const publication = await this.#source.publish(this.#deps.store, this.#run, {
      ...as,
      expected: this.#difference,
      derived: this.#derived,
      nowMs: this.#deps.clock.nowMs(),
    });
    this.#hasPublished = true;
    return publication;
  }

  async tidy(): Promise<void> {
    await tidy(this.#deps, this.#run, this.#hasPublished);
  }

  async discard(): Promise<void> {
    await clearStage(this.#deps.store, this.#run.id);
  }
}

/**
 * Never throws. The embedded store has no autovacuum; without statistics the planner guesses just
 * when readers switch.
 */
export async function tidy(
  { store, log }: { readonly store: Store; readonly log: Log },
  run: { readonly id: string; readonly layer: Layer },
  published: boolean,
): Promise<void> {
  const embedded = store.kind === 'embedded';
  const work = embedded ? sql`vacuum (analyze) ` : sql`analyze `;
  try {
    await clearStage(store, run.id);
    if (embedded) await vacuumStage(store);
    for (const table of published ? rowsOf(run.layer).tables(run.layer) : []) {
      await sql`${work}${sql.table(table)}`.execute(store.db);
    }
  } catch (error) {
    log.warn({ err: error, run: run.id }, 'the store could not be tidied after a run');
  }
}

/** The mirror without new keys and with replaced rows, as if from a source. */
async function stageStep(
  db: Store['db'],
  { id, layer }: { readonly id: string; readonly layer: Layer },
  step: Step,
): Promise<void> {
  await sql`
    insert into stage_feature
      (run_id, key, object_id, standing, adopted, content_hash, attributes, geom)
    select ${id}::bigint, m.*
    from (${publishedRows(layer)}) m
    where not exists (
      select from feature_history h
      where h.layer = ${layer.id} and h.version = ${step.version}::bigint and h.key = m.key)
    union all
    select ${id}::bigint, key, object_id, standing, adopted, content_hash, attributes, geom
    from feature_history
    where layer = ${layer.id} and version = ${step.version}::bigint and geom is not null`.execute(
    db,
  );
}
