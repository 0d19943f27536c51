/** Registers of a bench: a day at one that is read by whole tables and its way back, and one that is forgotten. */
import { expect } from 'vitest';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import type { RegisterId } from '../../src/layers/keys.ts';
import { storeTables } from '../../src/layers/register-tables.ts';
import type { TableRow } from '../../sample/data/table-row.ts';
import type { SampleEntity } from '../../sample/data/tables.ts';
import { revertLayer } from '../../sync/revert.ts';
import { syncLayer } from '../../sync/run.ts';
import { contentOf } from '../sync/addresses-bench.ts';
import type { AddressBench } from '../sync/addresses-bench.ts';

export const isCurrent = (row: TableRow): boolean =>
  row['registreringTil'] === null && row['virkningTil'] === null;

/**
 * One row of a table changes: no change of a day tells of it, a new total does, of which all tables are read
 * (`isThere` sees it), and it is taken back.
 */
export async function expectOneChange(
  bench: AddressBench,
  register: RegisterId,
  change: {
    readonly entity: SampleEntity;
    readonly cells: TableRow;
    readonly isThere?: () => Promise<void>;
  },
): Promise<void> {
  const { entity, cells, isThere } = change;
  const sync = () => syncLayer(bench.deps, register, { trigger: 'command' });
  const before = await contentOf(bench, register);
  const row = bench.shelf.rows(entity).find(isCurrent)!;
  const at = '2026-11-02T06:30:00.000000Z';
  bench.shelf.change(entity, { at, close: [row], open: [{ ...row, ...cells }] });
  expect(await sync()).toMatchObject({ state: 'unchanged', counts: { received: 0 } });
  bench.shelf.renew(entity);
  const counts = { inserted: 0, changed: 1, removed: 0 };
  expect(await sync()).toMatchObject({ state: 'published', counts });
  await isThere?.();
  const back = await revertLayer(bench.deps, register, { by: 'Ida' });
  expect(back).toMatchObject({ state: 'published' });
  expect(await contentOf(bench, register)).toBe(before);
  expect(await sync()).toMatchObject({ state: 'published' });
}

export async function forget(
  { column }: Pick<AddressBench, 'column'>,
  register: RegisterId,
): Promise<void> {
  const { schema } = REGISTERS_CATALOGUE.registers[register];
  const { sources, history } = schema.beside;
  await column(`truncate ${[...storeTables(schema), sources, history].join(', ')} cascade`);
  for (const table of [
    ...['change_event', 'change_transaction', 'layer_history', 'register_refusal'],
    'layer_state',
  ]) {
    await column(`delete from ${table} where layer = '${register}'`);
  }
}
