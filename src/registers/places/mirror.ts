/** Place names (DS) as they are mirrored: where the files are, how fresh, how guarded. */
import { LIMITS } from '../../kernel/limits.ts';
import { datafordelerTables } from '../../layers/datafordeler-tables.ts';
import { PLACE_NAMES } from '../../layers/keys.ts';
import { NAMES, PLACE_SCHEMA } from './tables.ts';
import { PLACE_TYPES } from './types.ts';
import type { TableRegister } from '../../layers/register.ts';

const DAY_S = 24 * 3600;

/** Nobody tells how many there are: far below what the country must have. */
const MIN_NAMES = 100_000;

/** Some types are a few dozen points: their whole files are smaller than a stub of others. */
const SMALL = { minBytes: 1_000 } as const;

export const PLACE_REGISTER: TableRegister = {
  id: PLACE_NAMES,
  register: 'places',
  name: 'Danske Stednavne',
  // Totals are weekly: a day more than a week may pass.
  freshness: { limitS: 8 * DAY_S, hardLimitS: LIMITS.hardAgeS },
  tables: datafordelerTables(PLACE_SCHEMA, {
    minRows: {
      ...Object.fromEntries(PLACE_TYPES.map(({ entity }) => [entity, 1])),
      [NAMES]: MIN_NAMES,
    },
    files: {
      ...Object.fromEntries(PLACE_TYPES.map(({ entity }) => [entity, SMALL])),
      // The names come in no other kind.
      [NAMES]: { contents: 'Bitemporal' },
    },
  }),
  schema: PLACE_SCHEMA,
};
