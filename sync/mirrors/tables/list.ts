/** Asks the listings of all tables, or the archive of a run, and plans what is to be read of them. */
import type { TableRegister } from '../../../src/layers/register.ts';
import type { ListedFile } from '../../../src/downloads/listing.ts';
import { UpstreamFailure } from '../../../src/wfs/failure.ts';
import type { Store } from '../../../src/db/connect.ts';
import type { Refusal } from '../../check.ts';
import type { ReplayedFile, SyncDeps } from '../../deps.ts';
import { planReplay, planTable } from './plan.ts';
import type { Asked } from './plan.ts';
import { readSources } from './source-store.ts';
import type { ReplayedTable, TablePlan, TableReplay, TableRun } from './table-run.ts';

export type Listed =
  | { readonly kind: 'planned'; readonly plans: readonly TablePlan[] }
  | { readonly kind: 'refused'; readonly refusals: readonly Refusal[] };

/** In the order of the schema. Throws UpstreamFailure when a listing cannot be had. */
export async function listedTables(deps: SyncDeps, run: TableRun): Promise<Listed> {
  if (run.replay !== null) return await replayedTables(deps, run, run.replay);
  const { downloads, keys, store } = deps;
  if (downloads === undefined) throw new Error('There is nothing to download with.');
  const { liftedGuards } = run;
  const plans: TablePlan[] = [];
  const refusals: Refusal[] = [];
  for (const asked of await tablesToRead(store.db, run.register)) {
    const { entity, source, table } = asked;
    const { isOptional = false } = table;
    const apiKey = keys[source.host] ?? null;
    const call = { signal: run.signal, apiKey };
    const listed = await downloads.list(source, call).catch((error: unknown) => {
      if (!isOptional || !(error instanceof UpstreamFailure) || run.signal.aborted) throw error;
      run.counts.notes.push(`${entity} stays as it is: ${error.message}`);
      return null;
    });
    if (listed === null) continue;
    const planned = planTable(asked, listed, { nowMs: run.startedAtMs, liftedGuards });
    if (planned.kind === 'planned') plans.push(planned.plan);
    else if (isOptional) run.counts.notes.push(`${entity} stays: ${planned.refusals[0]?.message}`);
    else refusals.push(...planned.refusals.map((each) => named(entity, each)));
  }
  return refusals.length > 0 ? { kind: 'refused', refusals } : { kind: 'planned', plans };
}

/** Every table that is mirrored here, and what its copy was read from. */
async function tablesToRead(db: Store['db'], { schema, tables }: TableRegister): Promise<Asked[]> {
  const sources = await readSources(db, schema);
  return schema.tables.flatMap((table) => {
    const { entity } = table;
    const { source = null, guards } = tables[entity] ?? {};
    if (source === null || guards === undefined) return [];
    return [{ table, entity, source, guards, known: sources.get(entity) ?? null }];
  });
}

/** What an earlier run read, table by table; nothing is asked of the register. */
async function replayedTables(
  { store }: SyncDeps,
  run: TableRun,
  { read: { files } }: TableReplay,
): Promise<Listed> {
  const tables = files.map((file) => tableIn(file, run.register));
  const plans: TablePlan[] = [];
  const refusals: Refusal[] = [];
  for (const asked of await tablesToRead(store.db, run.register)) {
    const read = tables.filter((each) => isOf(each.file, asked.entity));
    if (read.length === 0) continue;
    const planned = planReplay(asked, read);
    if (planned.kind === 'planned') plans.push(planned.plan);
    else refusals.push(...planned.refusals);
  }
  return refusals.length > 0 ? { kind: 'refused', refusals } : { kind: 'planned', plans };
}

/** Throws on a file of none of the register's tables: without it the reading is not what it was. */
function tableIn({ format, ...read }: ReplayedFile, { id, schema }: TableRegister): ReplayedTable {
  const isKnown = schema.tables.some(({ entity }) => isOf(read.file, entity));
  if (isKnown && (format === 'csv' || format === 'json')) return { ...read, format };
  throw new Error(`${read.file.name} is no table of ${id}.`);
}

/** `DAR_V1_Adresse_TotalDownload_csv_Current_690.zip`, where the listing did not say. */
function isOf({ entity, name }: ListedFile, of: string): boolean {
  return (entity ?? name.split('_')[2] ?? '').toLowerCase() === of.toLowerCase();
}

function named(entity: string, refusal: Refusal): Refusal {
  const { message } = refusal;
  return message.includes(entity) ? refusal : { ...refusal, message: `${entity}: ${message}` };
}
