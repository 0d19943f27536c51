import type { Store } from '../../db/connect.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { PropertyAssessments } from './assessment.ts';
import { COPY } from '../../layers/published-copy.ts';
import type { PublishedCopy } from '../../layers/published-copy.ts';
import { assessmentsOf } from './folded.ts';
import type { FoldedAssessments } from './folded.ts';

export interface AssessmentsRead {
  readonly generation: number;
  /** Numbers with unreadable rows (D143); null: unknown number. */
  readonly unread: readonly (string | null)[];
  readonly copy: PublishedCopy | null;
  /** undefined: no assessment refers to it; null: over the size limit. */
  readonly found: PropertyAssessments | null | undefined;
}

interface Row extends Pick<AssessmentsRead, 'generation' | 'copy'>, FoldedAssessments {
  readonly is_known: boolean;
}

const STATEMENT = `
  select s.generation, ${COPY},
    a.bfe is not null as is_known, a.unresolved,
    case when length(a.assessments) <= $2::integer then a.assessments end as assessments
  from store_state s
  left join layer_state l on l.layer = 'vurdering'
  left join assessment a on a.bfe = $1::bigint`;

/** Throws when the store does not answer or its content cannot be read. */
export function readAssessments(
  store: Pick<Store, 'pool'>,
): (bfe: number) => Promise<AssessmentsRead> {
  return async (bfe) => {
    const values = [bfe, LIMITS.assessments.perPropertyChars];
    const { rows } = await store.pool.query<Row>({ name: 'assessments', text: STATEMENT, values });
    const [row] = rows;
    if (row === undefined) throw new Error('The store has no generation.');
    return {
      generation: row.generation,
      unread: row.copy?.unanswered?.objects ?? [],
      copy: row.copy,
      found: row.is_known ? assessmentsOf(row) : undefined,
    };
  };
}
