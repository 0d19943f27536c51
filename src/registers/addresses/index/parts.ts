/**
 * Addresses in parts, or as text with parts. A part that holds more (`husnr=23, 2. tv`) is also
 * read as text.
 */
import { normalDoor, normalFloor, normalHouseNumber } from '../../../layers/address-text.ts';
import { DOOR_WORDS } from '../../../layers/unit-words.ts';
import { PART_OF } from '../../../layers/address-labels.ts';
import type { WrittenAddress } from '../addresses.ts';
import { chunksOf, wordsOf } from './chunks.ts';
import { normalize } from '../../../names/normalize.ts';
import { partsLabelled } from './labelled.ts';
import { DOORS, formsNear, isOneOfForms, NOT_MENDED } from './unit-slips.ts';
import { readText, withoutCountry } from './written.ts';
import type { KnownPlaces } from './postcodes.ts';
import type { Reading } from './written.ts';

type InText = Extract<WrittenAddress, { readonly text: string }>;
type InParts = Exclude<WrittenAddress, InText>;

const COUNTRY_BEFORE = /^\s*(?:dk|d)[\s.-]*(?=\d)/i;

export function readingsOf(written: WrittenAddress, known: KnownPlaces): readonly Reading[] {
  const given = 'text' in written ? partsLabelled(written) : written;
  return 'text' in given ? readBeside(given, known) : readParts(given, known);
}

/** The parts fill what the text lacks and contradict what it says. */
export function readBeside(
  { floor = null, door = null, ...text }: InText,
  known: KnownPlaces,
): readonly Reading[] {
  const readings = readBesidePlace(text, known);
  if (bare(floor) === null && bare(door) === null) return readings;
  // A floor column may also hold a door, so both are read like parts of any house.
  const nothing = { postcode: null, town: null };
  const [unit] = readParts({ road: 'storegade', houseNumber: '1', floor, door, ...nothing }, known);
  return unit === undefined ? readings : readings.map((reading) => withUnit(reading, unit));
}

/** Unsure where text and parts disagree on the unit, or a part is only partly read. */
function withUnit(reading: Reading, { floor, door, postcode, places }: Reading): Reading {
  const differ = (own: string | null, given: string | null): boolean =>
    own !== null && given !== null && own !== given;
  // Four digits read as a postcode may be the door.
  const isRead = places.length === 0 && postcode === null;
  if (!isRead || differ(reading.floor, floor) || differ(reading.door, door)) {
    return { ...reading, way: 'one of several' };
  }
  return { ...reading, floor: reading.floor ?? floor, door: reading.door ?? door };
}

function readBesidePlace(
  { text, postcode = null, town = null }: Omit<InText, 'floor' | 'door'>,
  known: KnownPlaces,
): readonly Reading[] {
  const readings = readText(text, known);
  const { digits, places } = placeOf(postcode, town, known);
  if (digits === null && places.length === 0) return readings;
  return readings.map((reading) => withPlace(reading, digits, places));
}

interface Place {
  readonly digits: string | null;
  /** Towns and unread words, as written. */
  readonly places: readonly string[];
}

const HOLDS_MORE = /\d|(?<!\p{L})(?:dk|dan|den|dnk)/iu;

/** Each column may hold the other, its label and the country as well. */
function placeOf(postcode: string | null, town: string | null, known: KnownPlaces): Place {
  const code = codeOf(postcode);
  const beside = bare(town);
  const isCodeAlone = code === null || /^\d{4}$/.test(code);
  if (isCodeAlone && !HOLDS_MORE.test(beside ?? '')) {
    return { digits: code, places: placesIn(beside) };
  }
  const both = [code, beside].filter((part) => part !== null).join(', ');
  const apart = both.replace(/(?<!\d)(\d{4})[-/](?=\p{L})/gu, '$1 ');
  const chunks = withoutCountry(chunksOf(apart), known);
  const digits = chunks.find(({ text }) => /^\d{4}$/.test(text))?.text ?? null;
  const rest = chunks.filter(({ text, folded }) => text !== digits && !PLACE_LABELS.has(folded));
  // Another postcode is not part of the town.
  const parts = Map.groupBy(rest, ({ text, part }) => (/^\d{4}$/.test(text) ? text : part));
  return { digits, places: [...parts.values()].map((words) => wordsOf(words)) };
}

const PLACE_LABELS: ReadonlySet<string> = new Set(
  [...PART_OF].flatMap(([word, part]) => (part === 'postnr' || part === 'by' ? [word] : [])),
);

function withPlace(reading: Reading, digits: string | null, given: readonly string[]): Reading {
  const { postcode, places, spelling } = reading;
  const isOther = postcode !== null && digits !== null && postcode !== digits;
  const added = [...given, ...(isOther ? [digits] : [])].filter((place) => {
    const folded = normalize(place);
    return folded !== '' && !places.some((own) => own === folded || own.startsWith(`${folded} `));
  });
  return {
    ...reading,
    postcode: postcode ?? digits,
    places: [...added.map(normalize), ...places],
    spelling: new Map([
      ...spelling,
      ...added.map((place) => [normalize(place), place.trim()] as const),
    ]),
  };
}

/** Each part alone; where one holds more than its name says, also all as one text. */
export function readParts(parts: InParts, known: KnownPlaces): readonly Reading[] {
  const road = parts.road.trim();
  const number = bareNumber(parts.houseNumber);
  const floor = bareNumber(parts.floor);
  const door = bareNumber(parts.door);
  const own = {
    houseNumber: number === null ? null : normalHouseNumber(number),
    floor: floor === null ? null : normalFloor(floor),
    door: door === null ? null : normalDoor(door),
  };
  const isNamed =
    (number === null) === (own.houseNumber === null) &&
    (floor === null) === (own.floor === null) &&
    (door === null) === (own.door === null);
  const { digits, places } = placeOf(parts.postcode, parts.town, known);
  const plain: Reading = {
    road,
    houseNumber: own.houseNumber ?? number,
    floor: own.floor ?? floor,
    door: own.door ?? door,
    postcode: digits,
    places: places.map(normalize),
    spelling: new Map(places.map((place) => [normalize(place), place.trim()])),
    way: 'plain',
    mended: NOT_MENDED,
  };
  // `Silkegade 23` with and without an extra `23`.
  const again =
    number === null || !normalize(road).endsWith(` ${normalize(number)}`) ? number : null;
  const hasNumber = /\d/.test(road) && again === null;
  if (isNamed && !hasNumber) return [plain, ...mendedOf(plain)];
  const start = [road, again].filter((part) => part !== null).join(' ');
  const unit = [own.floor === null ? floor : `${own.floor}.`, own.door ?? door];
  const text = [start, unit.filter((part) => part !== null).join(' ')]
    .filter((part) => part !== '')
    .join(', ');
  const whole = readBesidePlace({ text, postcode: parts.postcode, town: parts.town }, known);
  return isNamed ? [plain, ...whole] : whole;
}

/** Truncated or misspelt sides: `h` and `hø` for th. */
function mendedOf(plain: Reading): readonly Reading[] {
  const written = normalize(plain.door ?? '');
  if (/\d/.test(written) || DOOR_WORDS.has(written)) return [];
  const mended = { ...NOT_MENDED, door: written };
  return formsNear(written, DOORS).map((door, _, forms) => {
    const isGuess = isOneOfForms(written, { form: door, forms }, DOORS);
    return { ...plain, door, way: isGuess ? 'guessed' : 'mended', mended };
  });
}

/** Drops the country; restores leading zeros that a spreadsheet removes. */
function codeOf(postcode: string | null): string | null {
  const code = bareNumber(postcode)?.replace(COUNTRY_BEFORE, '') ?? null;
  return code !== null && /^\d{1,3}$/.test(code) ? code.padStart(4, '0') : code;
}

function placesIn(town: string | null): readonly string[] {
  return town === null ? [] : town.split(',').filter((place) => normalize(place) !== '');
}

function bare(text: string | null): string | null {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? null : trimmed;
}

/** Drops the `.0` that spreadsheets append, also in `tv.0`. */
function bareNumber(text: string | null): string | null {
  return bare(text)?.replace(/(?<=^(?:\d+|tv|th|mf|st))[.,]0{1,2}$/i, '') ?? null;
}
