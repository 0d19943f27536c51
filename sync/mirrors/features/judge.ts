import type { Store } from '../../../src/db/connect.ts';
import { askCanary, askPlaces } from './canary.ts';
import { check } from '../../check.ts';
import { explain } from '../../dated/explain.ts';
import type { Evidence, Refusal } from '../../check.ts';
import type { Run } from '../../deps.ts';
import { isUnchanged } from './diff.ts';
import type { Difference, LastGood } from './diff.ts';
import type { StageCounts } from './stage.ts';

/**
 * Every guard that refuses. The canary is asked last, of a stage that changes something. Due
 * confirmed changes are taken out first. Fills the run's counts.
 */
export async function judge(
  db: Store['db'],
  run: Run,
  by: {
    readonly staged: StageCounts;
    readonly difference: Difference;
    readonly lastGood: LastGood | null;
    readonly liftedGuards: readonly string[];
  },
): Promise<readonly Refusal[]> {
  const { staged, difference, lastGood, liftedGuards } = by;
  const { counts, layer } = run;
  Object.assign(counts, await askPlaces(db, run));
  const evidence = (): Evidence => ({
    ...counts,
    // Unreadable features have a position or are unplaced.
    lostFeatures: 0,
    staged: staged.rows,
    distinctKeys: staged.distinctKeys,
    areaM2: staged.areaM2,
    lastGoodRows: lastGood?.rows ?? null,
    lastGoodAreaM2: lastGood?.areaM2 ?? null,
  });
  const isFirst = lastGood === null || lastGood.rows === 0;
  let refusals = check(evidence(), layer.guards, liftedGuards);
  if (isFirst || isUnchanged(difference)) return refusals;
  if (refusals.length === 0) {
    Object.assign(counts, await askCanary(db, run));
    refusals = check(evidence(), layer.guards, liftedGuards);
  }
  if (refusals.length === 0) return refusals;
  const explained = await explain(db, run, evidence());
  if (explained === null) return refusals;
  counts.notes.push(`confirmed: ${explained.changes.join(', ')}`);
  return check(explained.evidence, explained.guards, liftedGuards);
}
