/** Which of the caller's columns stands for what: a column of floors or doors is read, or told of. */
import { expect, test } from 'vitest';
import { columnWarnings, resolveColumns } from '../../src/jobs/roles.ts';

const none = { named: {} };

test.each([
  [['vej', 'husnr', 'etage', 'doer', 'postnr'], 'etage', 'doer'],
  [['vej', 'husnr', 'Sal', 'Dør', 'postnr'], 'Sal', 'Dør'],
  [['adresse', 'ETAGE', 'side'], 'ETAGE', 'side'],
  [['adresse', 'Floor', 'Door'], 'Floor', 'Door'],
  [['adresse', 'Etagebetegnelse', 'Dørbetegnelse'], 'Etagebetegnelse', 'Dørbetegnelse'],
  [['adresse', 'Etg.', 'Side'], 'Etg.', 'Side'],
  [['adresse', 'Sal/etage'], 'Sal/etage', undefined],
  [['adresse', 'dør', 'doer'], undefined, 'doer'],
])('%j have floor %s and door %s', (inputColumns, etage, doer) => {
  const found = resolveColumns('datavask', { ...none, inputColumns });
  expect([found.etage, found.doer]).toEqual([etage, doer]);
});

test('what the caller named is taken before what is guessed', () => {
  const inputColumns = ['adresse', 'etage', 'trin', 'side'];
  const found = resolveColumns('datavask', { named: { etage: 'trin' }, inputColumns });
  expect(found).toMatchObject({ adresse: 'adresse', etage: 'trin', doer: 'side' });
});

test('a column that looks like a floor or a door and is not read is told of, by its name', () => {
  const warned = (inputColumns: string[], kind: 'datavask' | 'bbr' | 'dagi' = 'datavask') =>
    columnWarnings(kind, { ...none, inputColumns }).map(({ error }) => error);
  expect(warned(['adresse', 'etage', 'dør'])).toEqual([]);
  expect(warned(['adresse', 'Lejlighed nr.'])).toEqual([expect.stringContaining('Lejlighed nr.')]);
  expect(warned(['adresse', 'sal', 'etage', 'side'])).toEqual([expect.stringContaining('sal')]);
  expect(warned(['adresse', 'etage/dør'], 'bbr')).toEqual([expect.stringContaining('etage/dør')]);
  const others = [
    'Bolig',
    'Bolignr.',
    'Enhed',
    'Unit no',
    'Apt.',
    'App.',
    'Appartement',
    'Værelse',
  ];
  for (const heading of [...others, 'st/th', 'Side (tv/th)', 'Etg. og dør', 'adr_etage', 'Room']) {
    expect(warned(['adresse', heading]), heading).toHaveLength(1);
  }
  for (const heading of [
    'Salgsdato',
    'Sidetal',
    'Boligtype',
    'Enhedspris',
    'Etat',
    'Husnr',
    'by',
  ]) {
    expect(warned(['adresse', heading]), heading).toEqual([]);
  }
  // Nothing of it is an address.
  expect(warned(['x', 'y', 'etage'], 'dagi')).toEqual([]);
  // A row with a point is not washed.
  expect(warned(['x', 'y', 'adresse', 'Lejlighed'], 'dagi')).toEqual([]);
  expect(warned(['adresse', 'Lejlighed'], 'dagi')).toHaveLength(1);
  expect(warned(['bfe', 'etage'], 'bbr')).toEqual([]);
});
