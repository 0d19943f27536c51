/**
 * Addresses as people write them, with the address they meant: what the datavask is judged by. Each
 * mutation takes an address and spoils its text in one way; null where it cannot.
 */
import type {
  AccessAddress,
  FormerName,
  UnitAddress,
} from '../../src/registers/addresses/addresses.ts';
import { composeUnit } from '../../src/layers/address-text.ts';
import type { OpenAddressIndex } from '../../src/registers/addresses/index/address-index.ts';
import { normalize } from '../../src/names/normalize.ts';
import type { Random } from './land.ts';

/** An address taken apart, to be put together spoilt. */
export interface Meant {
  readonly kind: 'access' | 'unit';
  readonly id: string;
  readonly roadName: string;
  readonly houseNumber: string;
  readonly floor: string | null;
  readonly door: string | null;
  readonly supplementaryTown: string | null;
  readonly postcode: { readonly code: string; readonly name: string };
  readonly former: FormerName | null;
}

type Mutation = (meant: Meant, random: Random) => string | null;

const LETTERS = 'abcdefghijklmnoprstuvyæøå';
const below = (n: number, random: Random): number => Math.floor(n * random());

/** One letter replaced, dropped, doubled, put in, or turned with the next; the first word kept a word. */
export function misspell(text: string, random: Random): string {
  for (;;) {
    const at = below(text.length, random);
    if (!/\p{L}/u.test(text[at]!)) continue;
    const other = LETTERS[below(LETTERS.length, random)]!;
    const made = [
      text.slice(0, at) + other + text.slice(at + 1),
      text.slice(0, at) + text.slice(at + 1),
      text.slice(0, at) + text[at]! + text.slice(at),
      text.slice(0, at) + other + text.slice(at),
      text.slice(0, at) + (text[at + 1] ?? '') + text[at]! + text.slice(at + 2),
    ][below(5, random)]!;
    if (normalize(made) !== normalize(text) && normalize(made).length > 2) return made;
  }
}

const FLOORS: Readonly<Record<string, readonly string[]>> = {
  st: ['stuen', 'Stueplan', 'st', 'ST.'],
  kl: ['kld.', 'kælder', 'KL'],
};
const DOORS: Readonly<Record<string, readonly string[]>> = {
  tv: ['t.v.', 'til venstre', 'TV', 'venstre'],
  th: ['t.h.', 'til højre', 'Th.'],
  mf: ['m.f.', 'midt for', 'MF'],
};

function floorSpelt({ floor, door, ...meant }: Meant, random: Random): string | null {
  if (floor === null) return null;
  const floors = FLOORS[floor] ?? [`${floor}. sal`, `${floor}.sal`, `0${floor}.`, `${floor} sal`];
  const doors = door === null ? [''] : (DOORS[door] ?? [door, `dør ${door}`, `0${door}`]);
  const unit = `${floors[below(floors.length, random)]!} ${doors[below(doors.length, random)]!}`;
  const start = `${meant.roadName} ${meant.houseNumber}, ${unit.trim()}`;
  return `${start}, ${meant.postcode.code} ${meant.postcode.name}`;
}

const ABBREVIATED: readonly (readonly [RegExp, string])[] = [
  [/^Gammel /, 'Gl. '],
  [/^Gl\. /, 'Gammel '],
  [/^Nørre /, 'Nr. '],
  [/^Nr\. /, 'Nørre '],
  [/^Sønder /, 'Sdr. '],
  [/^Sdr\. /, 'Sønder '],
  [/^Store /, 'St. '],
  [/^Lille /, 'Ll. '],
  [/^Skt\. /, 'Sankt '],
  [/^Christian /, 'Chr. '],
  [/ Allé$/, ' Alle'],
];

function abbreviated(meant: Meant): string | null {
  const rule = ABBREVIATED.find(([pattern]) => pattern.test(meant.roadName));
  if (rule === undefined) return null;
  return composeUnit({ ...meant, roadName: meant.roadName.replace(rule[0], rule[1]) });
}

function wrongPostcode(meant: Meant, random: Random): string {
  const { code } = meant.postcode;
  const at = 1 + below(3, random);
  const digit = (Number(code[at]) + 1 + below(9, random)) % 10;
  const wrong = `${code.slice(0, at)}${digit}${code.slice(at + 1)}`;
  return composeUnit({ ...meant, postcode: { ...meant.postcode, code: wrong } });
}

function townAlone({ postcode, ...meant }: Meant): string {
  return `${composeUnit({ ...meant, postcode: null })}, ${postcode.name}`;
}

function swapped(meant: Meant): string {
  const { code, name } = meant.postcode;
  const rest = composeUnit({ ...meant, postcode: null });
  return `${code} ${name}, ${rest}`;
}

function zeros({ houseNumber, floor, door, ...meant }: Meant): string {
  const padded = (text: string | null): string | null =>
    text !== null && /^\d/.test(text) ? `0${text}` : text;
  return composeUnit({
    ...meant,
    houseNumber: `0${houseNumber}`,
    floor: padded(floor),
    door: padded(door),
  });
}

function formerly({ former, ...meant }: Meant): string | null {
  return former === null ? null : composeUnit({ ...meant, roadName: former.roadName });
}

function letterApart(meant: Meant): string | null {
  const apart = meant.houseNumber.replace(/([A-ZÆØÅ])$/, ' $1');
  return apart === meant.houseNumber ? null : composeUnit({ ...meant, houseNumber: apart });
}

function misspeltTown(meant: Meant, random: Random): string {
  const name = misspell(meant.postcode.name, random);
  return composeUnit({ ...meant, postcode: { ...meant.postcode, name } });
}

function misspelt(times: number): Mutation {
  return (meant, random) => {
    let { roadName } = meant;
    for (let i = 0; i < times; i++) roadName = misspell(roadName, random);
    return composeUnit({ ...meant, roadName });
  };
}

export const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'as the register writes it': (meant) => composeUnit(meant),
  'in capitals': (meant) => composeUnit(meant).toUpperCase(),
  'æ ø å spelt out': (meant) =>
    composeUnit(meant)
      .toLowerCase()
      .replaceAll('æ', 'ae')
      .replaceAll('ø', 'oe')
      .replaceAll('å', 'aa'),
  'without commas': (meant) => composeUnit(meant).replaceAll(',', ''),
  'one typo in the road': misspelt(1),
  'two typos in the road': misspelt(2),
  'no postcode, town alone': townAlone,
  'no town, postcode alone': (meant) =>
    composeUnit({ ...meant, postcode: { ...meant.postcode, name: '' } }),
  'no postcode, no town': (meant) => composeUnit({ ...meant, postcode: null }),
  'wrong postcode': wrongPostcode,
  'typo in the town': misspeltTown,
  'no supplementary town': (meant) =>
    meant.supplementaryTown === null ? null : composeUnit({ ...meant, supplementaryTown: null }),
  'other spelling of floor and door': floorSpelt,
  'leading zeros': zeros,
  'letter apart': letterApart,
  'postcode and town first': swapped,
  'short or long form of a word': abbreviated,
  'name of somebody first': (meant) => `c/o Hansen, ${composeUnit(meant)}`,
  'former road name': formerly,
  'former road name, one typo': (meant, random) =>
    meant.former === null
      ? null
      : composeUnit({ ...meant, roadName: misspell(meant.former.roadName, random) }),
};

/** Draws living addresses, each with what it was once called. */
export function addressDrawer(
  addressIndex: OpenAddressIndex,
  random: Random,
): (kind: 'access' | 'unit', wantsFormer: boolean) => Meant {
  const place = (count: number): number => below(count, random);
  const draw = (kind: 'access' | 'unit'): AccessAddress | UnitAddress =>
    kind === 'access'
      ? addressIndex.accessAt(place(addressIndex.accessCount))
      : addressIndex.unitAt(place(addressIndex.unitCount));
  return (kind, wantsFormer) => {
    for (;;) {
      const former = wantsFormer ? addressIndex.formerAt(place(addressIndex.formerCount)) : null;
      const own = former === null ? draw(kind) : ofFormer(addressIndex, former, kind);
      if (own === null) continue;
      const access = 'access' in own ? own.access : own;
      const isAsked = ('access' in own ? 'unit' : 'access') === kind;
      if (!isAsked || own.status > 3 || access.postcode === null) continue;
      return {
        kind,
        id: own.id,
        roadName: access.road.name,
        houseNumber: access.houseNumber,
        floor: 'access' in own ? own.floor : null,
        door: 'access' in own ? own.door : null,
        supplementaryTown: access.supplementaryTown,
        postcode: access.postcode,
        former,
      };
    }
  };
}

/** The address that a former name is of, or its first unit address. */
function ofFormer(
  addressIndex: OpenAddressIndex,
  { id, kind }: FormerName,
  wanted: 'access' | 'unit',
): AccessAddress | UnitAddress | null {
  if (kind === 'unit') return addressIndex.unit(id);
  return wanted === 'access' ? addressIndex.access(id) : (addressIndex.unitsOf(id)[0] ?? null);
}
