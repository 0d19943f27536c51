import type { Store } from '../../../src/db/connect.ts';
import { findColumn } from '../../../src/downloads/table-cells.ts';
import type { Guards } from '../../../src/layers/source.ts';
import type { TableGuards } from '../../../src/layers/register.ts';
import type { Fold } from '../../../src/layers/register-tables.ts';
import { check } from '../../check.ts';
import type { Evidence, Refusal } from '../../check.ts';
import { noCounts } from '../../deps.ts';
import { countDangling, mostlyUnreadable } from './compare.ts';
import type { Compared } from './compare.ts';
import { knownAfter } from './source-store.ts';
import { withMemory } from './stage.ts';
import type { FoundRows } from './unread.ts';
import type { TableDifference, TablePlan, TableReading, TableRun } from './table-run.ts';

interface TableEvidence {
  readonly plan: Pick<TablePlan, 'table' | 'entity' | 'source' | 'guards' | 'known'>;
  readonly read: TableReading;
  readonly difference: TableDifference;
  readonly doubled: number;
  readonly whole: boolean;
  readonly unplaced: number;
}

function judgeTable(found: TableEvidence, lifted: readonly string[]): readonly Refusal[] {
  const refusals = check(evidenceOf(found), guardsOf(found.plan.guards), lifted);
  return [...misshapen(found.read), ...refusals].map((refusal) => ({
    ...refusal,
    message: `${found.plan.entity}: ${refusal.message}`,
  }));
}

/** A row with a missing cell: the file was truncated when written. */
function misshapen({ misshapen: found }: TableReading): readonly Refusal[] {
  if (found === null) return [];
  const { rows, line, cells, columns } = found;
  const message = `Line ${line} has ${cells} values, and the first line names ${columns} columns.`;
  return [{ guard: 'parsed', message, numbers: { line, cells, columns, rows } }];
}

function evidenceOf(found: TableEvidence): Evidence {
  const { plan, read, difference, doubled, whole, unplaced } = found;
  const { after, before, inserted, changed, removed, lost } = difference;
  const parsed =
    read.current + read.former + read.closed + read.future + read.past + read.unreadable;
  return {
    // None outside Denmark: points at 0,0 are known of this register; their addresses have no
    // position. None doubled: those are unreadable rows by then (stage.ts).
    ...noCounts(),
    announced: read.announced,
    received: read.received,
    parsed,
    mapped: whole ? read.current - doubled : after,
    staged: after,
    distinctKeys: after,
    unreadable: read.unreadable,
    lostFeatures: lost,
    unplaced,
    areaM2: 0,
    lastGoodRows: plan.known === null ? null : before,
    lastGoodAreaM2: null,
    inserted,
    changed,
    removed,
    // Spellings vary; required columns must exist.
    columns: { added: [], missing: missingIn(found), retyped: retypedIn(found), drifting: [] },
  };
}

/**
 * Required columns, and those of the total in service, which would silently vanish from answers.
 * JSON rows may omit empty values and a delta has few rows, so those prove nothing.
 */
function missingIn({ plan, read, whole }: TableEvidence): readonly string[] {
  const known = plan.known?.columns ?? [];
  // An operator has accepted this before.
  const accepted = plan.known?.withoutTimes ?? [];
  const missing = read.missing.filter((name) => !accepted.includes(name));
  const namesAllColumns = whole || ('format' in plan.source && plan.source.format === 'csv');
  if (!namesAllColumns || known.length === 0 || read.columns.length === 0) return missing;
  const gone = plan.table.columns.flatMap(({ name, from, isPrefix = false }) =>
    findColumn(known, from, isPrefix) !== -1 && findColumn(read.columns, from, isPrefix) === -1
      ? [name]
      : [],
  );
  return [...new Set([...missing, ...gone])];
}

/** So many unreadable values are no isolated faults. */
const LEAST_ALL_UNREADABLE = 3;

/**
 * Mostly unreadable columns, which answers would show as null. With few rows it is another type if
 * none of at least three values is readable, or if a row of the copy would lose its value.
 */
function retypedIn({ plan, read, difference }: TableEvidence): readonly string[] {
  return mostlyUnreadable(read).filter((name) => {
    const { filled = 0, unreadable = 0 } = read.cells[name] ?? {};
    return (
      unreadable > plan.guards.changeFloorRows ||
      (unreadable === filled && unreadable >= LEAST_ALL_UNREADABLE) ||
      difference.emptied.includes(name)
    );
  });
}

function guardsOf(guards: TableGuards): Guards {
  const areas = { maxAreaDropShare: 1, maxAreaGrowthShare: 1, maxRepairShare: 1 };
  return { ...guards, ...areas, maxLostRows: 0, maxCanaryShare: 1, knownPlaces: [] };
}

/** Too many dangling references: tables of different days. */
function judgeReferences(
  {
    inForce,
    dangling,
    message,
  }: { readonly inForce: number; readonly dangling: number; readonly message: string },
  { maxDanglingShare, changeFloorRows }: TableGuards,
  lifted: readonly string[],
): readonly Refusal[] {
  if (lifted.includes('references')) return [];
  if (dangling <= changeFloorRows || dangling <= maxDanglingShare * inForce) return [];
  return [
    {
      guard: 'references',
      message,
      numbers: { dangling, inForce, maxDanglingShare },
    },
  ];
}

function judgeFold(
  { register: { tables }, liftedGuards }: TableRun,
  { into, naming, message }: Fold,
  compared: readonly Compared[],
): readonly Refusal[] {
  const guards = tables[naming]?.guards;
  const read = compared.find(({ plan }) => plan.entity === naming)?.total?.read;
  const folded = compared.find(({ plan }) => plan.table === into)?.total?.read;
  if (guards === undefined || read === undefined || folded === undefined) return [];
  const found = { inForce: read.current, dangling: folded.unresolved, message };
  return judgeReferences(found, guards, liftedGuards);
}

export async function judgeTables(
  store: Store,
  run: TableRun,
  compared: readonly Compared[],
  { unplaced: unplacedOf }: Pick<FoundRows, 'unplaced'>,
): Promise<readonly Refusal[]> {
  const refusals = compared.flatMap(({ plan, total, delta, whole, part, doubled }) => [
    ...(total === null || whole === null
      ? []
      : judgeTable(
          {
            plan,
            read: total.read,
            difference: whole,
            doubled,
            whole: true,
            unplaced: unplacedOf.get(plan.entity) ?? 0,
          },
          run.liftedGuards,
        )),
    ...(delta === null || part === null
      ? []
      : judgeTable(
          {
            // Deltas are judged against a total of this run.
            plan: { ...plan, known: plan.known ?? knownAfter(plan, { total, delta: null }) },
            read: delta.read,
            difference: part,
            doubled: 0,
            whole: false,
            // Reported once, with the total if there is one.
            unplaced: total === null ? (unplacedOf.get(plan.entity) ?? 0) : 0,
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
  const { schema, tables } = run.register;
  if (schema.fold !== undefined) return judgeFold(run, schema.fold, compared);
  const guards = tables[schema.references?.guardedBy ?? '']?.guards;
  if (schema.references === null || guards === undefined) return refusals;
  const { references } = schema;
  const isMirrored = (name: string): boolean =>
    schema.tables.some(
      ({ table, entity }) => table === name && (tables[entity]?.source ?? null) !== null,
    );
  const of = references.of.filter(({ from, to }) => isMirrored(from) && isMirrored(to));
  if (of.length === 0) return refusals;
  const name = (table: string) => nexts.get(table) ?? table;
  const found = await withMemory(store, (db) => countDangling(db, { ...references, of }, name));
  return judgeReferences({ ...found, message: references.message }, guards, run.liftedGuards);
}
