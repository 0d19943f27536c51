/**
 * What may go wrong at the files of the place names, and what a sync makes of it. Data only;
 * `docs/fault-matrix.md` has it as a table, test/sync/register-faults.test.ts plays it.
 */
import { brokenFiles, only } from './matrix-tables.ts';
import type { TableRow } from './matrix-tables.ts';

const DS = {
  register: 'stednavne',
  told: '503 or the copy before; never an empty list or 404',
} as const;

export const PLACE_ROWS: Readonly<Record<string, TableRow>> = {
  ...brokenFiles('ds', DS),
  'ds-type-unlisted': {
    about: 'The listing lacks the table of one place type',
    ...{ ...DS, sync: 'refused' },
    tables: { listing: (entries) => entries.filter(({ entityName }) => entityName !== 'Soe') },
  },
  'ds-names-emptied': {
    about: 'The names table has no rows',
    ...{ ...DS, sync: 'refused' },
    tables: only('Stednavn', () => []),
  },
  'ds-type-emptied': {
    about: 'The table of one place type has no rows',
    ...{ ...DS, sync: 'refused' },
    tables: only('Bebyggelse', () => []),
  },
  'ds-geometry-gone': {
    about: 'The table of one place type lacks the geometry',
    ...{ ...DS, sync: 'refused' },
    tables: only('Bebyggelse', (rows) => rows.map(({ geometri: _gone, ...row }) => row)),
  },
  'ds-geometry-unreadable': {
    about: 'No geometry of one place type is WKT',
    ...{ ...DS, sync: 'refused' },
    tables: only('Bebyggelse', (rows) => rows.map((row) => ({ ...row, geometri: 'POLYGON ((' }))),
  },
  'ds-status-gone': {
    about: 'The names table lacks the status',
    ...{ ...DS, sync: 'refused' },
    tables: only('Stednavn', (rows) => rows.map(({ navnestatus: _gone, ...row }) => row)),
  },
  'ds-other-day': {
    about: 'Names of missing places: tables of different days',
    ...{ ...DS, sync: 'refused' },
    tables: only('Stednavn', (rows) =>
      rows.map((row) => ({
        ...row,
        navngivetSted_objectid: `${Number(row['navngivetSted_objectid']) + 500_000}`,
      })),
    ),
  },
  'ds-unknown-codes': {
    about: 'Unlisted statuses and types',
    ...{ ...DS, sync: 'mirrored' },
    told: 'raw; with a copy once `change-share` is lifted',
    tables: only('Stednavn', (rows) => rows.map((row) => ({ ...row, navnestatus: 'prøvet' }))),
  },
};
