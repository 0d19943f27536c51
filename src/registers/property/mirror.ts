import { BBR_SCHEMA } from './tables.ts';
import { datafordelerTables } from '../../layers/datafordeler-tables.ts';
import { BBR } from '../../layers/keys.ts';
import { FRESHNESS } from '../../layers/layer-defaults.ts';
import type { TableRegister } from '../../layers/register.ts';

/** Two thirds of the open rows estimated in upstream/registers-bbr.md 13, or a safe floor. */
const MIN_ROWS = {
  Ejendomsrelation: 1_700_000,
  Grund: 1_900_000,
  GrundJordstykke: 1_600_000,
  Bygning: 3_800_000,
  BygningEjendomsrelation: 40_000,
  Etage: 3_000_000,
  Opgang: 2_100_000,
  Enhed: 2_700_000,
  EnhedEjendomsrelation: 200_000,
  TekniskAnlaeg: 700_000,
};

export const BBR_REGISTER: TableRegister = {
  id: BBR,
  register: 'bbr',
  name: 'BBR',
  called: ['BBR', 'BBR'],
  freshness: FRESHNESS.daily,
  tables: datafordelerTables(BBR_SCHEMA, { minRows: MIN_ROWS }),
  schema: BBR_SCHEMA,
};
