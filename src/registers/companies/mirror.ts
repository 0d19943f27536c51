/** Companies (CVR) as they are mirrored: where the files are, how fresh, how guarded; and where one is asked for. */
import { LIMITS } from '../../kernel/limits.ts';
import { PERSONAL_FORMS, VIRK_SEARCH } from './company.ts';
import { COMPANY_SCHEMA } from './tables.ts';
import { datafordelerTables } from '../../layers/datafordeler-tables.ts';
import { COMPANIES } from '../../layers/keys.ts';
import type { TableRegister } from '../../layers/register.ts';

const DAY_S = 24 * 3600;

/**
 * Two thirds of the 600,000 active companies that upstream/registers-bbr.md 12 knows of. How many are
 * protected nobody knows.
 */
const ACTIVE = 400_000;
const MIN_ROWS = {
  Virksomhed: ACTIVE,
  Navn: ACTIVE,
  Adressering: ACTIVE,
  Branche: ACTIVE,
  Virksomhedsform: ACTIVE,
  Reklamebeskyttelse: 1,
};

/** In files of today alone there is no company that has ended (D118). */
const WHOLE = { contents: 'Bitemporal' } as const;

export const COMPANY_REGISTER: TableRegister = {
  id: COMPANIES,
  register: 'companies',
  name: 'CVR',
  // Totals are weekly: a day more than a week may pass.
  freshness: { limitS: 8 * DAY_S, hardLimitS: LIMITS.hardAgeS },
  tables: datafordelerTables(COMPANY_SCHEMA, {
    minRows: MIN_ROWS,
    files: Object.fromEntries(COMPANY_SCHEMA.tables.map(({ entity }) => [entity, WHOLE])),
  }),
  schema: COMPANY_SCHEMA,
  personalForms: PERSONAL_FORMS,
  search: VIRK_SEARCH,
};
