import { sql } from 'kysely';
import type { Store } from '../src/db/connect.ts';
import { LIMITS } from '../src/kernel/limits.ts';
import { storableText } from '../src/kernel/text.ts';
import type { ClaimedRun } from './deps.ts';

type IssueKind = 'unreadable' | 'repaired' | 'empty' | 'outside-denmark';

export interface Issue {
  readonly key: string | null;
  readonly kind: IssueKind;
  readonly detail: string;
}

/**
 * Keeps the first `syncIssuesKept`; counts include all. Repairs, many in a national layer, have
 * their own limit.
 */
export async function keepIssues(
  store: Store,
  run: Pick<ClaimedRun, 'id' | 'counts'>,
  issues: readonly Issue[],
): Promise<void> {
  const { counts } = run;
  const isRepair = ({ kind }: Issue) => kind === 'repaired';
  const missing = counts.unreadable + counts.lostInRepair + counts.outsideDenmark;
  const kept = [
    ...firstKept(issues.filter(isRepair), counts.repaired),
    ...firstKept(
      issues.filter((issue) => !isRepair(issue)),
      missing,
    ),
  ];
  if (kept.length === 0) return;
  await sql`
    insert into sync_issue (run_id, feature_key, kind, detail)
    select ${run.id}::bigint, * from unnest(
      ${kept.map(({ key }) => key && storableText(key))}::text[],
      ${kept.map(({ kind }) => kind)}::text[],
      ${kept.map(({ detail }) => storableText(detail.slice(0, 500)))}::text[])`.execute(store.db);
}

function firstKept(issues: readonly Issue[], counted: number): readonly Issue[] {
  const before = counted - issues.length;
  return issues.slice(0, Math.max(0, LIMITS.syncIssuesKept - before));
}
