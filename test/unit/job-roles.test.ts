/** Which of the caller's columns stands for what: a column of floors or doors is read, or told of. */
import { expect, test } from 'vitest';
import type { RoleColumns } from '../../src/core/rows/job-types.ts';
import { KINDS, hasRoles } from '../../src/core/rows/job-types.ts';
import { columnWarnings, resolveColumns, unitColumns } from '../../src/jobs/roles.ts';

const none = { named: {} };

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
  for (const heading of [
    ...['Bolig', 'Bolignr.', 'Enhed', 'Unit no', 'Apt.', 'App.', 'Appartement', 'Værelse'],
    ...['st/th', 'Etg. og dør', 'Room'],
  ]) {
    expect(warned(['adresse', heading]), heading).toHaveLength(1);
  }
  for (const heading of 'Salgsdato Sidetal Boligtype Enhedspris Etat Husnr by'.split(' ')) {
    expect(warned(['adresse', heading]), heading).toEqual([]);
  }
  // Nothing of it is an address.
  expect(warned(['x', 'y', 'etage'], 'dagi')).toEqual([]);
  // A row with a point is not washed.
  expect(warned(['x', 'y', 'adresse', 'Lejlighed'], 'dagi')).toEqual([]);
  expect(warned(['adresse', 'Lejlighed'], 'dagi')).toHaveLength(1);
  expect(warned(['bfe', 'etage'], 'bbr')).toEqual([]);
});

test.each([
  [['tv', 'th', '', 'mf'], true],
  [['1. sal', '2. sal'], true],
  [['st', '1', '2', 'kl'], true],
  [['st.', '1. th', '3. 12'], true],
  [['Stuen', 'kælderen', '1'], true],
  [['2.tv', 'st-th'], true],
  [[null, 'tv', 12], true],
  [['1', '2', '3'], false],
  [['st', 'st'], false],
  [['tv', 'radio'], true],
  [['A', 'B'], true],
  [['12A', '14'], false],
  [['1.5', '2.25'], false],
  [['5000 Odense C'], true],
  [['Vestergade 12, 1. tv'], false],
  [['', null], false],
  [[], false],
])('a column without a role that holds %j is told of: %s', (values, isTold) => {
  const given = { ...none, inputColumns: ['adresse', 'trin'] };
  const rows = values.map((value) => ['Vestergade 12', value]);
  const units = unitColumns('datavask', given, rows);
  expect(units).toEqual(isTold ? ['trin'] : []);
  const warnings = columnWarnings('datavask', given, units);
  expect(warnings.map(({ error }) => error)).toEqual(
    isTold ? [expect.stringContaining('trin')] : [],
  );
});

test('a column that is read is not told of for its values, nor one of a job without addresses', () => {
  const rows = [['Vestergade 12', 'tv']];
  const inputColumns = ['adresse', 'trin'];
  expect(unitColumns('datavask', { named: { doer: 'trin' }, inputColumns }, rows)).toEqual([]);
  const points = [['644877', '6314760', 'tv']];
  expect(unitColumns('dagi', { ...none, inputColumns: ['x', 'y', 'trin'] }, points)).toEqual([]);
  for (const kind of KINDS.filter((each) => hasRoles(each, { adresse: 'adresse' })))
    expect(unitColumns(kind, { ...none, inputColumns }, rows), kind).toEqual(['trin']);
});

const of = (inputColumns: readonly string[], named: RoleColumns = {}) =>
  Object.keys(resolveColumns('miljoe', { named, inputColumns })).toSorted();

test.each([
  [['x', 'y'], {}, ['x', 'y']],
  [['x', 'y', 'bfe', 'lag', 'wkt'], {}, ['x', 'y']],
  [['x', 'y', 'lag'], { lag: 'lag' }, ['lag', 'x', 'y']],
  [['x', 'y', 'bfe'], { bfe: 'bfe' }, ['bfe']],
  [['bfe', 'lag'], {}, ['bfe', 'lag']],
  [['adresse', 'ejerlav', 'matrikelnummer'], { ejerlav: 'ejerlav' }, ['ejerlav', 'matrikelnummer']],
  [['ejerlav', 'matrikelnummer', 'bfe'], {}, ['ejerlav', 'matrikelnummer']],
  [['wkt', 'bfe'], {}, ['wkt']],
])('a job of miljoe asks one way: of %j, named %j, %j', (columns, named, roles) => {
  expect(of(columns, named)).toEqual(roles);
});
