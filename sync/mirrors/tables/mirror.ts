import type { TableRegister } from '../../../src/layers/register.ts';
import { ownFormer, storeTables } from '../../../src/layers/register-tables.ts';
import type { Refusal } from '../../check.ts';
import type { ClaimedRun, Publication, SyncDeps } from '../../deps.ts';
import type { Step } from '../../history.ts';
import type { Mirror, Reading } from '../../mirror.ts';
import { compareTable } from './compare.ts';
import type { Compared } from './compare.ts';
import { foldTables } from './fold.ts';
import { judgeTables } from './judge.ts';
import { listedTables } from './list.ts';
import { loadTables } from './load.ts';
import type { Loaded } from './load.ts';
import { confirmTables, publishTables, countedRows } from './publish.ts';
import { knownAfter, noteOutdated } from './source-store.ts';
import { dropStaged } from './stage.ts';
import type { TableReplay, TableRun } from './table-run.ts';
import { NOTHING_UNREAD, releasedRowsNote, unreadAfter } from './unread.ts';
import type { FoundRows } from './unread.ts';
import { sql } from 'kysely';
import type { RegisterSchema } from '../../../src/layers/register-tables.ts';
import type { Store } from '../../../src/db/connect.ts';
import { closeSteps } from '../../history.ts';
import { logChanges } from '../../changes.ts';
import { advance, closeRun, holdClaim, queueUp } from '../../version.ts';
import { restoreUnread } from '../features/unread.ts';
import { openTableStep, takeStep } from './history.ts';

export interface RegisterSource {
  readonly register: TableRegister;
  readonly replay: TableReplay | null;
  readonly by: string;
}

export class TableMirror implements Mirror {
  readonly isAskedLive = false;
  readonly #deps: SyncDeps;
  readonly #claimed: ClaimedRun;
  readonly #by: string;
  readonly #run: TableRun;
  #loaded: readonly Loaded[] = [];
  #compared: readonly Compared[] = [];
  #unread: FoundRows = NOTHING_UNREAD;
  #changed: readonly string[] = [];

  constructor(deps: SyncDeps, claimed: ClaimedRun, { register, replay, by }: RegisterSource) {
    this.#deps = deps;
    this.#claimed = claimed;
    this.#by = by;
    const archive =
      replay === null ? deps.archive?.begin({ ...claimed, layer: register }) : undefined;
    this.#run = { ...claimed, register, replay, archive };
  }

  async prepare(): Promise<void> {
    await dropStaged(this.#deps.store.db, this.#run.register.schema);
  }

  async read(): Promise<Reading> {
    const run = this.#run;
    const sources = Object.values(run.register.tables).map(({ source }) => source?.kind);
    run.counts.source = sources.includes('wfs') ? 'wfs' : 'files';
    try {
      const listed = await listedTables(this.#deps, run);
      if (listed.kind === 'planned') {
        const loaded = await loadTables(this.#deps, run, listed.plans);
        this.#loaded = [...loaded, ...(await foldTables(this.#deps, run, loaded))];
      }
      await run.archive?.endTables(true);
      return listed.kind === 'planned' ? { kind: 'staged' } : listed;
    } catch (error) {
      await run.archive?.endTables(false);
      throw error;
    }
  }

  async compare(): Promise<void> {
    const { counts } = this.#run;
    const compared: Compared[] = [];
    for (const each of this.#loaded) compared.push(await compareTable(this.#deps.store, each));
    const parts = compared.flatMap(({ whole, part }) => [whole, part]);
    for (const { inserted, changed, removed } of parts.filter((each) => each !== null)) {
      counts.inserted += inserted;
      counts.changed += changed;
      counts.removed += removed;
    }
    this.#compared = compared;
    this.#unread = await unreadAfter(this.#deps.store.db, this.#run.register, compared);
    counts.unplaced = [...this.#unread.unplaced.values()].reduce((sum, each) => sum + each, 0);
  }

  async judge(): Promise<readonly Refusal[]> {
    return await judgeTables(this.#deps.store, this.#run, this.#compared, this.#unread);
  }

  isUnchanged(): boolean {
    const { inserted, changed, removed } = this.#run.counts;
    return inserted + changed + removed === 0 && this.#unread.isAsBefore;
  }

  async publish(): Promise<Publication> {
    const { store, clock } = this.#deps;
    const { counts, register } = this.#run;
    if (counts.unplaced > 0) counts.notes.push(releasedRowsNote(register.id, this.#unread));
    const publication = await publishTables(store, this.#run, {
      tables: this.#ready(),
      unread: this.#unread.rows,
      nowMs: clock.nowMs(),
    });
    const merged = this.#compared.flatMap(({ delta, plan: { table } }) => [
      ...(delta === null ? [] : [table.table]),
      ...[ownFormer(table)].filter((name) => name !== null),
    ]);
    const { former } = this.#run.register.schema.beside;
    this.#changed = [...(former === null ? [] : [former]), ...merged];
    return publication;
  }

  async confirm(): Promise<void> {
    const { store, clock } = this.#deps;
    await confirmTables(store, this.#run, { tables: this.#ready(), nowMs: clock.nowMs() });
  }

  #ready() {
    const { fold } = this.#run.register.schema;
    return this.#compared.map((each) => ({
      ...each,
      known: each.plan.table === fold?.into ? null : knownAfter(each.plan, each),
    }));
  }

  async revert(step: Step): Promise<Publication> {
    const { store, clock } = this.#deps;
    await this.#claimed.enter('apply');
    const as = { step, by: this.#by, nowMs: clock.nowMs() };
    const publication = await publishStep(store, this.#run, as);
    this.#changed = storeTables(this.#run.register.schema);
    return publication;
  }

  async tidy(): Promise<void> {
    await tidyTables(this.#deps, this.#run.register.schema, { changed: this.#changed });
  }

  async discard(): Promise<void> {
    // Only this run's: a run that took over has its own tables.
    const { id: runId, register } = this.#run;
    await tidyTables(this.#deps, register.schema, { changed: [], runId });
  }
}

/**
 * Never throws. `changed`: tables with rows changed in place. `runId` absent: drops the tables of
 * all runs.
 */
export async function tidyTables(
  { store, log }: Pick<SyncDeps, 'store' | 'log'>,
  schema: RegisterSchema,
  { changed, runId }: { readonly changed: readonly string[]; readonly runId?: string },
): Promise<void> {
  const work = store.kind === 'embedded' ? sql`vacuum (analyze) ` : sql`analyze `;
  try {
    await dropStaged(store.db, schema, runId === undefined ? {} : { of: runId });
    for (const table of changed) await sql`${work}${sql.table(table)}`.execute(store.db);
  } catch (error) {
    log.warn({ err: error }, 'the store could not be tidied after a run of tables');
  }
}

/**
 * Takes the latest publication's history step, as a new version. Throws, and changes nothing, when
 * the claim is lost or the history is incomplete.
 */
export async function publishStep(
  store: Store,
  { register, ...run }: Pick<TableRun, 'id' | 'counts' | 'register'>,
  { step, by, nowMs }: { readonly step: Step; readonly by: string; readonly nowMs: number },
): Promise<Publication> {
  return await store.db.transaction().execute(async (trx) => {
    await holdClaim(trx, run.id);
    await queueUp(trx);
    const undo = await openTableStep(trx, register);
    Object.assign(run.counts, await takeStep(trx, register, { step, undo }));
    await restoreUnread(trx, register.id, step);
    await closeSteps(trx, register.id, [step.version, undo]);
    const publication = await advance(trx, register.id, {
      nowMs,
      syncedAtMs: step.syncedAtMs,
      heldBy: by,
      sourceRows: null,
      counted: countedRows(register.schema),
    });
    await noteOutdated(trx, register);
    await logChanges(trx, { publication, step: undo, nowMs, register });
    const { rowCount, version } = publication;
    if (rowCount !== step.rowCount) {
      throw new Error(
        `The history gives ${rowCount} rows; the earlier version had ${step.rowCount}.`,
      );
    }
    await closeRun(trx, run, { version, nowMs });
    return publication;
  });
}
