/** What a page shows of an instant is the day it is in Denmark, wherever the browser is. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { listOf } from '../../../src/web/forhold/list.ts';
import { linesPart } from '../../../src/web/kort/panel.ts';
import { actsTable } from '../../../src/web/shared/acts.ts';
import type { Condition, LineRow } from '../../../src/web/shared/answers.ts';

const ZONE = process.env['TZ'];

beforeAll(() => {
  process.env['TZ'] = 'America/New_York';
  vi.stubGlobal('document', { documentElement: { lang: 'da' }, body: { dataset: {} } });
});

afterAll(() => {
  if (ZONE === undefined) delete process.env['TZ'];
  else process.env['TZ'] = ZONE;
  vi.unstubAllGlobals();
});

/** A register writes the first of June; the answer has it as the instant that the day begins. */
const FIRST_OF_JUNE = '1994-05-31T22:00:00.000Z';

test('in the list of a parcel', () => {
  const one = {
    ...{ status: 'ok', beroert: true, navn: 'Kirkebyggelinje', hjemmel: '§ 19', fravaer: null },
    ...{ areal_m2: null, andel: null, laengde_m: null, afstand_m: 0, flere: 0, alder_s: null },
    objekter: [{ objekt_id: '1', gaeldende_fra: FIRST_OF_JUNE }],
    kilde: { kreditering: '', wfs: '', lag: '' },
  } as unknown as Condition;
  expect(wordsIn(listOf({ kirke: one }))).toContain('1994-06-01');
});

test('of the feature that answers on the map', () => {
  const row = {
    ...{ key: 'kirke', name: 'Kirkebyggelinje', basis: '§ 19', verdict: 'within', source: '' },
    ...{ shape: 'flade', distanceM: -1, count: 1, repealed: 0, ageS: null },
    hit: { objekt_id: '1', status: { navn: 'Gældende' }, gaeldende_fra: FIRST_OF_JUNE },
  } as unknown as LineRow;
  const facts = { generation: null, ageS: null, isStale: false, staleLines: [] };
  const reply = { ok: true, body: { soegeradius_m: 500 }, facts } as const;
  expect(wordsIn(linesPart(reply, [row], new Set()))).toContain('1. jun. 1994');
});

test('with the year that it is there', () => {
  const act = { time: '2025-12-31T23:30:00Z', who: 'x', via: 'API', act: 'sync', object: null };
  expect(wordsIn(actsTable([{ ...act, changes: [] }]))).toContain('2026');
});

function wordsIn(content: unknown): string {
  if (Array.isArray(content)) return content.map(wordsIn).join(' ');
  if (typeof content === 'object' && content !== null && 'values' in content)
    return wordsIn(content.values);
  return typeof content === 'string' ? content : '';
}
