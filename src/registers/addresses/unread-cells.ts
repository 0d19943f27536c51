/** Whether a cell that a job did not read may decide its row's address (D154). */
import { normalDoor, normalFloor, normalHouseNumber } from '../../layers/address-text.ts';
import type { UnreadCell } from '../../core/rows/row-reader.ts';
import { lookOf } from '../../core/rows/address-values.ts';
import type { Look } from '../../core/rows/address-values.ts';
import { COUNTRY } from '../../names/abbreviations.ts';
import { normalize } from '../../names/normalize.ts';
import { accessOf } from './addresses.ts';
import type { AccessAddress, CleanseCandidate, Cleansed, WrittenAddress } from './addresses.ts';

type Cleanse = (written: WrittenAddress) => Cleansed;

interface Found {
  readonly access: AccessAddress;
  readonly floor: string | null;
  readonly door: string | null;
  readonly read: CleanseCandidate['read'];
  readonly former: CleanseCandidate['former'];
  readonly cleanse: Cleanse;
}

/** Calls `cleanse` for the address that the cell would lead to. */
export function mayDecide(cell: UnreadCell, best: CleanseCandidate, cleanse: Cleanse): boolean {
  const { address, read, former } = best;
  const { floor, door } = 'access' in address ? address : { floor: null, door: null };
  const found: Found = { access: accessOf(address), floor, door, read, former, cleanse };
  const text = cell.text.replace(/(?<=^\d+)[.,]0+$/, '').replace(LABEL, '');
  if (cell.part === 'blank' || cell.part === 'word')
    return mayBePart(text, { look: lookOf(cell.text), heading: cell.part }, found);
  return !SAYS_THE_SAME[cell.part](text, found);
}

/** `litra A`, `lejl. 1. tv`. */
const LABEL =
  /^(?:opgang|opg|indgang|litra|bogstav|lejl|lejlighed|bolig|dør|doer|værelse|vær|apt|unit)\b\.?[\s:]*(?=\S)/i;

type Test = (text: string, found: Found) => boolean;

/** By heading: whether the value agrees with the found address, or says nothing. */
const SAYS_THE_SAME: Readonly<Record<Exclude<UnreadCell['part'], 'blank' | 'word'>, Test>> = {
  adresse: isInText,
  linje: isInText,
  vej: isRoad,
  husnr: (text, found) => {
    const number = normalHouseNumber(text);
    const known = [found.access.houseNumber, found.read.houseNumber, found.former?.houseNumber];
    // A column of numbers next to one of letters.
    return number !== null && known.some((own) => own === number || digitsOf(own) === number);
  },
  bogstav: (text, { access }) => isLetterOf(text, access),
  opgang: (text, { access }) =>
    isLetterOf(text, access) || normalHouseNumber(text) === access.houseNumber,
  etage: (text, found) => normalFloor(text) === (found.floor ?? '') || isUnit(text, found),
  doer: (text, found) => normalDoor(text) === (found.door ?? '') || isUnit(text, found),
  enhed: (text, found) =>
    !isPartLike(text) || normalDoor(text) === (found.door ?? '') || isUnit(text, found),
  bygning: (text, found) => !isPartLike(text) || isLetterOf(text, found.access),
  co: (text, found) => {
    const unit = unitWords(found);
    const words = normalize(text)
      .split(' ')
      .filter((word) => isPartLike(word));
    return words.every((word) => unit.includes(word));
  },
  postnr: (text, { access, read, former }) => {
    const [, digits = '', rest = ''] = /^(?:dk?[- ]?)?(\d{3,4})\b[\s,]*(.*)$/i.exec(text) ?? [];
    const code = digits.padStart(4, '0');
    const isCode = [access.postcode?.code, read.postcode, former?.postcode].includes(code);
    return isCode && (rest === '' || isTown(rest, { access, read }));
  },
  by: isTown,
  sted: (text, found) => isPlaced(found) || isTown(text, found),
  kommune: (text, found) => {
    const code = /^\d{3,4}$/.test(text) ? text.padStart(4, '0') : null;
    if (code !== null) return code === found.access.road.municipalityCode;
    return isPlaced(found) || isTown(text.replace(/\s*kommunes?$/i, ''), found);
  },
  vejkode: (text, { access }) =>
    /^\d{1,4}$/.test(text) && Number(text) === Number(access.road.roadCode ?? NaN),
  land: (text) => COUNTRY.has(normalize(text)),
  postboks: () => false,
  region: () => true,
};

/** With a postcode, a road and number are one address or already a guess. */
function isPlaced({ access, read }: Pick<Found, 'access' | 'read'>): boolean {
  return read.postcode !== null && read.postcode === access.postcode?.code;
}

function isInText(text: string, { access, floor, door, read, former }: Found): boolean {
  const known = [
    ...[access.designation, floor, door, ...Object.values(read)],
    ...[former?.roadName, former?.houseNumber, access.road.shortName, access.road.name],
  ];
  const words = new Set(known.flatMap((each) => normalize(each ?? '').split(' ')));
  return normalize(text)
    .split(' ')
    .every((word) => words.has(word) || COUNTRY.has(word));
}

function isRoad(text: string, found: Found): boolean {
  const { access, read, former } = found;
  const road = normalize(text.replace(/[\s,]+\d+\s*[a-zæøå]?$/i, ''));
  const known = [access.road.name, access.road.shortName, read.road, former?.roadName];
  return (
    known.some((name) => normalize(name ?? '') === road) &&
    (!/\d/.test(text) || isInText(text, found))
  );
}

function isTown(text: string, { access, read }: Pick<Found, 'access' | 'read'>): boolean {
  const town = normalize(text);
  const { postcodeName, supplementaryTown } = read;
  const known = [access.postcode?.name, access.supplementaryTown, postcodeName, supplementaryTown];
  return known.some((name) => {
    const own = normalize(name ?? '');
    // `Odense` of `Odense C`; `6700 Esbjerg`.
    return (
      own !== '' &&
      (own === town || own.startsWith(`${town} `) || town === `${access.postcode?.code} ${own}`)
    );
  });
}

function unitWords({ floor, door }: Pick<Found, 'floor' | 'door'>): readonly string[] {
  return [floor, door].flatMap((part) => (part === null ? [] : [normalize(part)]));
}

/** The address's own floor and door: `1. tv`. */
function isUnit(text: string, found: Found): boolean {
  const [first = '', ...more] = text
    .split(/[\s.,/-]+(?:sal\b)?[\s.,/-]*/i)
    .filter((each) => each !== '');
  if (more.length === 0 || found.floor === null) return false;
  return normalFloor(first) === found.floor && normalDoor(more.join('')) === (found.door ?? '');
}

function digitsOf(number: string | null | undefined): string | null {
  return /^\d+/.exec(number ?? '')?.[0] ?? null;
}

function isLetterOf(text: string, { houseNumber }: AccessAddress): boolean {
  const letter = houseNumber.replace(/^\d+/, '');
  const written = text.replace(/\.$/, '').toUpperCase();
  return letter !== '' && (written === letter || normalHouseNumber(text) === houseNumber);
}

function isPartLike(text: string): boolean {
  return /\d|^\p{L}$/u.test(text) || ['unit', 'ground'].includes(lookOf(text) ?? '');
}

/** By its look, and by whether such an address exists. */
function mayBePart(
  text: string,
  { look, heading }: { readonly look: Look | null; readonly heading: 'blank' | 'word' },
  found: Found,
): boolean {
  if (look === null || (heading === 'word' && ONLY_BLANK.includes(look))) return false;
  return MAY_BE[look](text, found);
}

/** In a column with another name a number counts something else. */
const ONLY_BLANK: readonly Look[] = ['number'];

const MAY_BE: Readonly<Record<Look, Test>> = {
  unit: (text, found) =>
    !isUnit(text, found) &&
    normalFloor(text) !== (found.floor ?? '') &&
    normalDoor(text) !== (found.door ?? ''),
  ground: hasUnit,
  letter: (text, found) =>
    !isLetterOf(text, found.access) &&
    hasHouse(`${found.access.houseNumber}${text.replace('.', '')}`, found),
  house: (text, found) => {
    const number = normalHouseNumber(text) ?? '';
    return digitsOf(number) === found.access.houseNumber && hasHouse(number, found);
  },
  place: (text, found) => !SAYS_THE_SAME.postnr(text, found),
  postcode: (text, found) => !hasPlace(found) && !SAYS_THE_SAME.postnr(text, found),
  number: hasUnit,
  name: (text, found) => !hasPlace(found) && !isTown(text, found) && isKnownTown(text, found),
};

function hasPlace({ read: { postcode, postcodeName, supplementaryTown } }: Found): boolean {
  return postcode !== null || postcodeName !== null || supplementaryTown !== null;
}

function partsOf({ access, floor, door }: Found): Exclude<WrittenAddress, { text: string }> {
  const { road, houseNumber, postcode, supplementaryTown } = access;
  return {
    ...{ road: road.name, houseNumber, floor, door },
    ...{ postcode: postcode?.code ?? null, town: supplementaryTown },
  };
}

function hasHouse(houseNumber: string, found: Found): boolean {
  const number = normalHouseNumber(houseNumber);
  const { candidates } = found.cleanse({ ...partsOf(found), houseNumber });
  return candidates.some(({ address }) => {
    const access = accessOf(address);
    return access.houseNumber === number && access.road.name === found.access.road.name;
  });
}

function hasUnit(text: string, found: Found): boolean {
  const [floor, door] = [normalFloor(text), normalDoor(text)];
  const isSame = (own: string | null, given: string | null) => given !== null && own === given;
  if (isSame(found.floor, floor) || isSame(found.door, door)) return false;
  const written = partsOf(found);
  const asked = [
    { ...written, floor: text, door: null },
    { ...written, floor: found.floor ?? '1', door: text },
  ];
  return asked.some((each) =>
    found
      .cleanse(each)
      .candidates.some(
        ({ address }) =>
          'access' in address &&
          address.access.id === found.access.id &&
          (isSame(address.floor, floor) || isSame(address.door, door)),
      ),
  );
}

function isKnownTown(text: string, found: Found): boolean {
  const [best] = found.cleanse({ ...partsOf(found), postcode: null, town: text }).candidates;
  const isRead = best !== undefined && best.unknownWords.length === 0;
  return isRead && (best.read.postcodeName !== null || best.read.supplementaryTown !== null);
}
