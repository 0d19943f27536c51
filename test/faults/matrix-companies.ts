/**
 * What may go wrong at the register of companies, as files and as Virk's search, and what is made of it. Data
 * only; `docs/fault-matrix.md` has it as a table. The files are played by test/sync/register-faults.test.ts, the
 * search by test/unit/virk-client.test.ts.
 */
import type { FaultRule } from '../../sample/fault-plan.ts';
import type { UpstreamFailureKind } from '../../src/wfs/failure.ts';
import { brokenFiles, only } from './matrix-tables.ts';
import type { TableRow } from './matrix-tables.ts';

const CVR = { register: 'cvr', told: '503, or the copy before' } as const;
const REFUSED = { ...CVR, sync: 'refused' } as const;

export const COMPANY_FILE_ROWS: Readonly<Record<string, TableRow>> = {
  ...brokenFiles('cvr', CVR),
  'cvr-emptied': {
    about: 'The companies table has no rows',
    ...{ ...REFUSED, tables: only('Virksomhed', () => []) },
  },
  'cvr-protection-emptied': {
    about: 'The protection table has no rows',
    ...{ ...REFUSED, tables: only('Reklamebeskyttelse', () => []) },
  },
  'cvr-column-gone': {
    about: 'The companies table lacks the end date',
    ...REFUSED,
    tables: only('Virksomhed', (rows) =>
      rows.map(({ virksomhedOphoersdato: _gone, ...row }) => row),
    ),
  },
  'cvr-other-day': {
    about: 'The names are of other units',
    ...REFUSED,
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
  'virk-html': { about: 'HTML with status 200', rule: { fault: 'html-200' }, kind: 'not_wfs' },
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
