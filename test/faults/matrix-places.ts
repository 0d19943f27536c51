/**
 * What may go wrong at the files of the place names, and what a sync makes of it. Data only;
 * `docs/fault-matrix.md` has it as a table, test/sync/place-faults.test.ts plays it.
 */
import type { TableFaults } from '../../sample/files/table-shelf.ts';

/** After a fault that is not mirrored nothing is told before the first copy (503), and the copy before after it. */
export interface PlaceRow {
  readonly about: string;
  readonly sync: 'mirrored' | 'refused' | 'failed';
  readonly told: string;
  readonly tables?: TableFaults;
  /** Nobody listens at all. */
  readonly isStopped?: true;
}

const HTML = Buffer.from('<!DOCTYPE html><html><body>Vedligeholdelse</body></html>');
const NO_ANSWER = '503 or the copy before; never an empty list or 404';

type Rows = NonNullable<TableFaults['rows']>;

/** Spoils one table; the others are as they were. */
function only(
  entity: string,
  change: (rows: Parameters<Rows>[1]) => ReturnType<Rows>,
): TableFaults {
  return { rows: (of, rows) => (of === entity ? change(rows) : rows) };
}

export const PLACE_ROWS: Readonly<Record<string, PlaceRow>> = {
  'ds-stopped': {
    about: 'No file server listens',
    ...{ sync: 'failed', told: NO_ANSWER, isStopped: true },
  },
  'ds-cut': {
    about: 'A file is cut',
    ...{ sync: 'failed', told: NO_ANSWER },
    tables: {
      zip: (entity, zip) => (entity === 'Bebyggelse' ? zip.subarray(0, zip.length / 2) : zip),
    },
  },
  'ds-html': {
    about: 'HTML instead of a file',
    ...{ sync: 'failed', told: NO_ANSWER },
    tables: { zip: () => Buffer.concat(Array.from({ length: 20 }, () => HTML)) },
  },
  'ds-type-unlisted': {
    about: 'The listing lacks the table of one place type',
    ...{ sync: 'refused', told: NO_ANSWER },
    tables: { listing: (entries) => entries.filter(({ entityName }) => entityName !== 'Soe') },
  },
  'ds-names-emptied': {
    about: 'The names table has no rows',
    ...{ sync: 'refused', told: NO_ANSWER },
    tables: only('Stednavn', () => []),
  },
  'ds-type-emptied': {
    about: 'The table of one place type has no rows',
    ...{ sync: 'refused', told: NO_ANSWER },
    tables: only('Bebyggelse', () => []),
  },
  'ds-geometry-gone': {
    about: 'The table of one place type lacks the geometry',
    ...{ sync: 'refused', told: NO_ANSWER },
    tables: only('Bebyggelse', (rows) => rows.map(({ geometri: _gone, ...row }) => row)),
  },
  'ds-geometry-unreadable': {
    about: 'No geometry of one place type is WKT',
    ...{ sync: 'refused', told: NO_ANSWER },
    tables: only('Bebyggelse', (rows) => rows.map((row) => ({ ...row, geometri: 'POLYGON ((' }))),
  },
  'ds-status-gone': {
    about: 'The names table lacks the status',
    ...{ sync: 'refused', told: NO_ANSWER },
    tables: only('Stednavn', (rows) => rows.map(({ navnestatus: _gone, ...row }) => row)),
  },
  'ds-other-day': {
    about: 'Names of missing places: tables of different days',
    ...{ sync: 'refused', told: NO_ANSWER },
    tables: only('Stednavn', (rows) =>
      rows.map((row) => ({
        ...row,
        navngivetSted_objectid: `${Number(row['navngivetSted_objectid']) + 500_000}`,
      })),
    ),
  },
  'ds-unknown-codes': {
    about: 'Unlisted statuses and types',
    sync: 'mirrored',
    told: 'raw; with a copy once `change-share` is lifted',
    tables: only('Stednavn', (rows) => rows.map((row) => ({ ...row, navnestatus: 'prøvet' }))),
  },
};
