/**
 * Removes names and contacts around an address. What may be a floor, door, number, road or town
 * stays.
 */
import {
  DOOR_WORDS,
  FLAT_WORDS,
  FLOOR_FILLERS,
  FLOOR_WORDS,
  UNSURE_DOORS,
  UNSURE_FLOORS,
} from '../../../layers/unit-words.ts';
import { BUILDINGS, SHORT } from '../../../names/abbreviations.ts';
import { normalize } from '../../../names/normalize.ts';
import { chunksOf } from './chunks.ts';
import { readTail } from './tail.ts';

export interface Inside {
  readonly text: string;
  readonly outside: readonly string[];
  /** Names alone before the address that nothing marks as names. */
  readonly names: readonly string[];
}

/** Includes misspelt roads and towns. */
type IsPlace = (folded: string) => boolean;

const EIGHT = '(?:\\d{2}(?:[ .-]?\\d{2}){3}|\\d{3}[ .-]?\\d{2}[ .-]?\\d{3})(?!\\d)';
const DENMARK = '\\(?(?:\\+|00)45\\)?[\\s.-]?';
const END = '(?=\\s*(?:$|[,;|\\n()]|[-–]\\s))';
const START = '(?<=^|[,;|\\n(]\\s*|\\s[-–]\\s)';
const label = (words: string): string => `(?<![\\p{L}\\d])(?:${words})`;
const NUMBER_SIGN = '[\\s.-]{0,2}(?:nr|nummer|no)?[.:\\s]{0,3}';
const NUMBERED =
  'kunde|ordre|faktura|debitor|kreditor|medlems?|konto|sags?|journal|reference|ref|aftale|installations|måler|ejendoms|bfe|lokations|leverandør|løbe|tilbuds?|projekt|rekvisitions|rekv|po|police|bilag|bestillings|booking|abonnements|licens|serie|vare|id|bestilling|pakke|forsendelse|butiks?|afdelings|lejer';
/** Chains named by a number, or that number their shops. */
const CHAINS =
  '3f(?![^]*(?<!\\d)3(?!\\d))|7[ -]?eleven|rema\\s?1000|q8|f24|24[/ ]7|365\\s?discount|(?:netto|fakta|føtex|bilka|kvickly|(?:super|dagli.?\\s?)?brugsen|irma|lidl|aldi|spar|meny|matas|jysk|silvan|circle k|shell|uno-?x|normal|butik|pakkeshop|pakkeboks|(?:gls|dao|postnord) pakkeshop)(?:\\s+(?:nr|butik)\\.?)?\\s+\\d{3,5}';

/** Labelled patterns come first. */
const CONTACTS: readonly RegExp[] = [
  `<?(?:${label('e-?mail(?:adresse)?|mail|mailto')}[.:\\s]{0,3})?[\\w.+æøå-]{1,64}@[\\wæøå-]+(?:\\.[\\wæøå-]+)+>?`,
  `(?:${label('web|website|hjemmeside|se')}[.:\\s]{0,3})?(?:https?://[^\\s,;|]+|www\\.[^\\s,;|]+)`,
  `${START}[\\wæøå-]{2,63}\\.(?:dk|com|net|org|eu|nu)${END}`,
  `${label('ean|gln')}(?:13|[\\s-]?lokations)?${NUMBER_SIGN}\\d(?:[ .-]?\\d){12}(?!\\d)`,
  `(?<![\\d+])57\\d{11}(?!\\d)`,
  `${label('iban')}?[.:\\s]{0,3}dk\\d\\d ?(?:\\d{4} ?){3}\\d\\d(?!\\d)`,
  `${label('cpr')}${NUMBER_SIGN}\\d{6}-?\\d{4}(?!\\d)|(?<![\\d-])\\d{6}-\\d{4}(?!\\d)`,
  `${label('cvr|se|cvr/se|vat|moms')}${NUMBER_SIGN}(?:dk[\\s-]?)?${EIGHT}`,
  `${label('dk|nr\\.?')}[\\s-]?\\d{8}(?!\\d)`,
  `${label('p|prod(?:uktions|\\.)enheds?')}${NUMBER_SIGN}\\d{10}(?!\\d)`,
  `${label(`(?:deres |vores )?(?:${NUMBERED})`)}[- ]?(?:(?:nr|nummer|no|[.:#])[.:\\s#]{0,3}[\\w/-]*\\d{3}[\\w/-]*|\\s+\\d{5,})`,
  `${START}#\\d{5,}${END}`,
  `${label('(?:port|dør|alarm|gade)?kode|nøgleboks')}[.:\\s#]{0,3}\\d{3,8}#?${END}`,
  `${START}(?:\\d{1,2}[./-]\\d{1,2}[./-](?:19|20)\\d\\d|(?:19|20)\\d\\d-\\d\\d-\\d\\d|\\d{2,5} ?(?:m2|m²|kvm\\.?))${END}`,
  `(?:${label('tlf|telefon|tel|phone|ph|mobil|mobile|mob|fax|telefax|ring|kontakt|t|m')}|[☎📞])${NUMBER_SIGN}(?:(?:privat|arbejde|mobil|direkte)[.:\\s]{0,3})?(?:${DENMARK})?${EIGHT}(?:\\s?(?:/|og|el\\.|eller)\\s?(?:${DENMARK})?${EIGHT})*`,
  `(?<![\\d+])${DENMARK}${EIGHT}`,
  `${START}${EIGHT}${END}`,
  `(?<=\\p{L}\\s+)${EIGHT}(?=\\s*$)`,
  `[<"]?${label('pstbx')}"?\\s?[:=>]\\s?"?(?:[\\p{L}.]+ ){0,3}\\d{1,5}"?(?:</pstbx>)?`,
  `${label('(?:post|døgn)?bo(?:ks|x)|p\\.? ?o\\.? ?box|p\\.? ?b|postfach')}${NUMBER_SIGN}\\d{1,5}(?!\\d)`,
  `(?<=^|\\s)\\d{8}(?=\\s|$|[,;|\\n)])`,
].map((source) => new RegExp(source, 'giu'));
const CHAIN = new RegExp(
  `${START}(${CHAINS})(?![\\p{L}\\d])(?=((?:[\\s,]+\\p{L}+){0,3}))(?:(?: \\p{L}[\\p{L}'-]+){1,2}${END})?`,
  'giu',
);

const COMPANY =
  /(?<![\p{L}\d/])(?:aps|a\/s|i\/s|ivs|k\/s|p\/s|e\/f|a\/b|s\/i|amba|a\.m\.b\.a|fmba|f\.m\.b\.a|smba|holding|gmbh|ltd|inc|fond|fonden)(?![\p{L}\d/])\.?/iu;
const COMPANIES = new RegExp(COMPANY, 'giu');
const ENDS_IN_FORM = new RegExp(`${COMPANY.source}\\s*$`, 'iu');
const CARE_OF =
  /^(?:c\/[o0]|c\.o\.|att(?:n|ention)?[.:]|attn?(?=\s)|v\/|v\.\s?\/|(?:til|to)[.:]|(?:hr|fru|frk)\.(?=\s))[.:\s]*(?=\p{L})/iu;
const CARE_OF_INSIDE =
  /(?<=[\p{L}\d.]\s+)(?:c\/[o0]|attn?(?:[.:]|(?=\s+(?:hr|fru|frk)\b))|v\/)\s*[^,;|\n()\d]+?(?=\s*(?:$|[,;|\n()]|(?<!\d)\d{4}\s))/giu;
/** `Nm: Bageren ApS`, `<Dept>Drift</Dept>`. */
const LABELLED =
  /(?<=^|[,;|\n{<>]\s*)"?(?:navn|name|nm|bldgnm|firma|firmanavn|virksomhed|company|modtager|kontaktperson|careof|dept|subdept|department)"?\s*[:=>]\s*"?([^,;|\n<":=]{2,80}?)(?:<\/\w+>|"?,?(?=\s*(?:$|[,;|\n<]|\p{L}[\p{L}./]*\s*[:=])))/giu;
/** `Att.: Jens Hansen`: this colon does not separate. */
const CARE_OF_COLON = /(?<=(?:^|[\s,;|\n(])(?:att|attn|c\/o|v\/|til|to))\s?\.?:\s*/giu;
/** A colon or dash ends what precedes an address, and separates nothing inside one. */
const PARTS = /(\s*(?:[,;\n\t()·•]|(?<!\d)\|(?!\d)|\|(?=\d{4}(?!\d))|:(?=\s)|\s[-–/](?=\s))\s*)/u;

const NO_NAME: ReadonlySet<string> = new Set([
  ...[...FLOOR_WORDS.keys(), ...DOOR_WORDS.keys(), ...UNSURE_FLOORS.keys()],
  ...[...UNSURE_DOORS.keys(), ...FLOOR_FILLERS, ...FLAT_WORDS, ...BUILDINGS],
  ...['hus', 'have', 'parcel', 'lod', 'grund', 'afd', 'afdeling', 'etape', 'matr', 'matrikel'],
  ...['matrikelnr', 'ejerlav', 'side', 'hf', 'haveforening', 'haveforeningen', 'kolonihave', 'tr'],
  // The address that follows is near it, a former one, or in another country.
  ...['mellem', 'hjoernet', 'overfor', 'ved', 'bag', 'modsat', 'naer', 'nabo', 'ikke', 'ej'],
  ...['tidligere', 'tidl', 'foer', 'fraflyttet', 'udrejst', 'ukendt', 'nedlagt', 'forkert'],
  ...['sverige', 'sweden', 'norge', 'norway', 'tyskland', 'germany', 'deutschland', 'island'],
  ...['finland', 'groenland', 'greenland', 'faeroeerne', 'udland'],
]);
const ROAD_ENDING =
  /(?:vej|vejen|gade|gaden|straede|straedet|alle|alleen|plads|pladsen|torv|torvet|vaenget|vaenge|parken|boulevard|brygge|kaj|kajen|stien|sti|haven|haver|toften|marken|bakken|kolonihaver)$/;
const ROAD_WORDS: ReadonlySet<string> = new Set([...SHORT.keys(), ...SHORT.values()]);
const MOST_WORDS = 8;
const MOST_TEXT = 500;

/** Parts of an address, unless two other words make them a name: `Det Blå Hus`. */
const IN_NAMES: ReadonlySet<string> = new Set([
  ...['center', 'centre', 'hus', 'have', 'bolig', 'lokale', 'suite', 'unit', 'flat'],
]);

function isName(text: string, isPlace: IsPlace = () => false): boolean {
  const words = text.split(/\s+/).filter((word) => word !== '');
  // A final letter may be a house's; with a stop before a word it is an initial.
  if (words.length > MOST_WORDS || /\d|(?:^|\s)\p{L}$/u.test(text)) return false;
  const own = normalize(text.replace(/(?<!\p{L})\p{L}\.(?=\s*\p{L}{2})/gu, ' ')).split(' ');
  const others = own.filter((word) => word.length > 2 && !IN_NAMES.has(word));
  const isPart = (word: string): boolean =>
    (NO_NAME.has(word) && !(others.length > 1 && IN_NAMES.has(word))) || ROAD_ENDING.test(word);
  if (others.length === 0 || own.some(isPart)) return false;
  // `Gammel` alone on a line begins a road.
  return !own.every((word) => ROAD_WORDS.has(word)) && !isPlace(normalize(text));
}

const withoutForm = (text: string): string =>
  text
    .replace(COMPANIES, ' ')
    .replace(/\(\s*\)/g, ' ')
    .trim();

/** `Studio 54`, `H2O`. */
const DIGITS_OF_NAME = /(?<=\p{L}\S*\s+)\d{1,5}(?=\s|$)|(?<=(?:^|\s)\p{L}{3,})\d+(?=\p{L}{2})/gu;
const SHORT_NAME = /(?<=^|\s)\p{L}{1,2}\d\S*/gu;

/** By `c/o`, `att.` or a company's form; it may then equal a road or town. */
function isMarked(part: string, isPlace: IsPlace): boolean {
  const careOf = CARE_OF.exec(part);
  if (careOf !== null) return isUnmarked(withoutForm(part.slice(careOf[0].length)));
  return COMPANY.test(part) && isCompany(part, isPlace);
}

function isCompany(part: string, isPlace: IsPlace): boolean {
  const name = withoutForm(part);
  if (!/\d/.test(name) || !ENDS_IN_FORM.test(part)) return isUnmarked(name);
  // With digits it may look like an address.
  return isUnmarked(name.replace(DIGITS_OF_NAME, '').replace(SHORT_NAME, 'navn'), isPlace);
}

/** `Jens Hansen`, `Bageren v. Jens Hansen`. */
const isUnmarked = (part: string, isPlace?: IsPlace): boolean =>
  part.split(/(?<=\p{L}{2}\S*)\s+v[./]\s*(?=\p{L})/iu).every((name) => isName(name, isPlace));

// `kældertil venstre`, `åth`.
function isUnit(part: string): boolean {
  const isRead = [part, `1. ${part}`].some((text) =>
    readTail(chunksOf(text)).some(({ left }) => left.length === 0),
  );
  const begins = [...FLOOR_WORDS.keys()].filter(({ length }) => length > 3);
  const words = chunksOf(part).map(({ folded }) => folded);
  return isRead || words.some((word) => begins.some((begin) => word.startsWith(begin)));
}

/** `3F left`; `24/7`, `3F front` after a number. */
function mayBeUnit(chain: string, behind: string, before: string): boolean {
  const words = normalize(behind).split(' ');
  return words.some((word) => NO_NAME.has(word)) || (/\d/.test(before) && isUnit(chain));
}

/** `Bageren ApS Nygade 8`: only if a road and number follow. */
function companyBefore(part: string, isPlace: IsPlace): string | null {
  const [form] = COMPANY.exec(part) ?? [];
  if (form === undefined) return null;
  const end = part.indexOf(form) + form.length;
  const [before, after] = [part.slice(0, end), part.slice(end)];
  const isFollowed = /^\s+(?:\p{L}|\d{1,2}\.\s).*\d/u.test(after);
  return isFollowed && isCompany(before, isPlace) ? before : null;
}

interface Known {
  readonly isPlace: IsPlace;
  readonly mayHaveNames: boolean;
}

export function insideOf(text: string, { isPlace, mayHaveNames }: Known): Inside {
  if (text.length > MOST_TEXT) return { text, outside: [], names: [] };
  const outside: string[] = [];
  const names: string[] = [];
  const without = (found: string): string => {
    outside.push(found.trim().replace(/[,;]$/, ''));
    return ' ';
  };
  const withoutName = (found: string, name: string): string =>
    isName(withoutForm(name)) ? without(found) : found;
  let rest = text.replace(CARE_OF_COLON, '. ');
  for (const contact of CONTACTS) rest = rest.replace(contact, without);
  rest = rest
    .replace(CHAIN, (found, chain: string, behind: string, ...[at]: readonly number[]) =>
      mayBeUnit(chain, behind, rest.slice(0, at)) ? found : without(found),
    )
    .replace(LABELLED, withoutName)
    .replace(CARE_OF_INSIDE, (found) => withoutName(found, found.replace(CARE_OF, '')));
  const parts = rest.split(PARTS);
  const first = mayHaveNames ? parts.findIndex((part) => /\d/.test(part)) : 0;
  const kept = parts.map((part, i) => {
    if (i % 2 === 1 || part.trim() === '') return part.replace('|', ', ');
    if (isMarked(part.trim(), isPlace)) return without(part);
    if (i < first && isUnmarked(part.trim(), isPlace) && !isUnit(part)) {
      names.push(part.trim());
      return without(part);
    }
    const company = companyBefore(part, isPlace);
    return company === null ? part : part.replace(company, without);
  });
  const left = outside.length === 0 ? text : tidied(kept.join(''));
  return { text: numbersInDigits(left), outside, names };
}

const tidied = (text: string): string =>
  text
    .replace(/(?<=^|[,;|\n(:])[ \t]*(?:[,;|\n():]|[-–](?=\s))+/gu, '')
    .replace(/^[\s,;|():–-]+|[\s,;|(:–-]+$/g, '')
    .trim();

/** Numbers in words: `Nygade nr. otte`, `tre. sal`. */
const ONES = ['nul', 'en', 'to', 'tre', 'fire', 'fem', 'seks', 'syv', 'otte', 'ni'];
const TEENS = 'ti elleve tolv tretten fjorten femten seksten sytten atten nitten'.split(' ');
const TENS = ['tyve', 'tredive', 'fyrre', 'halvtreds', 'tres', 'halvfjerds', 'firs', 'halvfems'];

const VALUES: ReadonlyMap<string, number> = new Map([
  ...[...ONES, ...TEENS].map((word, n) => [word, n] as const),
  ...['et', 'én', 'ét'].map((word) => [word, 1] as const),
  ...TENS.flatMap((ten, i) =>
    ONES.map((one, n) => [n === 0 ? ten : `${one}og${ten}`, 10 * (i + 2) + n] as const),
  ),
]);
const WORD = [...VALUES.keys()].join('|');
const OF_HOUSE = new RegExp(
  `(?<=^[^\\d,;\\n]*\\p{L}{3,}\\s)(?:(?:nr|nummer)\\.?\\s+)?(${WORD})(?: ?([a-z]))?(?=\\s*(?:$|[,;\\n]))`,
  'iu',
);
const OF_FLOOR = new RegExp(`(?<![\\p{L}\\d])(${WORD})\\.?(?=\\s+(?:sal|etage)(?!\\p{L}))`, 'giu');

const digits = (word: string): string => String(VALUES.get(word.toLowerCase()));

function numbersInDigits(text: string): string {
  return text
    .replace(OF_HOUSE, (_, word: string, letter?: string) => digits(word) + (letter ?? ''))
    .replace(OF_FLOOR, (_, word: string) => `${digits(word)}.`);
}
