/**
 * What may go wrong at the register of companies, as files and as Virk's search, and what is made of it. Data
 * only; `docs/fault-matrix.md` has it as a table. The files are played by test/sync/company-faults.test.ts, the
 * search by test/unit/virk-client.test.ts.
 */
import type { FaultRule } from '../../sample/fault-plan.ts';
import type { TableFaults } from '../../sample/files/table-shelf.ts';
import type { UpstreamFailureKind } from '../../src/wfs/failure.ts';

export interface CompanyFileRow {
  readonly about: string;
  readonly sync: 'refused' | 'failed';
  readonly tables?: TableFaults;
  /** Nobody listens at all. */
  readonly isStopped?: true;
}

const HTML = Buffer.from('<!DOCTYPE html><html><body>Vedligeholdelse</body></html>');

type Entity = Parameters<NonNullable<TableFaults['rows']>>[0];
type Rows = ReturnType<NonNullable<TableFaults['rows']>>;

function only(entity: Entity, change: (rows: Rows) => Rows): TableFaults {
  return { rows: (each, rows) => (each === entity ? change(rows) : rows) };
}

export const COMPANY_FILE_ROWS: Readonly<Record<string, CompanyFileRow>> = {
  'cvr-stopped': { about: 'No file server listens', sync: 'failed', isStopped: true },
  'cvr-cut': {
    about: 'A file is cut',
    ...{ sync: 'failed', tables: { zip: (_entity, zip) => zip.subarray(0, zip.length / 2) } },
  },
  'cvr-html': {
    about: 'HTML instead of a file',
    sync: 'failed',
    tables: { zip: () => Buffer.concat(Array.from({ length: 20 }, () => HTML)) },
  },
  'cvr-emptied': {
    about: 'The companies table has no rows',
    ...{ sync: 'refused', tables: only('Virksomhed', () => []) },
  },
  'cvr-protection-emptied': {
    about: 'The protection table has no rows',
    ...{ sync: 'refused', tables: only('Reklamebeskyttelse', () => []) },
  },
  'cvr-column-gone': {
    about: 'The companies table lacks the end date',
    sync: 'refused',
    tables: only('Virksomhed', (rows) =>
      rows.map(({ virksomhedOphoersdato: _gone, ...row }) => row),
    ),
  },
  'cvr-other-day': {
    about: 'The names are of other units',
    sync: 'refused',
    tables: only('Navn', (rows) =>
      rows.map((row) => ({ ...row, CVREnhedsId: `9${row['CVREnhedsId']}` })),
    ),
  },
};

export interface SearchRow {
  readonly about: string;
  readonly rule: FaultRule;
  readonly kind: UpstreamFailureKind;
}

export const SEARCH_ROWS: Readonly<Record<string, SearchRow>> = {
  'virk-html': {
    about: 'HTML with status 200',
    rule: { fault: 'html-200' },
    kind: 'not_wfs',
  },
  'virk-nothing': {
    about: 'Status 200 without a byte',
    rule: { fault: 'empty-body' },
    kind: 'not_wfs',
  },
  'virk-short': { about: 'A body cut short', rule: { fault: 'truncated-body' }, kind: 'not_wfs' },
  'virk-500': { about: 'Status 500', rule: { fault: 'http-500' }, kind: 'status' },
  'virk-login': { about: '401', rule: { fault: 'unauthorized' }, kind: 'key_refused' },
  'virk-moved': { about: 'A redirect', rule: { fault: 'moved-to-html' }, kind: 'redirect' },
  'virk-silent': { about: 'No answer', rule: { fault: 'hang' }, kind: 'timeout' },
};

/** Spoiled answers of the search itself, by their words; each is played under its own name. */
export const ANSWER_ROWS = {
  'virk-emptied': 'No company at all: the number is not reported unknown',
  'virk-shards': 'Part of the index failed or timed out',
  'virk-another': 'The company of another number, or two of one',
  'virk-field-gone': 'A company without life, names or form',
  'virk-day': 'An unreadable end date',
  'virk-silent-protection': 'Nothing about protection: `reklamebeskyttet` null',
} as const;
