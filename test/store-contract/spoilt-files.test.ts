/** Files of a register that come spoilt: no run of them changes the copy, and each says why. */
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
const half: Change = (row, n, rows) => (n < Math.floor(rows.length / 2) ? row : null);

/** Which guard refuses it. */
const SPOILT: readonly (readonly [RegisterId, SampleEntity, Change, string])[] = [
  ['bbr', 'Bygning', without('byg021BygningensAnvendelse'), 'schema'],
  // Rows may leave it empty; that the whole column is gone is another matter.
  ['bbr', 'Bygning', without('byg026Opførelsesår'), 'schema'],
  ['bbr', 'Bygning', half, 'row-drop'],
  ['bbr', 'Bygning', retyped('byg041BebyggetAreal', (value) => `${value} m2`), 'schema'],
  ['vurdering', 'Ejendomsvurdering', without('ejendomværdiBeløb'), 'schema'],
  ['vurdering', 'Ejendomsvurdering', retyped('grundværdiBeløb', (kr) => `kr. ${kr}`), 'schema'],
  ['vurdering', 'Ejendomsvurdering', first(10), 'min-rows'],
  ['stednavne', 'Bebyggelse', without('geometri'), 'schema'],
  ['stednavne', 'Stednavn', without('navnestatus'), 'schema'],
  ['stednavne', 'Stednavn', first(10), 'min-rows'],
  ['stednavne', 'Bebyggelse', first(30), 'change-share'],
  ['cvr', 'Virksomhed', without('virksomhedOphoersdato'), 'schema'],
  ['cvr', 'Reklamebeskyttelse', without('vaerdi'), 'schema'],
  ['cvr', 'Reklamebeskyttelse', first(5), 'min-rows'],
  ['cvr', 'Navn', retyped('CVREnhedsId', (value) => `X${value}`), 'change-share'],
  ['cvr', 'Reklamebeskyttelse', retyped('vaerdi', () => 'måske'), 'change-share'],
];

test.each([
  ['bbr', ['Bygning'], 'Bygning'],
  ['vurdering', ['Ejendomsvurdering'], 'Ejendomsvurdering'],
  ['stednavne', ['Stednavn', 'Bebyggelse'], 'Bebyggelse'],
  ['cvr', COMPANY_ENTITIES, 'Adressering'],
] as const)('%s', async (register, entities, cut) => {
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
  renew();
  bench.shelf.spoil({
    zip: (of, zip) => (of === cut ? zip.subarray(0, Math.floor(zip.length / 2)) : zip),
  });
  expect(await sync()).toMatch(/^failed in /);
  expect(await contentOf(bench, register)).toBe(before);
  bench.shelf.spoil();
  expect(['published', 'unchanged']).toContain(await sync());
});
