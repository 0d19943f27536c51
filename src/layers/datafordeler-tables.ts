import { LIMITS } from '../kernel/limits.ts';
import type { MirroredTable, TableGuards } from './register.ts';
import type { RegisterSchema } from './register-tables.ts';
import type { TableSource } from './source.ts';

const DOWNLOADS_URL = 'https://api.datafordeler.dk/FileDownloads';

export const DATAFORDELER_FILES = {
  kind: 'files',
  host: 'datafordeler-files',
  listUrl: `${DOWNLOADS_URL}/v2.0/GetAvailableFileDownloads`,
  fetchUrl: `${DOWNLOADS_URL}/v1.0/GetFile`,
  versions: ['1', '2', '3'],
  minBytes: 10_000,
  listTimeoutMs: 60_000,
  fetchTimeoutMs: 30 * 60_000,
  tries: 10,
  apiKeyParameter: 'apikey',
} as const satisfies Partial<TableSource>;

const FILES: Omit<TableSource, 'register' | 'entity'> = {
  ...{ ...DATAFORDELER_FILES, format: 'csv' },
  maxBytes: LIMITS.tableBytes,
  maxUnpackedBytes: LIMITS.tableUnpackedBytes,
};

const GUARDS: Omit<TableGuards, 'minRows'> = {
  maxDropShare: 0.02,
  maxGrowthShare: 0.25,
  maxChangeShare: 0.2,
  changeFloorRows: 25,
  maxIssueShare: 0.02,
  maxDanglingShare: 0.05,
};

/** `minRows`: two thirds of the known rows, or a safe floor. `files`: differences, by entity. */
export function datafordelerTables(
  { tables }: RegisterSchema,
  {
    minRows,
    files = {},
  }: {
    readonly minRows: Readonly<Record<string, number>>;
    readonly files?: Readonly<Record<string, Partial<TableSource>>>;
  },
): Readonly<Record<string, MirroredTable>> {
  return Object.fromEntries(
    tables.map(({ entity, register }): [string, MirroredTable] => {
      const least = minRows[entity];
      if (least === undefined) throw new Error(`Nobody says how many rows ${entity} has.`);
      return [
        entity,
        {
          source: { ...FILES, register, entity, ...files[entity] },
          guards: { minRows: least, ...GUARDS },
        },
      ];
    }),
  );
}
