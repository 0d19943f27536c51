/** All assessments of a property from the store, with how their mirror stands. One statement. */
import type { Store } from '../../db/connect.ts';
import { askPlanned } from '../../db/planned.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { PropertyAssessments } from '../../layers/assessment.ts';
import type { PublishedCopy } from '../../layers/published-copy.ts';
import { assessmentsOf } from '../../layers/folded-assessments.ts';
import type { FoldedAssessments } from '../../layers/folded-assessments.ts';

export interface AssessmentsRead {
  readonly generation: number;
  /** null: never mirrored. */
  readonly copy: PublishedCopy | null;
  /** undefined: no assessment refers to it; null: more than may be read. */
  readonly found: PropertyAssessments | null | undefined;
}

interface Row extends FoldedAssessments {
  readonly generation: number;
  readonly version: number | null;
  readonly synced_ms: number;
  readonly held: boolean;
  readonly outdated_ms: number | null;
  readonly is_known: boolean;
}

const STATEMENT = `
  select s.generation, l.version, (extract(epoch from l.synced_at) * 1000)::float8 as synced_ms,
    l.held_since is not null as held,
    (extract(epoch from l.outdated_at) * 1000)::float8 as outdated_ms,
    a.bfe is not null as is_known, a.unresolved,
    case when length(a.assessments) <= $2::integer then a.assessments end as assessments
  from store_state s
  left join layer_state l on l.layer = 'vurdering'
  left join assessment a on a.bfe = $1::bigint`;

/** Throws when the store does not answer, or what it holds cannot be read. */
export async function readAssessments(
  store: Pick<Store, 'kind' | 'pool'>,
  bfe: number,
): Promise<AssessmentsRead> {
  const values = [bfe, LIMITS.assessments.perPropertyChars];
  const [row] = await askPlanned<Row>(store, { name: 'assessments', text: STATEMENT, values });
  if (row === undefined) throw new Error('The store has no generation.');
  const { generation, version, synced_ms: syncedAtMs, held, outdated_ms: outdatedAtMs } = row;
  return {
    generation,
    copy: version === null ? null : { version, syncedAtMs, held, outdatedAtMs },
    found: row.is_known ? assessmentsOf(row) : undefined,
  };
}
