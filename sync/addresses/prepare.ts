/**
 * From plans to tables that may be published: read, given their keys, compared, judged. Nothing in
 * service is touched here.
 */
import { sql } from 'kysely';
import { listedTables } from './list.ts';
import type { SyncDeps } from '../deps.ts';
import type { Refusal } from '../check.ts';
import { compareDelta, compareTotal, countDangling } from './compare.ts';
import { judgeReferences, judgeTable } from './judge.ts';
import type { ReadyTable } from './publish.ts';
import { readTableFile } from './read.ts';
import { createStaged, indexStaged, keyStaged, withMemory } from './stage.ts';
import type { AddressRun, KnownSource, StagedTable, TableDifference, TablePlan } from './terms.ts';

export type Prepared =
  | {
      readonly kind: 'ready';
      readonly tables: readonly ReadyTable[];
      /** Whether any row of the copy would change. */
      readonly changes: boolean;
    }
  | { readonly kind: 'refused'; readonly refusals: readonly Refusal[] };

/** The phases before publication, each told as it begins. */
export interface Steps {
  enter(phase: 'fetch' | 'diff' | 'check'): Promise<void>;
}

export async function prepare(deps: SyncDeps, run: AddressRun, steps: Steps): Promise<Prepared> {
  await steps.enter('fetch');
  const listed = await listedTables(deps, run);
  if (listed.kind === 'refused') return listed;
  const loaded = await loadAll(deps, run, listed.plans);

  await steps.enter('diff');
  const compared: Compared[] = [];
  for (const each of loaded) compared.push(await compare(deps, each));
  for (const { differences } of compared) {
    for (const { inserted, changed, removed } of differences) {
      run.counts.inserted += inserted;
      run.counts.changed += changed;
      run.counts.removed += removed;
    }
  }

  await steps.enter('check');
  const refusals = await judge(deps, run, compared);
  if (refusals.length > 0) return { kind: 'refused', refusals };

  return {
    kind: 'ready',
    tables: compared.map(({ plan, total, delta }) => ({
      plan,
      total,
      delta,
      known: knownAfter(plan, { total, delta }),
    })),
    changes: run.counts.inserted + run.counts.changed + run.counts.removed > 0,
  };
}

interface Loaded {
  readonly plan: TablePlan;
  readonly total: StagedTable | null;
  readonly delta: StagedTable | null;
  readonly doubled: number;
}

/**
 * One table after the other; while one gets its keys and indexes the next is read already, but on the
 * embedded store, which does one thing at a time.
 */
async function loadAll(
  deps: SyncDeps,
  run: AddressRun,
  plans: readonly TablePlan[],
): Promise<readonly Loaded[]> {
  const keyed: Promise<Loaded>[] = [];
  let before: Promise<unknown> = Promise.resolve();
  try {
    for (const plan of plans) {
      const read = await readPlan(deps, run, plan);
      // One at a time: the connections are for the rows.
      const last = before.then(() => keyPlan(deps, run, read));
      before = last;
      // A failure is looked at below; until then it is not unhandled.
      last.catch(() => undefined);
      keyed.push(last);
      if (deps.store.kind === 'embedded') await last;
    }
    return await Promise.all(keyed);
  } finally {
    // Nothing may go on behind a run that has ended: its tables are dropped then.
    await Promise.allSettled(keyed);
  }
}

type Read = Pick<Loaded, 'plan' | 'total' | 'delta'>;

async function readPlan(deps: SyncDeps, run: AddressRun, plan: TablePlan): Promise<Read> {
  const { db } = deps.store;
  let total: StagedTable | null = null;
  let delta: StagedTable | null = null;
  if (plan.total !== null) {
    total = await createStaged(db, plan, { runId: run.id, of: 'total' });
    await readTableFile(deps, run, { staged: total, file: plan.total });
    note(run, `${plan.entity}: ${plan.total.name}, ${total.read.received} rows`);
  }
  if (plan.deltas.length > 0) {
    delta = await createStaged(db, plan, { runId: run.id, of: 'delta' });
    for (const file of plan.deltas) {
      await readTableFile(deps, run, { staged: delta, file });
      note(run, `${plan.entity}: ${file.name}`);
    }
  }
  return { plan, total, delta };
}

async function keyPlan({ store }: SyncDeps, run: AddressRun, read: Read): Promise<Loaded> {
  const { plan, total, delta } = read;
  let doubled = 0;
  if (total !== null) {
    doubled = await keyStaged(store, total);
    run.counts.staged += total.read.current - doubled;
    if (doubled > 0) note(run, `${plan.entity}: ${doubled} rows came twice under one id`);
    await indexStaged(store, total);
  }
  if (delta !== null) {
    await withoutClosed(store.db, delta);
    await keyStaged(store, delta);
    run.counts.staged += delta.read.current;
  }
  return { ...read, doubled };
}

/** Rows opened by one delta and closed by a later one were never more than a passing state. */
async function withoutClosed(db: SyncDeps['store']['db'], staged: StagedTable): Promise<void> {
  await sql`
    delete from ${sql.table(staged.next)} n using ${sql.table(staged.closed)} c
    where n.id = c.id and n.valid_from = c.valid_from
      and n.registered_from <= c.registered_from`.execute(db);
}

interface Compared extends Loaded {
  readonly whole: TableDifference | null;
  readonly part: TableDifference | null;
  readonly differences: readonly TableDifference[];
}

async function compare({ store }: SyncDeps, loaded: Loaded): Promise<Compared> {
  const { total, delta, plan } = loaded;
  const whole = total === null ? null : await withMemory(store, (db) => compareTotal(db, total));
  const target = total?.next ?? plan.table.table;
  const part = delta === null ? null : await compareDelta(store.db, delta, target);
  return { ...loaded, whole, part, differences: [whole, part].filter((each) => each !== null) };
}

async function judge(
  { store }: SyncDeps,
  run: AddressRun,
  compared: readonly Compared[],
): Promise<readonly Refusal[]> {
  const refusals = compared.flatMap(({ plan, total, delta, whole, part, doubled }) => [
    ...(total === null || whole === null
      ? []
      : judgeTable(
          { plan, read: total.read, difference: whole, doubled, whole: true },
          run.liftedGuards,
        )),
    ...(delta === null || part === null
      ? []
      : judgeTable(
          {
            // A total of this very run is what its deltas are measured by.
            plan: { ...plan, known: plan.known ?? knownAfter(plan, { total, delta: null }) },
            read: delta.read,
            difference: part,
            doubled: 0,
            whole: false,
          },
          run.liftedGuards,
        )),
  ]);
  const nexts = new Map(
    compared.flatMap(({ plan, total }) =>
      total === null ? [] : [[plan.table.table, total.next] as const],
    ),
  );
  if (refusals.length > 0 || nexts.size === 0) return refusals;
  const name = (table: string) => nexts.get(table) ?? table;
  const found = await withMemory(store, (db) => countDangling(db, name));
  const { guards } = run.register.tables.Husnummer;
  return judgeReferences(found, guards, run.liftedGuards);
}

function knownAfter(
  plan: TablePlan,
  { total, delta }: { readonly total: StagedTable | null; readonly delta: StagedTable | null },
): KnownSource {
  const { known } = plan;
  const nexts = [
    total === null ? (known?.nextChangeMs ?? null) : total.read.nextChangeMs,
    delta?.read.nextChangeMs ?? null,
  ].filter((each) => each !== null);
  const base =
    total === null || plan.total === null
      ? known
      : {
          version: plan.total.version,
          totalGeneration: plan.total.generation,
          totalMd5: total.read.md5 ?? '',
          generation: plan.total.generation,
          columns: total.read.columns,
        };
  if (base === null) throw new Error(`Nothing is known of ${plan.entity}.`);
  return {
    ...base,
    // Deltas that are done again take nothing back.
    generation: Math.max(base.generation, plan.deltas.at(-1)?.generation ?? 0),
    nextChangeMs: nexts.length === 0 ? null : Math.min(...nexts),
  };
}

function note({ counts }: AddressRun, text: string): void {
  counts.notes.push(text);
}
