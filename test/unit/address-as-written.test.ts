/** What is certain, what is a guess and what is suggested, over a few addresses written by hand. */
import { describe, expect, it } from 'vitest';
import type { CleanseKind } from '../../src/registers/addresses/addresses.ts';
import { NO_FILTER } from '../../src/registers/addresses/addresses.ts';
import { fitPlaces } from '../../src/registers/addresses/index/place-fit.ts';
import { firstBy } from '../addresses/answerers.ts';
import { finderOver, smallIndex } from '../addresses/small-index.ts';

const STAIRS = 'st.tv 1.tv 1.th 2.tv 10.tv';
const ROWS = smallIndex([
  { road: 'Ring 4', place: '2750 Ballerup', numbers: '2 4 14' },
  { road: 'Ring', place: '2740 Skovlunde', numbers: '4' },
  { road: 'Vej 10', place: '3000 Helsingør', numbers: '3 5' },
  { road: 'Vej 10 Nr', place: '3000 Helsingør', numbers: '3' },
  { road: 'Bro 2 Plads Nr', place: '3000 Helsingør', numbers: '1' },
  { road: 'Østergade', place: '5000 Odense C', numbers: '22' },
  { road: 'Istedgade', place: '1650 København V', numbers: '22' },
  { road: 'Skt. Mønsterstræde', place: '1113 København K', numbers: '11 14 15', units: STAIRS },
  { road: 'Silkegade', place: '1113 København K', numbers: '23', units: STAIRS },
  { road: 'Nyhavn', place: '1051 København K', numbers: '1 8 18' },
  { road: 'Vamdrupvej', place: '2610 Rødovre', numbers: '4E 6' },
  { road: 'Randrupvej', place: '2610 Rødovre', numbers: '4' },
  { road: 'Pier', place: '8000 Aarhus C', numbers: '2' },
  { road: 'Pier 2', place: '8000 Aarhus C', numbers: '14' },
  { road: 'Hans Tausens Gade', place: '5000 Odense C', numbers: '1' },
  { road: 'Sindalvej', place: '9870 Sindal', numbers: '1' },
  { road: 'Østre Stationsvej', place: '5000 Odense C', numbers: '24 26', units: STAIRS },
  {
    ...{ road: 'Delt Vej', place: '5000 Odense C', units: 'st. 1.' },
    numbers: '-36@0 36A@4 36B@9 38@20 40@500',
  },
  { road: 'Lang Vej', place: '5000 Odense C', numbers: '-1@0 1A@900' },
]);
const finder = finderOver(ROWS);
const { addressIndex } = finder;

function cleansed(text: string, kind: CleanseKind | null = null, by = finder) {
  const { category, candidates } = by.cleanse({ text }, kind, 10);
  return { category, texts: candidates.map(({ address }) => address.designation), candidates };
}

const first = firstBy(finder);

/** `written = category: addresses`, the likeliest first, a line each; a line without is a heading. */
function answersIn(table: string) {
  return table.split('\n').flatMap((line) => {
    const [, written = '', category = '', texts = ''] = /^ *(.*) = (.): (.*)$/.exec(line) ?? [];
    return written === '' ? [] : [[written, category, texts.split('; ')] as const];
  });
}

describe('how sure the datavask is', () => {
  it.each(
    answersIn(`
      The road of another place is a guess at most, and so is a town of another postcode.
      Istedgade 22, 5000 Odense C = C: Østergade 22, 5000 Odense C
      Ostergade 22, 5000 Odense C = B: Østergade 22, 5000 Odense C
      Nyhavn 18 = C: Nyhavn 18, 1051 København K
      Nyhavn 18, 1051 København V = C: Nyhavn 18, 1051 København K

      No number is a misspelt road with a number in it; what the register writes is certain.
      Ring 4, 2750 Ballerup = C: Ring 4 4, 2750 Ballerup
      Ring 4 2, 2750 Ballerup = A: Ring 4 2, 2750 Ballerup
      Vej 10 Nr 3, 3000 Helsingør = A: Vej 10 Nr 3, 3000 Helsingør
      vej 10 nr. 3, 3000 Helsingør = C: Vej 10 3, 3000 Helsingør; Vej 10 Nr 3, 3000 Helsingør
      Vej 10 nr. 5, 3000 Helsingør = A: Vej 10 5, 3000 Helsingør
      Bro 2 Plads Nr 1, 3000 Helsingør = A: Bro 2 Plads Nr 1, 3000 Helsingør

      A range may mean several; a number is one with letters, and a letter one that was a digit.
      Østre Stationsvej 24-26, 5000 Odense C = C: Østre Stationsvej 24, 5000 Odense C; Østre Stationsvej 26, 5000 Odense C
      Vamdrupvej 4, 2610 Rødovre = C: Vamdrupvej 4E, 2610 Rødovre
      Nyhavn l8, 1051 København K = C: Nyhavn 18, 1051 København K

      Letters of a road that are wrong: of four, six and nine.
      Pief 2, 8000 Aarhus C = B: Pier 2, 8000 Aarhus C
      Piaf 2, 8000 Aarhus C = C: Pier 2, 8000 Aarhus C
      Nuhevn 18, 1051 København K = B: Nyhavn 18, 1051 København K
      Nuhevm 18, 1051 København K = C: Nyhavn 18, 1051 København K
      Selkigede 23, 1113 København K = B: Silkegade 23, 1113 København K
      Selkigeda 23, 1113 København K = C: Silkegade 23, 1113 København K
    `),
  )('%s: %s', (text, category, texts) => {
    const found = cleansed(text);
    expect([found.category, found.texts.slice(0, texts.length)]).toEqual([category, texts]);
  });

  it('answers the house first, its units behind it, in the order of floors and doors', () => {
    const { category, candidates, texts } = cleansed('Skt. Mønsterstræde 14, 1113 København K');
    expect(category).toBe('A');
    expect(candidates[0]!.kind).toBe('access');
    expect(texts.slice(1)).toEqual(
      ['st. tv', '1. tv', '1. th', '2. tv', '10. tv'].map(
        (unit) => `Skt. Mønsterstræde 14, ${unit}, 1113 København K`,
      ),
    );
    const units = cleansed('Skt. Mønsterstræde 14, 1113 København K', 'unit');
    expect(units.category).toBe('C');
    expect(new Set(units.candidates.map(({ kind }) => kind))).toEqual(new Set(['unit']));
    expect(units.texts.slice(0, 5)).toEqual(texts.slice(1));
  });

  it('answers the unit where the house is one', () => {
    const { category, candidates } = cleansed('Istedgade 22, 1650 København V');
    expect([category, candidates.length, candidates[0]!.kind]).toEqual(['A', 1, 'unit']);
  });

  it('knows København by its other names, and the country as nothing', () => {
    const own = 'Silkegade 23, 2. tv, 1113 København K';
    for (const place of [
      ...['1113 Kbh. K', '1113 KBH', '1113 Copenhagen', 'DK 1113 Cph K', 'DK1113 København K'],
      ...['1113 København K, Danmark', '1113 København K, Sjælland, Denmark', '1113 Kbh K DK'],
    ]) {
      expect(first(`Silkegade 23, 2. tv, ${place}`), place).toEqual(['A', own]);
    }
  });

  it('is told by parts that hold more than their name says', () => {
    const own = 'Silkegade 23, 2. tv, 1113 København K';
    const none = { houseNumber: null, floor: null, door: null, postcode: null, town: null };
    const place = { postcode: '1113', town: 'København K' };
    for (const parts of [
      { ...none, ...place, road: 'Silkegade 23, 2. tv' },
      { ...none, ...place, road: 'Silkegade', houseNumber: '23, 2. tv' },
      { ...none, ...place, road: 'Silkegade', houseNumber: '23', floor: '2. tv' },
      { ...none, ...place, road: 'Silkegade 23', houseNumber: '23', floor: '2', door: 'tv' },
      {
        ...{ ...none, road: 'Silkegade', houseNumber: '23', floor: '2', door: 'tv' },
        postcode: 'DK-1113 København K',
      },
    ]) {
      expect(first(parts), JSON.stringify(parts)).toEqual(['A', own]);
    }
    expect(first({ text: 'Silkegade 23, 2. tv', ...place })).toEqual(['A', own]);
    expect(first({ text: own, ...place })).toEqual(['A', own]);
    const ring = { ...none, road: 'Ring 5', houseNumber: '14', postcode: '2750', town: 'Ballerup' };
    expect(first(ring)).toEqual(['C', 'Ring 4 14, 2750 Ballerup']);
    // What the columns say against the text is not overlooked.
    expect(first({ text: own, postcode: '8000', town: 'Aarhus C' })).toEqual(['C', own]);
  });
});

const CLOSE = finderOver(
  smallIndex([
    { road: 'Trappevej', place: '5000 Odense C', numbers: '1', units: 'st.tv st.th' },
    { road: 'Parkvej', place: '1051 København K', numbers: '3' },
    { road: 'Parkvej', place: '1113 København K', numbers: '3' },
    { road: 'Parkvej', place: '3000 Helsingør', numbers: '3' },
    { road: 'Bakkevej', place: '1113 København K', numbers: '-3' },
    { road: 'Bakkevej', place: '1051 København K', numbers: '3' },
    { road: 'Elmevej', place: '5000 Odense C', numbers: '3' },
    { road: 'Ulmevej', place: '5000 Odense C', numbers: '9' },
    { road: 'Elmvej', place: '8000 Aarhus C', numbers: '3' },
    { road: 'Egevej', place: '5000 Odense C', numbers: '-7 8' },
    { road: 'Lindevej', place: '5000 Odense C', numbers: '7 8', former: 'Egevej' },
    { road: 'Granvænget', place: '5000 Odense C', numbers: '7', former: 'Ahornvej' },
    { road: 'Ahornsvej', place: '5000 Odense C', numbers: '9' },
    { road: 'Havnerækken', place: '', numbers: '3' },
    { road: 'Tallet', place: '5000 Odense C', numbers: '9 2' },
    { road: 'Delgade', place: '5000 Odense C', numbers: '2 4', units: 'st. 4.' },
    { road: 'Aavej', place: '5000 Odense C', numbers: '1' },
    { road: 'Åvej', place: '5000 Odense C', numbers: '1' },
    { road: 'Kornvænget', place: '2800 Kongens Lyngby', numbers: '14', town: 'Hjallese' },
    { road: 'Søvej', place: '2800 Kongens Lyngby', numbers: '3' },
    { road: 'Vej 10', place: '3000 Helsingør', numbers: '3 5' },
  ]),
);

describe('addresses that can be taken for one another', () => {
  it.each(
    answersIn(`
      Parkvej 3, 1051 København K = A: Parkvej 3, 1051 København K
      Egevej 7, 5000 Odense C = A: Lindevej 7, 5000 Odense C; Egevej 7, 5000 Odense C
      Egevej 8, 5000 Odense C = A: Egevej 8, 5000 Odense C; Lindevej 8, 5000 Odense C
      Åvej 1, 5000 Odense C = A: Åvej 1, 5000 Odense C; Aavej 1, 5000 Odense C
      Aavej 1, 5000 Odense C = A: Aavej 1, 5000 Odense C; Åvej 1, 5000 Odense C
      Trappevej 1, 5000 Odense C = A: Trappevej 1, 5000 Odense C; Trappevej 1, st. tv, 5000 Odense C; Trappevej 1, st. th, 5000 Odense C

      Without a postcode: the living one of the town, or several.
      Bakkevej 3, København K = B: Bakkevej 3, 1051 København K; Bakkevej 3, 1113 København K
      Parkvej 3, København K = C: Parkvej 3, 1051 København K; Parkvej 3, 1113 København K; Parkvej 3, 3000 Helsingør
      Egevej 8 = C: Egevej 8, 5000 Odense C; Lindevej 8, 5000 Odense C
      Elmevej 3, Odense C = B: Elmevej 3, 5000 Odense C

      In another place, or of two places at once.
      Elmevej 3, 8000 Aarhus C = C: Elmvej 3, 8000 Aarhus C; Elmevej 3, 5000 Odense C
      Elmevej 3, 8000 = C: Elmvej 3, 8000 Aarhus C; Elmevej 3, 5000 Odense C
      Elmevej 3, 5000 Aarhus C = C: Elmvej 3, 8000 Aarhus C; Elmevej 3, 5000 Odense C

      Two roads as near to what is written, one of which is a former name.
      Almevej 3, 5000 Odense C = C: Elmevej 3, 5000 Odense C
      Ahornnvej 7, 5000 Odense C = C: Granvænget 7, 5000 Odense C
      Havnerakken 3 = C: Havnerækken 3

      Numbers: several, none, or beside the written one, the lower first.
      Elmevej 3-5, 5000 Odense C = C: Elmevej 3, 5000 Odense C
      Tallet 5, 5000 Odense C = C: Tallet 2, 5000 Odense C; Tallet 9, 5000 Odense C
      Vej 10, 3000 Helsingør = C: Vej 10 3, 3000 Helsingør; Vej 10 5, 3000 Helsingør
      Egevej 6, 5000 Odense C = C: Egevej 8, 5000 Odense C
      Parkvej 4, 1051 København K = C: Parkvej 3, 1051 København K

      Towns that are nearly written, or half.
      Elmevej 3, 5000 Odensee C = B: Elmevej 3, 5000 Odense C
      Kornvænget 14, Hjallese, 2800 Kongens Lyngby = A: Kornvænget 14, Hjallese, 2800 Kongens Lyngby
      Kornvænget 14, Hjallesee, 2800 Kongens Lyngby = B: Kornvænget 14, Hjallese, 2800 Kongens Lyngby
      Søvej 3, 2800 Kongens = B: Søvej 3, 2800 Kongens Lyngby

      Words around the road.
      Hr. Jensen Elmevej 3, 5000 Odense C = C: Elmevej 3, 5000 Odense C
      Elmevej bagved 3, 5000 Odense C = C: Elmevej 3, 5000 Odense C
    `),
  )('%s: %s', (text, category, texts) => {
    expect(cleansed(text, null, CLOSE)).toMatchObject({ category, texts });
  });

  it.each(
    answersIn(`
      Trappevej 1, 2. tv, 5000 Odense C = C: Trappevej 1, st. tv, 5000 Odense C
      Trappevej 1, st. mf, 5000 Odense C = C: Trappevej 1, st. tv, 5000 Odense C
      Delgade 2-4, 5000 Odense C = C: Delgade 2, 4., 5000 Odense C
      Delgade 4, st. tv, 5000 Odense C = C: Delgade 4, st., 5000 Odense C
      Lindevej 7, 5000 Aarhus C = C: Lindevej 7, 5000 Odense C
      Bakkevej 3, 1052 København K = C: Bakkevej 3, 1051 København K
      Elmevej 3, 5000 Odxyze C = C: Elmevej 3, 5000 Odense C
    `),
  )('%s is at most a guess, of the likeliest', (text, category, [likeliest]) => {
    const found = cleansed(text, null, CLOSE);
    expect([found.category, found.texts[0]]).toEqual([category, likeliest]);
  });
});

/** Addresses that are weighed against one another, and names that are written otherwise. */
const WEIGHED = finderOver(
  smallIndex([
    { road: 'Elmevej', place: '5000 Odense C', numbers: '4 4A 5B 8E' },
    { road: 'Ulmevej', place: '5000 Odense C', numbers: '4B 8' },
    { road: 'Egevej', place: '3700 Rønne', numbers: '4A 5B' },
    { road: 'Dørvej', place: '5000 Odense C', numbers: '1', units: 'st.0121 1.-121' },
    { road: 'Havrevej', place: '8000 Aarhus C', numbers: '3' },
    { road: 'Hovrevaj', place: '8270 Højbjerg', numbers: '3' },
    {
      ...{ road: 'Hans Christian Andersens Vej', short: 'H C Andersens Vej' },
      ...{ place: '5200 Odense V', numbers: '1' },
    },
    { road: 'H.C.Andersens Vej', place: '5200 Odense V', numbers: '1' },
    { road: 'General Bertelsens Allé', short: 'Ulmvej', place: '9000 Aalborg', numbers: '7' },
    { road: 'Elmvej', place: '9000 Aalborg', numbers: '3' },
    { road: 'Klokkestræde', short: 'Nygade', place: '8600 Silkeborg', numbers: '1' },
    { road: 'Nygodd', place: '8600 Silkeborg', numbers: '1' },
    {
      ...{ road: 'Lindevej', place: '5000 Odense C', numbers: '7 9' },
      ...{ former: 'Gyvelvej', formerPlace: '5220 Odense SØ' },
    },
    { road: 'Gyvelvej', place: '5220 Odense SØ', numbers: '7' },
    { road: 'Gyvelvej', place: '5000 Odense C', numbers: '9' },
  ]),
);

describe('what is likelier than something else', () => {
  it('is a forgotten letter than a misspelt road, and that than a letter too many or another', () => {
    const at = (text: string) => cleansed(`${text}, 5000 Odense C`, null, WEIGHED).texts;
    const named = (...roads: readonly string[]) => roads.map((road) => `${road}, 5000 Odense C`);
    expect(at('Elmevej 8').slice(0, 2)).toEqual(named('Elmevej 8E', 'Ulmevej 8'));
    const others = named('Ulmevej 4B', 'Elmevej 4', 'Elmevej 4A', 'Elmevej 5B');
    expect(at('Elmevej 4B').slice(0, 4)).toEqual(others);
  });

  it.each(
    answersIn(`
      Its number with another letter before the number beside it.
      Egevej 4B, 3700 Rønne = C: Egevej 4A, 3700 Rønne; Egevej 5B, 3700 Rønne

      Signs before a door say nothing, whoever wrote them.
      Dørvej 1, st. 0121, 5000 Odense C = A: Dørvej 1, st. 0121, 5000 Odense C
      Dørvej 1, st. 121, 5000 Odense C = A: Dørvej 1, st. 0121, 5000 Odense C
      Dørvej 1, 1. 121, 5000 Odense C = A: Dørvej 1, 1. -121, 5000 Odense C

      A road of another place is not even offered for being as near.
      Hovrevij 3, 8000 Aarhus C = B: Havrevej 3, 8000 Aarhus C

      A short name is a name: to the letter, misspelt, and as near as another road's.
      H C Andersens Vej 1, 5200 Odense V = A: Hans Christian Andersens Vej 1, 5200 Odense V; H.C.Andersens Vej 1, 5200 Odense V
      Nygede 1, 8600 Silkeborg = B: Klokkestræde 1, 8600 Silkeborg; Nygodd 1, 8600 Silkeborg
      Almvej 3, 9000 Aalborg = C: Elmvej 3, 9000 Aalborg

      A former name has the postcode it had.
      Gyvelvej 9, 5220 Odense SØ = A: Lindevej 9, 5000 Odense C
      Gyvelvej 7, 5220 Odense SØ = A: Gyvelvej 7, 5220 Odense SØ; Lindevej 7, 5000 Odense C
    `),
  )('%s: %s', (text, category, texts) => {
    expect(cleansed(text, null, WEIGHED)).toMatchObject({ category, texts });
  });

  it('is a short town by its first letter: `X` may stand for another alphabet, and is no ten', () => {
    expect(fitPlaces(['x by'], '', '10 by').postName).toBeGreaterThan(0);
    expect(fitPlaces(['gl by'], '', 'gammel by').postName).toBe(0);
  });
});

describe('what is suggested', () => {
  const ANYWHERE = { ...NO_FILTER, limit: 5 };
  const suggested = (text: string): readonly string[] => {
    const caret = text.includes('|') ? text.indexOf('|') : text.length;
    return finder
      .suggest({ ...ANYWHERE, text: text.replace('|', ''), caret, depth: 'unit' })
      .map(({ label }) => label);
  };

  it('heeds what stands behind the caret', () => {
    expect(suggested('Østre Stationsv| 24')[0]).toBe('Østre Stationsvej 24, st. tv, 5000 Odense C');
  });

  it('stays with a unit while its place is typed', () => {
    const own = 'Silkegade 23, 1. th, 1113 København K';
    for (const behind of ['', ', ', ', 1', ', 11', ', 1113', ', 1113 K']) {
      expect(suggested(`Silkegade 23, 1. th${behind}`), behind).toEqual([own]);
    }
  });

  it('goes on with the number or the road that the caret is in, and with no other', () => {
    const [one, eighteen] = ['Nyhavn 1, 1051 København K', 'Nyhavn 18, 1051 København K'];
    expect(suggested('Nyhavn 1')).toEqual([one, eighteen]);
    expect(suggested('Nyhavn 1 ')).toEqual([one]);
  });

  it('finds roads that end in a number', () => {
    expect(suggested('Pier 2 14')[0]).toBe('Pier 2 14, 8000 Aarhus C');
    expect(suggested('Ring 4 2')[0]).toBe('Ring 4 2, 2750 Ballerup');
  });

  it('names no place that is not the road’s', () => {
    expect(suggested('Hans Sindal').filter((label) => label.includes('Sindal'))).toEqual([]);
  });
});

describe('what took the place of an address that is gone', () => {
  const successors = (text: string, kind: CleanseKind): readonly string[] | null => {
    const { address } = finder.cleanse({ text }, kind, 1).candidates[0]!;
    expect(address.designation).toBe(text);
    return addressIndex.successors(address)?.map(({ address: each }) => each.designation) ?? null;
  };

  it('is the same number with letters, the nearest first, of a unit with its floor', () => {
    const houses = ['Delt Vej 36A', 'Delt Vej 36B'];
    const all = (unit: string) => houses.map((house) => `${house}${unit}, 5000 Odense C`);
    expect(successors('Delt Vej 36, 5000 Odense C', 'access')).toEqual(all(''));
    expect(successors('Delt Vej 36, 1., 5000 Odense C', 'unit')).toEqual(all(', 1.'));
  });

  it('is nothing known where the number lies elsewhere now, and not asked of one in force', () => {
    expect(successors('Lang Vej 1, 5000 Odense C', 'access')).toEqual([]);
    expect(successors('Delt Vej 38, 5000 Odense C', 'access')).toBeNull();
  });
});
