import { CADASTRE_SCHEMA } from './tables.ts';
import { datafordelerTables } from '../../layers/datafordeler-tables.ts';
import { CADASTRE } from '../../layers/keys.ts';
import { FRESHNESS } from '../../layers/layer-defaults.ts';
import type { TableRegister } from '../../layers/register.ts';

/**
 * Two thirds of the known counts (upstream/registers-geo.md 4, registers-bbr.md 13), or a safe
 * floor.
 */
const MIN_ROWS = {
  Ejerlav: 6_000,
  SamletFastEjendom: 1_300_000,
  Jordstykke: 1_800_000,
  Ejerlejlighed: 200_000,
  BygningPaaFremmedGrund: 40_000,
  Lodflade: 1_800_000,
};

export const CADASTRE_REGISTER: TableRegister = {
  id: CADASTRE,
  register: 'cadastre',
  name: 'Matriklen',
  called: ['the cadastre', 'matriklen'],
  freshness: FRESHNESS.daily,
  tables: datafordelerTables(CADASTRE_SCHEMA, {
    minRows: MIN_ROWS,
    // The geometry format in CSV is not known; in JSON it is WKT.
    files: { Lodflade: { format: 'json' } },
  }),
  schema: CADASTRE_SCHEMA,
};
