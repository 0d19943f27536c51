/**
 * What may go wrong at the registers that property records are joined with, and what a sync makes of it. Data
 * only; `docs/fault-matrix.md` has it as a table, test/sync/register-faults.test.ts plays it.
 */
import type { TableFaults } from '../../sample/files/table-shelf.ts';
import { HTML, brokenFiles, only } from './matrix-tables.ts';
import type { TableRow } from './matrix-tables.ts';

const VUR = {
  register: 'vurdering',
  told: '`vurdering` absent or of the copy before; the detail 503 or the copy before',
} as const;
const FBB = {
  register: 'fbb',
  told: '`fredning` null or of the copy before, never `fredet: false`',
} as const;

/** Spoils the assessments themselves; the references and properties are as they were. */
const assessments = (change: Parameters<typeof only>[1]): TableFaults =>
  only('Ejendomsvurdering', change);

export const JOINED_ROWS: Readonly<Record<string, TableRow>> = {
  ...brokenFiles('vur', VUR, ['assessment server', 'An assessment file']),
  'vur-emptied': {
    about: 'The assessments table has no rows',
    ...{ ...VUR, sync: 'refused' },
    tables: assessments(() => []),
  },
  'vur-column-gone': {
    about: 'The assessments table lacks the values',
    ...{ ...VUR, sync: 'refused' },
    tables: assessments((rows) => rows.map(({ ejendomværdiBeløb: _gone, ...row }) => row)),
  },
  'vur-other-day': {
    about: 'A third of the references lead to missing assessments',
    ...{ ...VUR, sync: 'refused' },
    tables: assessments((rows) => rows.filter((_row, n) => n % 3 > 0)),
  },
  'vur-unknown-codes': {
    about: 'Every use code is unlisted',
    ...{
      register: 'vurdering',
      sync: 'mirrored',
      told: 'the raw code; with a copy once `change-share` is lifted',
    },
    tables: assessments((rows) => rows.map((row) => ({ ...row, benyttelseKode: 'ZZ' }))),
  },
  'fbb-stopped': {
    about: 'No WFS of listed buildings listens',
    ...{ ...FBB, sync: 'failed', isStopped: true },
  },
  'fbb-cut': {
    about: 'Pages of listed buildings are cut',
    ...{ ...FBB, sync: 'failed' },
    pages: {
      reply: (_layer, reply) => ({ ...reply, body: reply.body.subarray(0, reply.body.length / 2) }),
    },
  },
  'fbb-html': {
    about: 'HTML with status 200 instead of listed buildings',
    ...{ ...FBB, sync: 'failed' },
    pages: { reply: () => ({ status: 200, headers: { 'content-type': 'text/html' }, body: HTML }) },
  },
  'fbb-emptied': {
    about: 'No features of listed buildings',
    ...{ ...FBB, sync: 'refused' },
    pages: { features: (layer, features) => (layer === 'fredede' ? [] : features) },
  },
  'fbb-column-gone': {
    about: 'Listed buildings lack the status',
    ...{ ...FBB, sync: 'refused' },
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
