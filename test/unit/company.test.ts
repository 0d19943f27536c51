/** Companies: the check of a number, whose they are, how they are stored, and what no log line may hold of them. */
import { describe, expect, test } from 'vitest';
import { redactCompanies } from '../../src/kernel/log.ts';
import {
  PERSONAL_FORMS,
  companyNumber,
  companyNumberText,
  isPersonal,
} from '../../src/registers/companies/company.ts';
import { companyOf, houseNumberOf, protectionOf } from '../../src/registers/companies/folded.ts';

// What else is no number: test/edge/by-number.test.ts.
test('a number meets modulus 11 for one last digit of each seven, or for none: a whole range', () => {
  for (let stem = 2_500_000; stem < 2_502_000; stem += 1) {
    const all = Array.from({ length: 10 }, (_, digit) => `${stem}${digit}`);
    const taken = all.filter((text) => companyNumber(text) !== null);
    // Told in another way: from the right, weights 1 to 7, and 2 for the eighth.
    const isRight = (text: string): boolean => {
      let [sum, rest] = [0, Number(text)];
      for (let place = 1; place <= 7; place += 1, rest = Math.floor(rest / 10)) {
        sum += place * (rest % 10);
      }
      return (sum + 2 * rest) % 11 === 0;
    };
    expect(taken).toEqual(all.filter(isRight));
    expect(taken.length).toBeLessThanOrEqual(1);
  }
  expect(companyNumberText(1_234)).toBe('00001234');
});

test('a company is personal by its form, and nobody knows where code and text differ', () => {
  const of = (code: string, text: string | null) => isPersonal({ code, text }, PERSONAL_FORMS);
  const [sole, small, limited] = [
    'Enkeltmandsvirksomhed',
    'Personligt ejet mindre virksomhed',
    'Anpartsselskab',
  ];
  expect([of('10', sole), of('010', sole.toUpperCase()), of('15', small), of('10', null)]).toEqual([
    ...[true, true, true, true],
  ]);
  expect([of('80', limited), of('80', null)]).toEqual([false, null]);
  expect([of('10', limited), of('11', sole), isPersonal(null, PERSONAL_FORMS)]).toEqual([
    ...[null, null, null],
  ]);
});

test('protection is what rows say, and never false where none says so', () => {
  const unsaid = [[], [null], ['måske'], ['false', null]];
  expect(unsaid.map(protectionOf)).toEqual([null, null, null, null]);
  const said = [['false'], ['NEJ', '0'], ['True'], ['false', '1']];
  expect(said.map(protectionOf)).toEqual([false, false, true, true]);
});

test('house numbers have their letters, and both ends where they have two', () => {
  expect(houseNumberOf(['012', 'a'], [null, null])).toBe('12A');
  expect(houseNumberOf(['12', null], ['14', 'B'])).toBe('12-14B');
  expect(houseNumberOf(['12', null], ['12', null])).toBe('12');
  expect(houseNumberOf([null, 'A'], [null, null])).toBeNull();
});

test('a stored record of nothing but a number has nothing that is false', () => {
  const record = JSON.stringify([null, null, null, null, null, null, null, null]);
  expect(companyOf({ number: 25_313_763, record })).toEqual({
    ...{ number: 25_313_763, name: null, otherNames: [], form: null, status: null },
    ...{ started: null, ended: null, address: null, mainBranch: null, otherBranches: [] },
    isProtected: null,
  });
  expect(companyOf({ number: 1, record: null })).toBeNull();
});

test('of names and branches the newest of each place counts, and one beside is never the main', () => {
  const names = JSON.parse('[[0,"Ny"],[0,"Gammel"],[1," "],[2,"To"]]') as unknown;
  const branches = JSON.parse('[[1,"620100",null],[2,null,"x"]]') as unknown;
  const address = (purpose: string | null, road: string) => [
    ...[purpose, road, ...Array<null>(12).fill(null)],
  ];
  const addresses = [
    ...[address('POSTADRESSE', 'Post'), address(null, 'Andet')],
    address('Beliggenhedsadresse', 'Her'),
  ];
  const record = JSON.stringify([
    ...['aktiv', null, null, names, [[null, 'x']], branches, addresses, ['true']],
  ]);
  expect(companyOf({ number: 1, record })).toMatchObject({
    ...{ name: 'Ny', otherNames: ['To'], form: null, mainBranch: null, isProtected: true },
    otherBranches: [{ code: '620100', text: null }],
    address: { roadName: 'Her' },
  });
});

describe('a path in the log', () => {
  test.each([
    ...['/v1/cvr/25313763', '/V1/CVR/25313763', '/v1/c%76r/25313763', '/v1/%63%56R/25313763/'],
    ...['/v1/cvr/DK25313763', '/v1/cvr/2531%33763', '/v1/cvr/%32%35%33%31%33%37%36%33'],
    ...['//v1//cvr//25313763', '/cvr/25313763/regnskab', '/25313763', '/v1/25313763'],
    ...['/v1/%32%35%33%31%33%37%36%33', '/v1/cvr/Gunhild%20Pr%C3%B8vedatter'],
  ])('has no number of a company: %s', (path) => {
    const logged = redactCompanies(path);
    expect(logged).toContain('[redacted]');
    expect(decodeURIComponent(logged)).not.toMatch(/25313763|Gunhild/);
  });

  test.each(['/v1/bbr/ejendom/25313763', '/v1/vurdering/25313763', '/v1/natur/byggelinjer'])(
    'of anything else is as it is: %s',
    (path) => {
      expect(redactCompanies(path)).toBe(path);
    },
  );
});
