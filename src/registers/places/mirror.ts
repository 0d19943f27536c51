import { datafordelerTables } from '../../layers/datafordeler-tables.ts';
import { PLACE_NAMES } from '../../layers/keys.ts';
import { FRESHNESS } from '../../layers/layer-defaults.ts';
import { NAMES, PLACE_SCHEMA } from './tables.ts';
import { PLACE_TYPES } from './types.ts';
import type { TableRegister } from '../../layers/register.ts';

/** The real number is unknown; the country must have far more. */
const MIN_NAMES = 100_000;

/** Some types have a few dozen points: whole files smaller than a stub of others. */
const SMALL = { minBytes: 1_000 } as const;

export const PLACE_REGISTER: TableRegister = {
  id: PLACE_NAMES,
  register: 'places',
  name: 'Danske Stednavne',
  called: ['the place names', 'stednavnene'],
  freshness: FRESHNESS.weekly,
  with502: ['unreadable'],
  tables: datafordelerTables(PLACE_SCHEMA, {
    minRows: {
      ...Object.fromEntries(PLACE_TYPES.map(({ entity }) => [entity, 1])),
      [NAMES]: MIN_NAMES,
    },
    files: {
      ...Object.fromEntries(PLACE_TYPES.map(({ entity }) => [entity, SMALL])),
      // The only kind of file for names.
      [NAMES]: { contents: 'Bitemporal' },
    },
  }),
  schema: PLACE_SCHEMA,
};
