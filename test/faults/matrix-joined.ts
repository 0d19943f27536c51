/**
 * What may go wrong at the registers that property records are joined with, and what a sync makes of it. Data
 * only; `docs/fault-matrix.md` has it as a table, test/sync/joined-faults.test.ts plays it.
 */
import type { ProtectionFaults } from '../../sample/fbb/wfs.ts';
import type { TableFaults } from '../../sample/files/table-shelf.ts';

/** `mirrored` rows say what is told of them; after the others the copy before goes on answering. */
export interface JoinedRow {
  readonly about: string;
  readonly register: 'vurdering' | 'fbb';
  readonly sync: 'mirrored' | 'refused' | 'failed';
  readonly told: string;
  readonly tables?: TableFaults;
  readonly pages?: ProtectionFaults;
  /** Nobody listens at all. */
  readonly isStopped?: true;
}

const HTML = Buffer.from('<!DOCTYPE html><html><body>Vedligeholdelse</body></html>');
const NO_ANSWER = '`vurdering` absent or of the copy before; the detail 503 or the copy before';
const NOT_LISTED = '`fredning` null or of the copy before, never `fredet: false`';

type Rows = NonNullable<TableFaults['rows']>;

/** Spoils the assessments themselves; the references and properties are as they were. */
function assessments(change: (...of: Parameters<Rows>) => ReturnType<Rows>): TableFaults {
  return {
    rows: (entity, rows) => (entity === 'Ejendomsvurdering' ? change(entity, rows) : rows),
  };
}

export const JOINED_ROWS: Readonly<Record<string, JoinedRow>> = {
  'vur-stopped': {
    about: 'No assessment server listens',
    ...{ register: 'vurdering', sync: 'failed', told: NO_ANSWER, isStopped: true },
  },
  'vur-cut': {
    about: 'An assessment file is cut',
    ...{ register: 'vurdering', sync: 'failed', told: NO_ANSWER },
    tables: { zip: (_entity, zip) => zip.subarray(0, zip.length / 2) },
  },
  'vur-html': {
    about: 'HTML instead of an assessment file',
    ...{ register: 'vurdering', sync: 'failed', told: NO_ANSWER },
    tables: { zip: () => Buffer.concat(Array.from({ length: 20 }, () => HTML)) },
  },
  'vur-emptied': {
    about: 'The assessments table has no rows',
    ...{ register: 'vurdering', sync: 'refused', told: NO_ANSWER },
    tables: assessments(() => []),
  },
  'vur-column-gone': {
    about: 'The assessments table lacks the values',
    ...{ register: 'vurdering', sync: 'refused', told: NO_ANSWER },
    tables: assessments((_entity, rows) => rows.map(({ ejendomværdiBeløb: _gone, ...row }) => row)),
  },
  'vur-other-day': {
    about: 'A third of the references lead to missing assessments',
    ...{ register: 'vurdering', sync: 'refused', told: NO_ANSWER },
    tables: assessments((_entity, rows) => rows.filter((_row, n) => n % 3 > 0)),
  },
  'vur-unknown-codes': {
    about: 'Every use code is unlisted',
    ...{
      register: 'vurdering',
      sync: 'mirrored',
      told: 'the raw code; with a copy once `change-share` is lifted',
    },
    tables: assessments((_entity, rows) => rows.map((row) => ({ ...row, benyttelseKode: 'ZZ' }))),
  },
  'fbb-stopped': {
    about: 'No WFS of listed buildings listens',
    ...{ register: 'fbb', sync: 'failed', told: NOT_LISTED, isStopped: true },
  },
  'fbb-cut': {
    about: 'Pages of listed buildings are cut',
    ...{ register: 'fbb', sync: 'failed', told: NOT_LISTED },
    pages: {
      reply: (_layer, reply) => ({ ...reply, body: reply.body.subarray(0, reply.body.length / 2) }),
    },
  },
  'fbb-html': {
    about: 'HTML with status 200 instead of listed buildings',
    ...{ register: 'fbb', sync: 'failed', told: NOT_LISTED },
    pages: {
      reply: () => ({ status: 200, headers: { 'content-type': 'text/html' }, body: HTML }),
    },
  },
  'fbb-emptied': {
    about: 'No features of listed buildings',
    ...{ register: 'fbb', sync: 'refused', told: NOT_LISTED },
    pages: { features: (layer, features) => (layer === 'fredede' ? [] : features) },
  },
  'fbb-column-gone': {
    about: 'Listed buildings lack the status',
    ...{ register: 'fbb', sync: 'refused', told: NOT_LISTED },
    pages: {
      features: (_layer, features) => features.map(({ fredningsstatus: _gone, ...rest }) => rest),
    },
  },
  'fbb-unknown-codes': {
    about: 'Unlisted statuses',
    ...{ register: 'fbb', sync: 'mirrored', told: '`fredning` null' },
    pages: {
      features: (_layer, features) =>
        features.map((each) =>
          each.fredningsstatus === 1 ? { ...each, fredningsstatus: 8 } : each,
        ),
    },
  },
};
