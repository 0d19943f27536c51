import { ADDRESS_SCHEMA } from './tables.ts';
import type { AddressEntity } from './tables.ts';
import { datafordelerTables } from '../../layers/datafordeler-tables.ts';
import { ADDRESSES } from '../../layers/keys.ts';
import { FRESHNESS } from '../../layers/layer-defaults.ts';
import type { TableRegister } from '../../layers/register.ts';

/** Two thirds of the counts in upstream/registers-geo.md 3.1 and 4.2, or a safe floor. */
const MIN_ROWS: Readonly<Record<AddressEntity, number>> = {
  Postnummer: 900,
  SupplerendeBynavn: 3_000,
  NavngivenVej: 80_000,
  NavngivenVejKommunedel: 80_000,
  Adressepunkt: 1_800_000,
  Husnummer: 1_800_000,
  Adresse: 2_800_000,
  Ejendomsbeliggenhed: 1_800_000,
};

const IN_FORCE = 3;

export const ADDRESS_REGISTER: TableRegister = {
  id: ADDRESSES,
  register: 'addresses',
  name: 'Adresser',
  called: ['the addresses', 'adresserne'],
  freshness: FRESHNESS.daily,
  tables: datafordelerTables(ADDRESS_SCHEMA, { minRows: MIN_ROWS }),
  schema: ADDRESS_SCHEMA,
  located: {
    ...{ table: 'address_access', point: 'point_id', points: 'address_point' },
    inForce: [IN_FORCE],
  },
};
