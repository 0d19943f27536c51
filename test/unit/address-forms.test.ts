/** Addresses in forms and records, lists of houses, other orders and words cut without a stop. */
import { NO_FILTER } from '../../src/registers/addresses/addresses.ts';
import { describe, expect, it } from 'vitest';
import { decoded, plainText } from '../../src/registers/addresses/index/plain-text.ts';
import { firstBy } from '../addresses/answerers.ts';
import { hardRows } from '../addresses/hard-roads.ts';
import { finderOver, smallIndex } from '../addresses/small-index.ts';
import { Truth } from '../addresses/truth.ts';
import { written } from '../addresses/writing.ts';
import { oneIn } from '../support/run-settings.ts';

const ROWS = smallIndex([
  { road: 'Nørre Allé', place: '5000 Odense C', numbers: '12', units: 'st.tv 1.tv 1.th kl. 2.3' },
  { road: 'Nørre Allé', place: '5000 Odense C', numbers: '14 16 53 83' },
  { road: 'Vej 5 Nr', place: '5000 Odense C', numbers: '53 83' },
  { road: 'Valhøjs Allé', place: '2610 Rødovre', numbers: '12' },
  { road: 'Nørrebrogade', place: '2200 København N', numbers: '12' },
  { road: 'Jordvej', place: '2610 Rødovre', numbers: '13' },
  { road: 'Jordvænget', place: '2610 Rødovre', numbers: '13' },
  { road: 'Terbjerg Strandvej', place: '1155 Terbjerg', numbers: '4' },
]);
const finder = finderOver(ROWS);

const first = firstBy(finder);

const HOUSE = 'Nørre Allé 12, 5000 Odense C';
const FLAT = 'Nørre Allé 12, 1. th, 5000 Odense C';

describe('a text with labels', () => {
  it.each([
    'vejnavn: Nørre Allé, husnr: 14, postnr: 5000, by: Odense C',
    'Adresse: Nørre Allé 14, Postnr. og by: 5000 Odense C',
    'gade: Nørre Allé\nnr: 14\npostnr: 5000\nby: Odense C',
    '{"vejnavn": "Nørre Allé", "husnr": "14", "etage": null, "postnr": "5000", "postnrnavn": "Odense C"}',
    '?vejnavn=N%C3%B8rre+All%C3%A9&husnr=14&etage=&postnr=5000&by=Odense%20C',
    'Nørre Allé husnr. 14, postnummer 5000, by: Odense C',
  ])('%s is read part by part', (text) => {
    expect(first(text)).toEqual(['A', 'Nørre Allé 14, 5000 Odense C']);
  });

  it.each([
    'vej: Nørre Allé\nnr: 12\netage: 1\nside: th\npostnr: 5000\nby: Odense C',
    'Street: Nørre Allé, No.: 12, Floor: 1, Door: th, Postal code: 5000, City: Odense C',
    '<vejnavn>Nørre Allé</vejnavn><husnr>12</husnr><etage>1</etage><dør>th</dør><postnr>5000</postnr><by>Odense C</by>',
  ])('%s is its flat', (text) => {
    expect(first(text)).toEqual(['A', FLAT]);
  });

  it('is never sure of what a part contradicts or no label explains', () => {
    expect(first('vej=Nørre Allé&nr=12&etage=7&dør=th&postnr=5000')[0]).toBe('C');
    expect(first('Navn Hansen, vej: Nørre Allé, nr: 12, postnr: 5000, by: Odense C')[0]).toBe('C');
    expect(first('vej: Nørre Allé, nr: 12, vej: Jordvej, nr: 13, postnr: 5000')[0]).not.toBe('A');
    expect(
      first({ text: 'vej: Nørre Allé, nr: 12, postnr: 5000', postcode: '2610', town: null })[0],
    ).not.toBe('A');
  });
});

it.each(['Vej 5 Nr 53/55', 'Vej 5 Nr 53 og 55', 'Vej 5 Nr B3'])(
  '%s is no surer behind a road that ends in `Nr`',
  (start) => {
    expect(first(`${start}, 5000 Odense C`)[0]).toBe('C');
  },
);

describe('parts in another order', () => {
  it.each([
    'Nørre Allé Odense C 14 5000',
    'Nørre Allé, Odense, 14, 5000',
    'Odense C 14 Nørre Allé 5000',
    '14 Nørre Allé Odense C 5000',
  ])('%s', (text) => {
    expect(first(text)).toEqual(['A', 'Nørre Allé 14, 5000 Odense C']);
  });

  it('leaves a road its town', () => {
    expect(first('Terbjerg Strandvej 4, 1155')[1]).toBe('Terbjerg Strandvej 4, 1155 Terbjerg');
  });

  it.each([
    'th, 1. sal, Nørre Allé 12',
    '1. sal th, Nørre Allé 12',
    'Nørre Allé 12, lejl. første th',
  ])('%s is its flat', (text) => {
    expect(first(`${text}, 5000 Odense C`)).toEqual(['A', FLAT]);
  });

  it('guesses where a floor may be the number of a flat', () => {
    for (const unit of ['første lejl. højre', 'første dør højre', 'første bolig th'])
      expect(first(`Nørre Allé 12, ${unit}, 5000 Odense C`)).toEqual(['C', FLAT]);
  });
});

describe('a word cut without a stop', () => {
  it.each([
    ['Val Allé 12, 2610 Rødovre', 'Valhøjs Allé 12, 2610 Rødovre'],
    ['Nørrebro 12, 2200 København N', 'Nørrebrogade 12, 2200 København N'],
    ['Nørrebrog 12, 2200 København N', 'Nørrebrogade 12, 2200 København N'],
    ['Jordvgt 13, 2610 Rødovre', 'Jordvænget 13, 2610 Rødovre'],
  ])('%s is the road that begins so', (text, meant) => {
    const [category, found] = first(text);
    expect(['B', 'C']).toContain(category);
    expect(found).toBe(meant);
  });

  it('that begins two roads is a guess', () => {
    expect(first('Jordv 13, 2610 Rødovre')[0]).not.toBe('A');
    expect(first('Jord 13, 2610 Rødovre')[0]).toBe('C');
  });
});

it('changes nothing of what the register writes, whether or not its rules are tried', () => {
  const { houses, units } = new Truth(hardRows());
  const texts = oneIn(8, [...houses, ...units]).map((address) => written(address));
  const changed = texts.filter((text) => plainText(text) !== plainText(`${text} `).trimEnd());
  expect(changed).toEqual([]);
  expect(decoded(HOUSE)).toBe(HOUSE);
});

it('suggests a cellar that is one flat before the other flats', () => {
  const text = 'Nørre Allé 12, ';
  const asked = { text, caret: text.length, depth: 'unit', limit: 5 } as const;
  const [cellar] = finder.suggest({ ...NO_FILTER, ...asked });
  expect(cellar?.label).toBe('Nørre Allé 12, kl., 5000 Odense C');
});
