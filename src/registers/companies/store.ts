import type { Store } from '../../db/connect.ts';
import type { Company } from './company.ts';
import { COMPANY_LIMITS } from './limits.ts';
import { companyOf } from './folded.ts';
import { COPY, isTorn } from '../../layers/published-copy.ts';
import type { PublishedCopy } from '../../layers/published-copy.ts';

export interface CompanyRead {
  readonly generation: number;
  /** One of its rows, or possibly its, could not be read (D143). */
  readonly isTorn: boolean;
  readonly copy: PublishedCopy | null;
  /** undefined: no company has the number; null: over the size limit. */
  readonly found: Company | null | undefined;
}

interface Row extends Pick<CompanyRead, 'generation' | 'copy'> {
  readonly is_known: boolean;
  readonly record: string | null;
}

const STATEMENT = `
  select s.generation, ${COPY},
    c.number is not null as is_known,
    case when length(c.record) <= $2::integer then c.record end as record
  from store_state s
  left join layer_state l on l.layer = 'cvr'
  left join company c on c.number = $1::bigint`;

/** Throws when the store does not answer or its content cannot be read. */
export function readCompany(store: Pick<Store, 'pool'>): (number: number) => Promise<CompanyRead> {
  return async (number) => {
    const values = [number, COMPANY_LIMITS.recordChars];
    const { rows } = await store.pool.query<Row>({ name: 'company', text: STATEMENT, values });
    const [row] = rows;
    if (row === undefined) throw new Error('The store has no generation.');
    return {
      generation: row.generation,
      isTorn: isTorn(row.copy?.unanswered?.objects, String(number), row.is_known),
      copy: row.copy,
      found: row.is_known ? readRecord(number, row.record) : undefined,
    };
  };
}

function readRecord(number: number, record: string | null): Company | null {
  try {
    return companyOf({ number, record });
  } catch {
    // The parser's message quotes the record, which may be personal (D117).
    throw new Error('A company in the store cannot be read.');
  }
}
