/** Files of a register that come spoilt: no run of them changes the copy, and each says why. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RegisterId } from '../../src/layers/keys.ts';
import { syncLayer } from '../../sync/run.ts';
import type { TableRow } from '../../sample/data/table-row.ts';
import type { SampleEntity } from '../../sample/data/tables.ts';
import { COMPANY_ENTITIES } from '../../sample/registers/companies/rows.ts';
import { openMirroredStore } from '../support/mirrored-store.ts';
import { told } from '../support/run-outcome.ts';
import { contentOf, openAddressBench } from '../sync/addresses-bench.ts';
import type { AddressBench } from '../sync/addresses-bench.ts';

let bench: AddressBench;
beforeAll(async () => {
  bench = await openAddressBench(await openMirroredStore('served'));
});
afterAll(() => bench.close());

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

/** By register: the tables that are listed anew, one that comes as half a zip, and what is refused by which guard. */
const REGISTERS: readonly (readonly [
  RegisterId,
  readonly SampleEntity[],
  SampleEntity,
  readonly (readonly [SampleEntity, Change, string])[],
])[] = [
  [
    'bbr',
    ['Bygning'],
    'Bygning',
    [
      ['Bygning', without('byg021BygningensAnvendelse'), 'schema'],
      // Rows may leave it empty; that the whole column is gone is another matter.
      ['Bygning', without('byg026Opførelsesår'), 'schema'],
      ['Bygning', half, 'row-drop'],
      ['Bygning', retyped('byg041BebyggetAreal', (value) => `${value} m2`), 'schema'],
    ],
  ],
  [
    'vurdering',
    ['Ejendomsvurdering'],
    'Ejendomsvurdering',
    [
      ['Ejendomsvurdering', without('ejendomværdiBeløb'), 'schema'],
      ['Ejendomsvurdering', retyped('grundværdiBeløb', (value) => `kr. ${value}`), 'schema'],
      ['Ejendomsvurdering', first(10), 'min-rows'],
    ],
  ],
  [
    'stednavne',
    ['Stednavn', 'Bebyggelse'],
    'Bebyggelse',
    [
      ['Bebyggelse', without('geometri'), 'schema'],
      ['Stednavn', without('navnestatus'), 'schema'],
      ['Stednavn', first(10), 'min-rows'],
      ['Bebyggelse', first(30), 'change-share'],
    ],
  ],
  [
    'cvr',
    COMPANY_ENTITIES,
    'Adressering',
    [
      ['Virksomhed', without('virksomhedOphoersdato'), 'schema'],
      ['Reklamebeskyttelse', without('vaerdi'), 'schema'],
      ['Reklamebeskyttelse', first(5), 'min-rows'],
      ['Navn', retyped('CVREnhedsId', (value) => `X${value}`), 'change-share'],
      ['Reklamebeskyttelse', retyped('vaerdi', () => 'måske'), 'change-share'],
    ],
  ],
];

test.each(REGISTERS)('%s', async (register, entities, cut, spoilt) => {
  const sync = async () => told(await syncLayer(bench.deps, register, { trigger: 'command' }));
  const renew = () => entities.forEach((entity) => bench.shelf.renew(entity));
  const before = await contentOf(bench, register);
  for (const [entity, change, guard] of spoilt) {
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
