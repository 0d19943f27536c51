/** The address register (DAR) as it is mirrored: where its files are, how fresh, how guarded. */
import { LIMITS } from '../kernel/limits.ts';
import { ADDRESS_TABLES } from './address-tables.ts';
import type { AddressEntity } from './address-tables.ts';
import { ADDRESSES } from './keys.ts';
import type { Freshness, TableSource } from './source.ts';

/** Limits a sync of the addresses is checked against before it may publish. */
export interface TableGuards {
  /** Fewer rows than this in a whole table refuse the run. */
  readonly minRows: number;
  /** Largest net loss and gain of a table's rows in one run, as shares of the copy. */
  readonly maxDropShare: number;
  readonly maxGrowthShare: number;
  /** Largest share of the copy's rows that one run may change or remove, and a floor in rows. */
  readonly maxChangeShare: number;
  readonly changeFloorRows: number;
  /** Largest share of the rows read that may be unreadable (0 to 1). */
  readonly maxIssueShare: number;
  /** Largest share of the addresses in force that may refer to rows that are not there. */
  readonly maxDanglingShare: number;
}

export interface MirroredTable {
  /** null: this table is not mirrored here; what depends on it is left open. */
  readonly source: TableSource | null;
  readonly guards: TableGuards;
}

export interface AddressRegister {
  readonly id: typeof ADDRESSES;
  readonly register: 'addresses';
  readonly name: string;
  readonly freshness: Freshness;
  readonly tables: Readonly<Record<AddressEntity, MirroredTable>>;
}

/** What an override file says about the addresses; `files` and `guards` are for every table. */
export interface AddressOverride {
  readonly freshness?: Partial<Freshness>;
  readonly files?: Partial<TableSource>;
  readonly guards?: Partial<TableGuards>;
  /** On top of those. A source of null: the table is not mirrored. */
  readonly tables?: Readonly<Partial<Record<AddressEntity, TableOverride>>>;
}

export interface TableOverride {
  readonly source?: Partial<TableSource> | null;
  readonly guards?: Partial<TableGuards>;
}

/** The register with some of its definition replaced. */
export function overrideAddresses(
  base: AddressRegister,
  { freshness, files, guards, tables = {} }: AddressOverride,
): AddressRegister {
  const overridden = ADDRESS_TABLES.map(({ entity }) => {
    const table = base.tables[entity];
    const own = tables[entity];
    const isLeftOut = table.source === null || own?.source === null;
    const source = isLeftOut ? null : { ...table.source, ...files, ...own?.source };
    return [entity, { source, guards: { ...table.guards, ...guards, ...own?.guards } }] as const;
  });
  return {
    ...base,
    freshness: { ...base.freshness, ...freshness },
    tables: Object.fromEntries(overridden) as unknown as AddressRegister['tables'],
  };
}

const DAY_S = 24 * 3600;
const DOWNLOADS_URL = 'https://api.datafordeler.dk/FileDownloads';

/** Of another register than the addresses themselves: without them an address has no BFE. */
export const OTHER_REGISTERS: Readonly<Partial<Record<AddressEntity, string>>> = {
  Jordstykke: 'MAT',
  Ejendomsbeliggenhed: 'EBR',
};

function tableOf(entity: AddressEntity, minRows: number): MirroredTable {
  return {
    source: {
      kind: 'files',
      host: 'datafordeler-files',
      listUrl: `${DOWNLOADS_URL}/v2.0/GetAvailableFileDownloads`,
      fetchUrl: `${DOWNLOADS_URL}/v1.0/GetFile`,
      register: OTHER_REGISTERS[entity] ?? 'DAR',
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
      minRows,
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

export const ADDRESS_REGISTER: AddressRegister = {
  id: ADDRESSES,
  register: 'addresses',
  name: 'Adresser',
  // Deltas come daily: two may be missed before the copy counts as late.
  freshness: { limitS: 3 * DAY_S, hardLimitS: LIMITS.hardAgeS },
  tables: Object.fromEntries(
    ADDRESS_TABLES.map(({ entity }) => [entity, tableOf(entity, MIN_ROWS[entity])]),
  ) as unknown as AddressRegister['tables'],
};
