import { ASSESSMENT_SCHEMA } from './tables.ts';
import { datafordelerTables } from '../../layers/datafordeler-tables.ts';
import { ASSESSMENTS } from '../../layers/keys.ts';
import { FRESHNESS } from '../../layers/layer-defaults.ts';
import type { TableRegister } from '../../layers/register.ts';

/**
 * Two thirds of the counts in upstream/registers-bbr.md 10; assessments are some 45 M, by their
 * file size.
 */
const MIN_ROWS = {
  BFEKrydsreference: 33_000_000,
  Ejendomsvurdering: 25_000_000,
  Vurderingsejendom: 1_600_000,
};

/** The only kind of file; there are no deltas. */
const WHOLE = { contents: 'Bitemporal' } as const;

export const ASSESSMENT_REGISTER: TableRegister = {
  id: ASSESSMENTS,
  register: 'assessments',
  name: 'VUR',
  called: ['the assessments', 'vurderingerne'],
  freshness: FRESHNESS.weekly,
  with502: ['tooOld', 'unreadable'],
  tables: datafordelerTables(ASSESSMENT_SCHEMA, {
    minRows: MIN_ROWS,
    files: { BFEKrydsreference: WHOLE, Ejendomsvurdering: WHOLE, Vurderingsejendom: WHOLE },
  }),
  schema: ASSESSMENT_SCHEMA,
};
