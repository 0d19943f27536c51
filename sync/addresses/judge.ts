/** The guards over the staged tables, by their names in check.ts: pure, over counts. */
import type { Guards } from '../../src/layers/source.ts';
import type { TableGuards } from '../../src/layers/address-register.ts';
import { check } from '../check.ts';
import type { Evidence, Refusal } from '../check.ts';
import type { TableDifference, TablePlan, TableReading } from './terms.ts';

export interface TableEvidence {
  readonly plan: Pick<TablePlan, 'entity' | 'guards' | 'known'>;
  readonly read: TableReading;
  readonly difference: TableDifference;
  /** Rows that came twice under one id and were made one. */
  readonly doubled: number;
  readonly whole: boolean;
}

/** Every guard that refuses this table, first cause first, told with the table's name. */
export function judgeTable(found: TableEvidence, lifted: readonly string[]): readonly Refusal[] {
  return check(evidenceOf(found), guardsOf(found.plan.guards), lifted).map((refusal) => ({
    ...refusal,
    message: `${found.plan.entity}: ${refusal.message}`,
  }));
}

function evidenceOf({ plan, read, difference, doubled, whole }: TableEvidence): Evidence {
  const { after, before, inserted, changed, removed, lost } = difference;
  const parsed =
    read.current + read.former + read.closed + read.future + read.past + read.unreadable;
  return {
    announced: [],
    received: read.received,
    parsed,
    mapped: whole ? read.current - doubled : after,
    staged: after,
    lostInRepair: 0,
    // Points at 0,0 are known of this register; their addresses simply have no place.
    outsideDenmark: 0,
    distinctKeys: after,
    unreadable: read.unreadable,
    lostFeatures: lost,
    repairedAreaM2: 0,
    areaM2: 0,
    lastGoodRows: plan.known === null ? null : before,
    lastGoodAreaM2: null,
    inserted,
    changed,
    removed,
    // Spellings come and go; what the table cannot do without must be there.
    columns: { added: [], missing: read.missing, retyped: [], drifting: [] },
    placesAsked: 0,
    placesWrong: 0,
    canaryAsked: 0,
    canaryChanged: 0,
  };
}

function guardsOf(guards: TableGuards): Guards {
  const { minRows, maxChangeShare, changeFloorRows, maxIssueShare } = guards;
  const { maxDropShare, maxGrowthShare } = guards;
  return {
    minRows,
    maxChangeShare,
    changeFloorRows,
    maxIssueShare,
    maxLostRows: 0,
    maxDropShare,
    maxGrowthShare,
    maxAreaDropShare: 1,
    maxAreaGrowthShare: 1,
    maxRepairShare: 1,
    maxCanaryShare: 1,
    knownPlaces: [],
  };
}

/** Too many addresses that refer to rows that are not there: two tables of different days. */
export function judgeReferences(
  { inForce, dangling }: { readonly inForce: number; readonly dangling: number },
  { maxDanglingShare, changeFloorRows }: TableGuards,
  lifted: readonly string[],
): readonly Refusal[] {
  if (lifted.includes('references')) return [];
  if (dangling <= changeFloorRows || dangling <= maxDanglingShare * inForce) return [];
  return [
    {
      guard: 'references',
      message: 'Too many addresses in force refer to roads or access addresses that are not there.',
      numbers: { dangling, inForce, maxDanglingShare },
    },
  ];
}
