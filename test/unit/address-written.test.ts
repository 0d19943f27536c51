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
import { randomFrom } from '../../src/snapshot/probes.ts';
import { distance } from '../addresses/kinds.ts';

/** Words every object has something for. */
const INHERITED = ['__proto__', 'constructor', 'toString', 'valueof', 'hasownproperty'];

describe('an address as text', () => {
  it.each(INHERITED)('finds nothing but text in %s', (word) => {
    expect(normalFloor(word)).toBeNull();
    expect(normalDoor(word)).toBeNull();
    expect(shortKeyOf(`${normalize(word)} a`)).toBe(`${normalize(word).replaceAll(' ', '')}a`);
  });

  it('has its numbers, floors and doors in the form of the register, however written', () => {
    expect(['0012', '12 a', '012B', '1å', 'a', '12AB', ''].map(normalHouseNumber)).toEqual([
      ...['12', '12A', '12B', '1Å'],
      ...[null, null, null],
    ]);
    const same = (words: string, normal: (word: string) => string | null) =>
      words.split('|').map(normal).join();
    const floors =
      'stuen|stu|ST.|1. sal|02|2.|første|forste sal|kld.|Kælder|kaelderen|basement|kl1|-1';
    expect(same(floors, normalFloor)).toBe('st,st,st,1,2,2,1,1,kl,kl,kl,kl,kl,kl');
    expect(same('k2|kl2|kld2|-2|100|x|lk|kl. 2|kld 2|-12|-0', normalFloor)).toBe(
      'k2,k2,k2,k2,,,,,,,',
    );
    const doors = 't.v.|venst.|left|til højre|hojre|MF|midten|0012|lejl. 3|dør 4|a1|h|hø';
    expect(same(doors, normalDoor)).toBe('tv,tv,tv,th,th,mf,mf,12,3,4,a1,h,hø');
  });

  it('may be of a door alone', () => {
    const house = { roadName: 'Ridehusgade', houseNumber: '49A' };
    const nowhere = { supplementaryTown: null, postcode: null };
    expect(composeUnit({ ...house, ...nowhere, floor: null, door: '12' })).toBe(
      'Ridehusgade 49A, 12',
    );
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
