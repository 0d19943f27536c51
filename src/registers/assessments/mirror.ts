/** Public assessments (VUR) as they are mirrored: where the files are, how fresh, how guarded. */
import { LIMITS } from '../../kernel/limits.ts';
import { ASSESSMENT_SCHEMA } from './tables.ts';
import { datafordelerTables } from '../../layers/datafordeler-tables.ts';
import { ASSESSMENTS } from '../../layers/keys.ts';
import type { TableRegister } from '../../layers/register.ts';

const DAY_S = 24 * 3600;

/** Two thirds of what upstream/registers-bbr.md 10 knows; of assessments some 45 M, by the size of their file. */
const MIN_ROWS = {
  BFEKrydsreference: 33_000_000,
  Ejendomsvurdering: 25_000_000,
  Vurderingsejendom: 1_600_000,
};

/** There are no others, and no deltas. */
const WHOLE = { contents: 'Bitemporal' } as const;

export const ASSESSMENT_REGISTER: TableRegister = {
  id: ASSESSMENTS,
  register: 'assessments',
  name: 'VUR',
  // Totals are weekly: a day more than a week may pass.
  freshness: { limitS: 8 * DAY_S, hardLimitS: LIMITS.hardAgeS },
  tables: datafordelerTables(ASSESSMENT_SCHEMA, {
    minRows: MIN_ROWS,
    files: { BFEKrydsreference: WHOLE, Ejendomsvurdering: WHOLE, Vurderingsejendom: WHOLE },
  }),
  schema: ASSESSMENT_SCHEMA,
};
