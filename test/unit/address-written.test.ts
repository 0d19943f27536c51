import { describe, expect, it } from 'vitest';
import {
  composeUnit,
  doorOrder,
  floorOrder,
  houseNumberOrder,
  normalDoor,
  normalFloor,
  normalHouseNumber,
} from '../../src/layers/address-text.ts';
import { editsBetween, normalize, shortKeyOf } from '../../src/names/normalize.ts';
import { readTyped } from '../../src/registers/addresses/index/typed.ts';
import { readText } from '../../src/registers/addresses/index/written.ts';
import { randomFrom } from '../../src/snapshot/probes.ts';
import { distance } from '../addresses/kinds.ts';

const TOWNS: Readonly<Record<string, string>> = {
  '5000': 'odense c',
  '5200': 'odense v',
  '4660': 'store heddinge',
};
const KNOWN = {
  postcodeName: (code: string) => TOWNS[code] ?? null,
  isTownStart: (start: string) => Object.values(TOWNS).some((name) => name.startsWith(start)),
};

/** Words every object has something for. */
const INHERITED = ['__proto__', 'constructor', 'toString', 'valueof', 'hasownproperty'];

describe('an address as text', () => {
  it.each(INHERITED)('finds nothing but text in %s', (word) => {
    expect(normalFloor(word)).toBeNull();
    expect(normalDoor(word)).toBeNull();
    expect(shortKeyOf(`${normalize(word)} a`)).toBe(`${normalize(word).replaceAll(' ', '')}a`);
  });

  it('is put together as the register does', () => {
    const place = {
      roadName: 'Ridehusgade',
      houseNumber: '49A',
      supplementaryTown: 'Bolbro',
      postcode: { code: '5000', name: 'Odense C' },
    };
    const none = { ...place, supplementaryTown: null, postcode: null };
    expect([
      composeUnit({ ...place, floor: '2', door: 'th' }),
      composeUnit({ ...place, floor: 'st', door: null }),
      composeUnit({ ...none, floor: null, door: '12' }),
      composeUnit({ ...none, floor: null, door: null }),
    ]).toEqual([
      'Ridehusgade 49A, 2. th, Bolbro, 5000 Odense C',
      'Ridehusgade 49A, st., Bolbro, 5000 Odense C',
      'Ridehusgade 49A, 12',
      'Ridehusgade 49A',
    ]);
  });

  it('has its numbers, floors and doors in the form of the register, however written', () => {
    expect(['0012', '12 a', '012B', '1å', 'a', '12AB', ''].map(normalHouseNumber)).toEqual([
      ...['12', '12A', '12B', '1Å'],
      ...[null, null, null],
    ]);
    expect(
      ['stuen', 'ST.', '1. sal', '02', '2.', 'kld.', 'Kælder', 'k2', '100', 'x'].map(normalFloor),
    ).toEqual(['st', 'st', '1', '2', '2', 'kl', 'kl', 'k2', null, null]);
    expect(['t.v.', 'til højre', 'MF', '0012', 'lejl. 3', 'dør 4', 'a1'].map(normalDoor)).toEqual([
      ...['tv', 'th', 'mf', '12', '3', '4', 'a1'],
    ]);
  });

  it('stands in the order people expect', () => {
    const sorted = <T>(texts: readonly T[], order: (text: T) => number): T[] =>
      [...texts].sort((a, b) => order(a) - order(b));
    expect(sorted(['10', '2Å', '2', '2Ø', '2A', '2Z'], houseNumberOrder)).toEqual([
      ...['2', '2A', '2Z', '2Ø', '2Å', '10'],
    ]);
    expect(sorted(['kl', '10', '2', 'st', null, 'k2'], floorOrder)).toEqual([
      ...[null, 'st', '2', '10', 'kl', 'k2'],
    ]);
    expect(sorted(['12', 'th', 'a', 'mf', '2', 'tv', null], doorOrder)).toEqual([
      ...[null, 'tv', 'mf', 'th', '2', '12', 'a'],
    ]);
  });
});

describe('texts compared', () => {
  it('are letters and digits alone, Danish letters spelt out', () => {
    expect(normalize("  H.C. Ørsted's Allé, Åby-12 ")).toBe('h c oersteds alle aaby 12');
    expect(normalize('Gl.\u00a0Kongevej')).toBe('gl kongevej');
    expect(normalize('😀 \ud800')).toBe('');
    expect(normalize('A\u030Aboulevard Cafe\u0301 中文')).toBe('aaboulevard cafe xx');
    expect(shortKeyOf('gammel kongevej')).toBe(shortKeyOf('gl kongevej'));
    expect(shortKeyOf('soendre ringvej')).toBe(shortKeyOf('sdr ringvej'));
  });

  it('are as many edits apart as counting them one by one says', () => {
    const random = randomFrom(4);
    const word = (): string =>
      Array.from({ length: Math.floor(45 * random()) }, () => 'abå'[Math.floor(3 * random())]!)
        .join('')
        .replaceAll('å', 'c');
    for (let i = 0; i < 500; i++) {
      const [a, b] = [word(), word()];
      expect(editsBetween(a, b)).toBe(distance(a, b));
    }
  });
});

describe('an address somebody wrote', () => {
  const first = (text: string): string => {
    const { road, houseNumber, floor, door, postcode, places } = readText(text, KNOWN)[0]!;
    return [road, houseNumber, floor, door, postcode, places.join('+')]
      .map((part) => part ?? '-')
      .join('|');
  };

  it.each([
    ['Ridehusgade 49, 2. th, 5000 Odense C', 'Ridehusgade|49|2|th|5000|odense c'],
    ['ridehusgade 049 2.sal tv 5000 odense', 'ridehusgade|49|2|tv|5000|odense'],
    ['5000 Odense C, Ridehusgade 49 b, st', 'Ridehusgade|49B|st|-|5000|odense c'],
    ['5000 Odense C Ridehusgade 49', 'Ridehusgade|49|-|-|5000|odense c'],
    ['Ridehusgade 49A st.tv., Bolbro, 5200 Odense V', 'Ridehusgade|49A|st|tv|5200|odense v+bolbro'],
    ['10. Februar Vej 12, 5000 Odense C', '10. Februar Vej|12|-|-|5000|odense c'],
    ['Ridehusgade 12, Odense', 'Ridehusgade|12|-|-|-|odense'],
    ['Vej 3, St. Heddinge', 'Vej|3|-|-|-|st heddinge'],
    ['Ridehusgade 12 til højre DK-5000 Odense C', 'Ridehusgade|12|-|th|5000|odense c'],
    ['Ridehusgade nr. 12, kld, 5000', 'Ridehusgade|12|kl|-|5000|'],
    ['Ridehusgade 12, Nr. Mørby, 5000 Odense C', 'Ridehusgade|12|-|-|5000|odense c+nr moerby'],
    ['Ridehusgade, 12, 5000 Odense C', 'Ridehusgade|12|-|-|5000|odense c'],
    ['Ridehusgade 12, st. lejl. 3, 5000 Odense C', 'Ridehusgade|12|st|3|5000|odense c'],
    ['c/o Hansen, Ridehusgade 12 5000 Odense C', 'Ridehusgade|12|-|-|5000|odense c+c o hansen'],
    ['Ridehusgade', 'Ridehusgade|-|-|-|-|'],
    ['', '|-|-|-|-|'],
  ])('%s', (text, parts) => {
    expect(first(text)).toBe(parts);
  });

  it('reads a lone number behind the house number both ways', () => {
    const ways = readText('Ridehusgade 12, 2, 5000 Odense C', KNOWN);
    expect(ways.map(({ road, floor, door }) => [road, floor, door])).toEqual([
      ['Ridehusgade', '2', null],
      ['Ridehusgade', null, '2'],
      ['Ridehusgade 12', null, null],
    ]);
  });
});

describe('an address being typed', () => {
  const typed = (text: string): ReturnType<typeof readTyped>[number] => {
    const caret = text.indexOf('|');
    return readTyped(text.replace('|', ''), caret < 0 ? text.length : caret, KNOWN)[0]!;
  };

  it('knows which word the caret is in', () => {
    expect(typed('Nørreg')).toMatchObject({ road: 'noerreg', isRoadOpen: true });
    expect(typed('Nørregade ')).toMatchObject({ road: 'noerregade', isRoadOpen: false });
    expect(typed('Nør|regade')).toMatchObject({ road: 'noerregade', isRoadOpen: true });
    expect(typed('Nørregade 1')).toMatchObject({ houseNumber: '1', isHouseOpen: true });
    expect(typed('Nørregade 1 ')).toMatchObject({ houseNumber: '1', isHouseOpen: false });
    expect(typed('Nørregade 1, ')).toMatchObject({ houseNumber: '1', wantsUnit: true });
    expect(typed('Nørregade 1, 2. t')).toMatchObject({ floor: '2', door: 't' });
    expect(typed('Nørregade 1|, 5000 Odense C')).toMatchObject({
      houseNumber: '1',
      isHouseOpen: true,
      wantsUnit: false,
      postcode: '5000',
      places: ['odense c'],
    });
  });
});
