/** The address register (DAR) as it is mirrored: where its files are, how fresh, how guarded. */
import { LIMITS } from '../kernel/limits.ts';
import { ADDRESS_SCHEMA, ADDRESS_TABLES } from './address-tables.ts';
import type { AddressEntity } from './address-tables.ts';
import { ADDRESSES } from './keys.ts';
import type { MirroredTable, TableRegister } from './register.ts';

const DAY_S = 24 * 3600;
const DOWNLOADS_URL = 'https://api.datafordeler.dk/FileDownloads';

function tableOf({ entity, register }: (typeof ADDRESS_TABLES)[number]): MirroredTable {
  return {
    source: {
      kind: 'files',
      host: 'datafordeler-files',
      listUrl: `${DOWNLOADS_URL}/v2.0/GetAvailableFileDownloads`,
      fetchUrl: `${DOWNLOADS_URL}/v1.0/GetFile`,
      register,
      entity,
      format: 'csv',
      versions: ['1', '2', '3'],
      minBytes: 10_000,
      listTimeoutMs: 60_000,
      fetchTimeoutMs: 30 * 60_000,
      tries: 10,
      apiKeyParameter: 'apikey',
    },
    guards: {
      minRows: MIN_ROWS[entity],
      maxDropShare: 0.02,
      maxGrowthShare: 0.25,
      maxChangeShare: 0.2,
      changeFloorRows: 25,
      maxIssueShare: 0.02,
      maxDanglingShare: 0.05,
    },
  };
}

/** Least rows: two thirds of what upstream/registers-geo.md 3.1, 4.1 and 4.2 counts, or a safe floor. */
const MIN_ROWS: Readonly<Record<AddressEntity, number>> = {
  Postnummer: 900,
  SupplerendeBynavn: 3_000,
  NavngivenVej: 80_000,
  NavngivenVejKommunedel: 80_000,
  Adressepunkt: 1_800_000,
  Husnummer: 1_800_000,
  Adresse: 2_800_000,
  Jordstykke: 1_800_000,
  Ejendomsbeliggenhed: 1_800_000,
};

export const ADDRESS_REGISTER: TableRegister = {
  id: ADDRESSES,
  register: 'addresses',
  name: 'Adresser',
  // Deltas come daily: two may be missed before the copy counts as late.
  freshness: { limitS: 3 * DAY_S, hardLimitS: LIMITS.hardAgeS },
  tables: Object.fromEntries(ADDRESS_TABLES.map((table) => [table.entity, tableOf(table)])),
  schema: ADDRESS_SCHEMA,
};
