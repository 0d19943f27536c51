import type { TableRegister } from '../../../src/layers/register.ts';
import type { RegisterSchema } from '../../../src/layers/register-tables.ts';
import type { ListedFile } from '../../../src/downloads/listing.ts';
import { UpstreamFailure } from '../../../src/wfs/failure.ts';
import type { Store } from '../../../src/db/connect.ts';
import type { Refusal } from '../../check.ts';
import type { ReplayedFile, SyncDeps } from '../../deps.ts';
import { featuresOf } from './features.ts';
import { judgeDays, planAgain, planReplay, planTable } from './plan.ts';
import type { WantedFromFiles, Planned } from './plan.ts';
import { readSources } from './source-store.ts';
import type { ReplayedTable, TablePlan, TableReplay, TableRun } from './table-run.ts';

export type Listed =
  | { readonly kind: 'planned'; readonly plans: readonly TablePlan[] }
  | { readonly kind: 'refused'; readonly refusals: readonly Refusal[] };

/** In schema order. Throws UpstreamFailure for a missing listing. */
export async function listedTables(deps: SyncDeps, run: TableRun): Promise<Listed> {
  if (run.replay !== null) return await replayedTables(deps, run, run.replay);
  const tables = await tablesToRead(deps.store.db, run.register);
  const { schema } = run.register;
  const missing = neededOf(schema).filter((name) => tables.every(({ entity }) => entity !== name));
  if (tables.length > 0 && missing.length > 0) {
    return { kind: 'refused', refusals: [notWhole(missing, tables.length)] };
  }
  const found: Found[] = [];
  const pages = tables.flatMap((each) => pagesPlan(each, run));
  for (const each of tables.filter(isOfFiles)) {
    const listed = await listingOf(deps, run, each);
    if (listed !== null) found.push({ wanted: each, listed: usable(each, listed) });
  }
  const options = { nowMs: run.startedAtMs, liftedGuards: run.liftedGuards };
  const planned = found.map((each) => ({
    ...each,
    planned: planTable(each.wanted, each.listed, options),
  }));
  const isAgain = schema.fold !== undefined && planned.some(({ planned: each }) => isRead(each));
  const settled = settle(
    run,
    isAgain
      ? planned.map((each) =>
          isRead(each.planned)
            ? each
            : { ...each, planned: planAgain(each.wanted, each.listed, options) },
        )
      : planned,
  );
  if (settled.kind === 'refused') return settled;
  return { kind: 'planned', plans: [...settled.plans, ...pages] };
}

type Wanted = Pick<TablePlan, 'table' | 'entity' | 'source' | 'guards' | 'known' | 'isFolded'>;

function isOfFiles(wanted: Wanted): wanted is WantedFromFiles {
  return wanted.source.kind === 'files';
}

function pagesPlan({ source, ...wanted }: Wanted, run: TableRun): TablePlan[] {
  if (source.kind === 'files') return [];
  return [{ ...wanted, source, total: featuresOf(source, run), deltas: [] }];
}

interface Found {
  readonly wanted: WantedFromFiles;
  readonly listed: readonly ListedFile[];
}

function isRead(planned: Planned): boolean {
  return planned.kind === 'planned' && planned.plan.total !== null;
}

function neededOf({ fold, tables }: RegisterSchema): readonly string[] {
  if (fold === undefined) return [];
  return fold.needs ?? tables.map(({ entity }) => entity);
}

function notWhole(missing: readonly string[], tables: number): Refusal {
  return {
    guard: 'empty',
    message: `Without ${missing.join(', ')}, which is not mirrored here, the other tables cannot be used.`,
    numbers: { tables, wanted: tables + missing.length },
  };
}

/** Folded rows are not kept, so deltas cannot be applied. */
function usable(
  { isFolded }: WantedFromFiles,
  listed: readonly ListedFile[],
): readonly ListedFile[] {
  return isFolded ? listed.filter(({ name }) => !name.includes('_DeltaDownload_')) : listed;
}

/** null: missing, for a table that the register can do without. Throws UpstreamFailure. */
async function listingOf(
  { downloads, keys }: SyncDeps,
  run: TableRun,
  wanted: WantedFromFiles,
): Promise<readonly ListedFile[] | null> {
  const { entity, source } = wanted;
  if (downloads === undefined) throw new Error('There is nothing to download with.');
  const call = { signal: run.signal, apiKey: keys[source.host] ?? null };
  return await downloads.list(source, call).catch((error: unknown) => {
    const isLeftOut = mayStay(wanted, run.register) && error instanceof UpstreamFailure;
    if (!isLeftOut || run.signal.aborted) throw error;
    run.counts.notes.push(`${entity} stays as it is: ${error.message}`);
    return null;
  });
}

/**
 * The run may continue without a table that is optional, and was never mirrored or belongs to
 * another register of files. All tables of one register are of one day, or none is published.
 */
function mayStay(
  { table, known }: Pick<WantedFromFiles, 'table' | 'known'>,
  { schema }: TableRegister,
): boolean {
  if (table.isOptional !== true) return false;
  return known === null || table.register !== schema.tables[0]?.register;
}

function settle(run: TableRun, found: readonly (Found & { readonly planned: Planned })[]): Listed {
  const plans: TablePlan[] = [];
  const refusals: Refusal[] = [];
  for (const { wanted, planned } of found) {
    const { entity } = wanted;
    if (planned.kind === 'planned') plans.push(planned.plan);
    else if (mayStay(wanted, run.register)) {
      run.counts.notes.push(`${entity} stays: ${planned.refusals[0]?.message}`);
    } else refusals.push(...planned.refusals.map((each) => named(entity, each)));
  }
  const days = judgeDays(
    plans.filter(({ table }) => table.register === run.register.schema.tables[0]?.register),
    { nowMs: run.startedAtMs, liftedGuards: run.liftedGuards },
  );
  run.counts.notes.push(...days.notes);
  refusals.push(...days.refusals);
  return refusals.length > 0 ? { kind: 'refused', refusals } : { kind: 'planned', plans };
}

async function tablesToRead(db: Store['db'], { schema, tables }: TableRegister): Promise<Wanted[]> {
  const sources = await readSources(db, schema);
  return schema.tables.flatMap((table) => {
    const { entity } = table;
    const { source = null, guards } = tables[entity] ?? {};
    if (source === null || guards === undefined) return [];
    const known = sources.get(entity) ?? null;
    return [{ table, entity, source, guards, known, isFolded: schema.fold !== undefined }];
  });
}

async function replayedTables(
  { store }: SyncDeps,
  run: TableRun,
  { read: { files, readings } }: TableReplay,
): Promise<Listed> {
  const tables = files.map((file) => tableIn(file, run.register));
  const plans: TablePlan[] = [];
  const refusals: Refusal[] = [];
  const wanted = await tablesToRead(store.db, run.register);
  for (const each of wanted.filter(isOfFiles)) {
    const read = tables.filter(({ file }) => isOf(file, each.entity));
    if (read.length === 0) continue;
    const planned = planReplay(each, read);
    if (planned.kind === 'planned') plans.push(planned.plan);
    else refusals.push(...planned.refusals);
  }
  const paged = wanted.filter(({ entity }) => readings.some((each) => each.entity === entity));
  plans.push(...paged.flatMap((each) => pagesPlan(each, run)));
  return refusals.length > 0 ? { kind: 'refused', refusals } : { kind: 'planned', plans };
}

/** Throws for a file of an unknown table: the reading would be incomplete. */
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
