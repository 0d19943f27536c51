/** Whose an unreadable row is, in a register that states the column: one that may be anybody's must not be lost. */
import { expect, test } from 'vitest';
import type { ColumnKind } from '../../src/layers/register-tables.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import { isPlaced, ownersIn } from '../../sync/mirrors/tables/unread-objects.ts';

const { fbb } = REGISTERS_CATALOGUE.registers;
const [TABLE] = fbb.schema.tables;

function placedBy(kind: ColumnKind, more: { required?: true; isPersonal?: true } = {}) {
  const columns = [{ name: 'owner', kind, from: ['ejer'], ...more }];
  const schema = { ...fbb.schema, tables: [{ ...TABLE!, columns }], owner: 'owner', ...more };
  const owners = new Map(ownersIn({ ...fbb, schema }));
  return (owner: object) =>
    isPlaced({ table: TABLE!.table, cells: { id: '7', ...owner }, box: null }, owners);
}

test.each([
  ['code', '0751', '75'],
  ['text', 'BØ-12', ' '],
  ['bigint', '12', 'tolv'],
] as const)('by a %s: %j is known, %j is not, whatever its id', (kind, known, unknown) => {
  const isKnown = placedBy(kind, { required: true });
  expect([{ owner: known }, { owner: unknown }, {}].map(isKnown)).toEqual([true, false, false]);
  // Of personal rows an empty cell is one that is not kept.
  expect([placedBy(kind)({}), placedBy(kind, { isPersonal: true })({})]).toEqual([true, false]);
});
