/** Files of a register that come spoilt, beyond the fault matrix: no run of them changes the copy, and each says why. */
import { expect, test } from 'vitest';
import type { RegisterId } from '../../src/layers/keys.ts';
import { syncLayer } from '../../sync/run.ts';
import type { TableRow } from '../../sample/data/table-row.ts';
import type { SampleEntity } from '../../sample/data/tables.ts';
import { COMPANY_ENTITIES } from '../../sample/registers/companies/rows.ts';
import { openMirroredStore } from '../support/mirrored-store.ts';
import { told } from '../support/run-outcome.ts';
import { contentOf, openAddressBench } from '../sync/addresses-bench.ts';
import { opened } from '../support/opened.ts';

const bench = await opened(openMirroredStore('served').then(openAddressBench));

type Change = (row: TableRow, place: number, rows: readonly TableRow[]) => TableRow | null;

const without =
  (column: string): Change =>
  ({ [column]: _gone, ...row }) =>
    row;
const retyped =
  (column: string, write: (value: string) => string): Change =>
  (row) => ({ ...row, [column]: write(String(row[column])) });
const first =
  (count: number): Change =>
  (row, n) =>
    n < count ? row : null;

/** Which guard refuses it. */
const SPOILT: readonly (readonly [RegisterId, SampleEntity, Change, string])[] = [
  // Rows may leave it empty; that the whole column is gone is another matter.
  ['bbr', 'Bygning', without('byg026Opførelsesår'), 'schema'],
  ['vurdering', 'Ejendomsvurdering', retyped('grundværdiBeløb', (kr) => `kr. ${kr}`), 'schema'],
  ['vurdering', 'Ejendomsvurdering', first(10), 'min-rows'],
  ['stednavne', 'Stednavn', first(10), 'min-rows'],
  ['stednavne', 'Bebyggelse', first(30), 'change-share'],
  ['cvr', 'Reklamebeskyttelse', without('vaerdi'), 'schema'],
  ['cvr', 'Reklamebeskyttelse', first(5), 'min-rows'],
  ['cvr', 'Reklamebeskyttelse', retyped('vaerdi', () => 'måske'), 'change-share'],
];

test.each([
  ['bbr', ['Bygning']],
  ['vurdering', ['Ejendomsvurdering']],
  ['stednavne', ['Stednavn', 'Bebyggelse']],
  ['cvr', COMPANY_ENTITIES],
] as const)('%s', async (register, entities) => {
  const sync = async () => told(await syncLayer(bench.deps, register, { trigger: 'command' }));
  const renew = () => entities.forEach((entity) => bench.shelf.renew(entity));
  const before = await contentOf(bench, register);
  for (const [, entity, change, guard] of SPOILT.filter(([of]) => of === register)) {
    renew();
    bench.shelf.spoil({
      rows: (of, rows) =>
        of !== entity ? rows : rows.map(change).filter((row): row is TableRow => row !== null),
    });
    expect([entity, await sync()]).toEqual([entity, expect.stringContaining(guard)]);
  }
  expect(await contentOf(bench, register)).toBe(before);
  bench.shelf.spoil();
  expect(['published', 'unchanged']).toContain(await sync());
});
