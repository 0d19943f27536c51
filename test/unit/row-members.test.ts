/** Rows as data: members by name, in order. */
import { expect, test } from 'vitest';
import { filtersBy } from '../../src/http/dawa/filters.ts';
import { memberOf, members, readersOf, shapeBy } from '../../src/http/wire/row-members.ts';
import type { Place, Readers } from '../../src/http/wire/row-members.ts';

interface Row {
  readonly code: string;
  readonly parts: readonly number[];
  readonly owner: { readonly name: string } | null;
}

const PLACE: Place = {
  ...{ base: 'https://her', names: new Map([['0101', 'Midtby']]) },
  format: {
    ...{ format: 'json', structure: null, callback: null, isCompact: false, isFile: false },
    isLines: false,
    srid: 4326,
  },
};
const ROW: Row = { code: '0101', parts: [1, 2], owner: null };
const OWNER: Readers<{ readonly name: string }> = { navn: ({ name }) => name };
const READERS: Readers<Row> = {
  kode: ({ code }) => code,
  navn: ({ code }, { names }) => names.get(code),
  dele: ({ parts }) => parts,
  '...antal': ({ parts }) => ({ første: parts[0], antal: parts.length }),
  betegnelse: ({ code }) => `Nr. ${code}`,
  ...readersOf(({ owner }: Row) => owner, OWNER, 'ejer_'),
  ejer: memberOf(({ owner }: Row) => owner, OWNER, 'navn'),
};

test('are in the order of the list; what has no reader, or no part, is null', () => {
  const written = members(READERS, 'navn ukendt kode ...antal ejer_navn ejer')(ROW, PLACE);
  expect(JSON.stringify(written)).toBe(
    '{"navn":"Midtby","ukendt":null,"kode":"0101","første":1,"antal":2,"ejer_navn":null,"ejer":null}',
  );
  expect(members(READERS, 'ejer ejer_navn')({ ...ROW, owner: { name: 'A' } }, PLACE)).toEqual({
    ejer: { navn: 'A' },
    ejer_navn: 'A',
  });
});

test('are a shape of the forms that are named, and no other', () => {
  const shape = shapeBy(READERS, { nestet: 'kode navn', flad: 'kode' })(PLACE);
  expect(shape.nestet(ROW)).toEqual({ kode: '0101', navn: 'Midtby' });
  expect(shape.flad?.(ROW)).toEqual({ kode: '0101' });
  expect(shape.label?.(ROW)).toBe('Nr. 0101');
  expect(Object.keys(shape).toSorted()).toEqual(['flad', 'label', 'nestet']);
});

test('are compared as text, each of a list, by the reader that a filter names', () => {
  const fields = filtersBy(READERS, 'kode:code del:number:dele ejer_navn:text');
  expect(Object.entries(fields).map(([name, { kind, of }]) => [name, kind, of(ROW)])).toEqual([
    ['kode', 'code', '0101'],
    ['del', 'number', ['1', '2']],
    ['ejer_navn', 'text', null],
  ]);
});
