import { Type } from 'typebox';
import type { Catalogue } from '../../layers/catalogue.ts';
import { datafordelerTables } from '../../layers/datafordeler-tables.ts';
import { COMPANIES } from '../../layers/keys.ts';
import { FRESHNESS } from '../../layers/layer-defaults.ts';
import { ownSetting } from '../../layers/register.ts';
import type { TableRegister } from '../../layers/register.ts';
import { WFS_SOURCE, partialOf } from '../../layers/source-shapes.ts';
import { PERSONAL_FORMS, VIRK_SEARCH } from './company.ts';
import type { CompanySearch, PersonalForms } from './company.ts';
import { COMPANY_SCHEMA } from './tables.ts';

/**
 * Two thirds of the 600,000 active companies in upstream/registers-bbr.md 12. The number of
 * protected ones is unknown.
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

/** Files of current data hold no ended companies (D118). */
const WHOLE = { contents: 'Bitemporal' } as const;

const PERSONAL_FORMS_SHAPE = Type.Record(
  Type.String({ pattern: '^\\d{1,4}$' }),
  Type.String({ minLength: 1, maxLength: 100 }),
  { additionalProperties: false },
);

const SEARCH_SHAPE = partialOf({
  url: WFS_SOURCE.url,
  pointTimeoutMs: WFS_SOURCE.pointTimeoutMs,
  tries: WFS_SOURCE.tries,
  leastCompanies: Type.Integer({ minimum: 1 }),
});

export const COMPANIES_MIRROR: TableRegister = {
  id: COMPANIES,
  register: 'companies',
  name: 'CVR',
  called: ['the register of companies', 'CVR'],
  freshness: FRESHNESS.weekly,
  with502: ['unreadable'],
  tables: datafordelerTables(COMPANY_SCHEMA, {
    minRows: MIN_ROWS,
    files: Object.fromEntries(COMPANY_SCHEMA.tables.map(({ entity }) => [entity, WHOLE])),
  }),
  schema: COMPANY_SCHEMA,
  own: {
    // An operator's list replaces this one whole.
    personalForms: { value: PERSONAL_FORMS, schema: PERSONAL_FORMS_SHAPE, isReplacedWhole: true },
    search: { value: VIRK_SEARCH, schema: SEARCH_SHAPE, isReplacedWhole: false },
  },
};

/** The forms whose data are personal (D117). */
export function personalFormsOf({ registers }: Pick<Catalogue, 'registers'>): PersonalForms {
  return ownSetting(registers[COMPANIES], 'personalForms') as PersonalForms;
}

export function searchOf({ registers }: Pick<Catalogue, 'registers'>): CompanySearch {
  return ownSetting(registers[COMPANIES], 'search') as CompanySearch;
}
