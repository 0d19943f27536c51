/** Headings and cells in plain Danish or English (`dialekt=ord`). */
import { LINE_KEYS, LINE_NAMES, THEMES } from '../layers/keys.ts';
import type { LineKey, Theme } from '../layers/keys.ts';
import { THEME_WORDS } from '../layers/words.ts';
import type { Words } from '../layers/words.ts';

type Language = keyof Words;

const COLUMNS: Readonly<Record<string, Words>> = {
  raekke: { da: 'Række', en: 'Row' },
  error: { da: 'Hvorfor ikke', en: 'Why not' },
  fejl: { da: 'Hvorfor ikke', en: 'Why not' },
  punkt_lon: { da: 'Længdegrad', en: 'Longitude' },
  punkt_lat: { da: 'Breddegrad', en: 'Latitude' },
  lon: { da: 'Længdegrad', en: 'Longitude' },
  lat: { da: 'Breddegrad', en: 'Latitude' },
  koordinat_lon: { da: 'Adressens længdegrad', en: 'Longitude of the address' },
  koordinat_lat: { da: 'Adressens breddegrad', en: 'Latitude of the address' },
  epsg25832_x: { da: 'Øst (UTM 32, m)', en: 'Easting (UTM 32, m)' },
  epsg25832_y: { da: 'Nord (UTM 32, m)', en: 'Northing (UTM 32, m)' },
  soegeradius_m: { da: 'Søgt inden for (m)', en: 'Searched within (m)' },
  antal_i_kraft: { da: 'Linjer i kraft', en: 'Lines in force' },
  utilgaengelige: { da: 'Kunne ikke svares', en: 'Could not be answered' },
  areal_m2: { da: 'Areal (m²)', en: 'Area (m²)' },
  egen_grund: { da: 'Egen grund', en: 'Ground of its own' },
  antal_beroert: { da: 'Forhold, der berører', en: 'Conditions that apply' },
  antal: { da: 'Antal områder', en: 'Number of areas' },
  kategori: { da: 'Hvor sikker', en: 'Certainty' },
  antal_resultater: { da: 'Antal forslag', en: 'Number of suggestions' },
  ulaeste_kolonner: { da: 'Kolonner, der ikke er læst', en: 'Columns not read' },
  afstand: { da: 'Rettede tegn', en: 'Characters corrected' },
  afstand_m: { da: 'Afstand til adressen (m)', en: 'Distance to the address (m)' },
  type: { da: 'Slags adresse', en: 'Kind of address' },
  id: { da: 'Adressens id', en: 'Id of the address' },
  status: { da: 'Adressens status', en: 'Status of the address' },
  betegnelse: { da: 'Adresse', en: 'Address' },
  adresse: { da: 'Hovedbygningens adresse', en: 'Address of the main building' },
  adgangsadresse_id: { da: 'Adgangsadressens id', en: 'Id of the access address' },
  vejnavn: { da: 'Vejnavn', en: 'Road name' },
  vejkode: { da: 'Vejkode', en: 'Road code' },
  husnr: { da: 'Husnummer', en: 'House number' },
  etage: { da: 'Etage', en: 'Floor' },
  doer: { da: 'Dør', en: 'Door' },
  supplerende_bynavn: { da: 'Supplerende bynavn', en: 'Supplementary town' },
  postnr: { da: 'Postnummer', en: 'Postcode' },
  postnrnavn: { da: 'By', en: 'Town' },
  kommunekode: { da: 'Kommunekode', en: 'Municipality code' },
  bfe_nummer: { da: 'BFE-nummer', en: 'BFE number' },
  grund_id: { da: 'Grundens id i BBR', en: 'Id of the plot in BBR' },
  matrikelnummer: { da: 'Matrikelnummer', en: 'Parcel number' },
  ejerlav_kode: { da: 'Ejerlavskode', en: 'Cadastral district code' },
  antal_bygninger: { da: 'Antal bygninger', en: 'Number of buildings' },
  antal_enheder: { da: 'Antal enheder', en: 'Number of units' },
  anvendelse_kode: { da: 'Anvendelse, kode', en: 'Use, code' },
  anvendelse_tekst: { da: 'Anvendelse', en: 'Use' },
  opfoerelsesaar: { da: 'Opført', en: 'Built' },
  bebygget_m2: { da: 'Bebygget areal (m²)', en: 'Footprint (m²)' },
  samlet_bygningsareal_m2: { da: 'Bygningsareal i alt (m²)', en: 'Floor area in all (m²)' },
  samlet_boligareal_m2: { da: 'Boligareal (m²)', en: 'Dwelling area (m²)' },
  samlet_erhvervsareal_m2: { da: 'Erhvervsareal (m²)', en: 'Business area (m²)' },
  ydervaeg: { da: 'Ydervægge', en: 'Outer walls' },
  tag: { da: 'Tag', en: 'Roof' },
  opvarmningsmiddel: { da: 'Opvarmning', en: 'Heating' },
  asbest: { da: 'Asbest', en: 'Asbestos' },
};

/** Words before and after a line's name. */
const LINE_PARTS: Readonly<Record<string, Words>> = {
  status: { da: 'Svar om {}', en: 'Answer on {}' },
  inden_for: { da: 'Inden for {}', en: 'Within {}' },
  usikker: { da: 'Usikkert ja til {}', en: 'Uncertain yes to {}' },
  afstand_m: { da: 'Meter til grænsen: {}', en: 'Metres to the edge: {}' },
  antal: { da: 'Antal i nærheden: {}', en: 'Number nearby: {}' },
  objekt_id: { da: 'Registrets id: {}', en: 'Id in the register: {}' },
};

/** A line in the same file has such columns too. */
const CONDITION_PARTS: Readonly<Record<string, Words>> = {
  status: { da: 'Svar om {}', en: 'Answer on {}' },
  beroert: { da: 'Berøres af {}', en: 'Touched by {}' },
  areal_m2: { da: 'Berørt areal (m²): {}', en: 'Touched area (m²): {}' },
  andel: { da: 'Berørt andel: {}', en: 'Touched share: {}' },
  laengde_m: { da: 'Meter indenfor: {}', en: 'Metres within: {}' },
  afstand_m: { da: 'Meter til nærmeste: {}', en: 'Metres to the nearest: {}' },
  antal: { da: 'Antal i nærheden: {}', en: 'Number nearby: {}' },
  objekt_id: { da: 'Registrets id: {}', en: 'Id in the register: {}' },
};

const SAID = {
  notAsked: { da: 'ikke spurgt', en: 'not asked' },
  notMapped: { da: 'ikke kortlagt', en: 'not mapped' },
  yes: { da: 'ja', en: 'yes' },
  unsureYes: { da: 'ja, usikkert', en: 'yes, uncertain' },
  no: { da: 'nej', en: 'no' },
  answered: { da: 'besvaret', en: 'answered' },
  unanswered: { da: 'kunne ikke svares', en: 'could not be answered' },
  noAnswer: { da: 'ikke besvaret', en: 'not answered' },
  unstated: { da: 'ikke oplyst', en: 'not stated' },
  none: { da: 'ingen', en: 'none' },
  noneWithin: { da: 'ingen inden for {} m', en: 'none within {} m' },
  atLeast: { da: 'mindst {}', en: 'at least {}' },
} as const satisfies Record<string, Words>;

/** Columns of codes: datavask's, and DAR's of an address. */
const CODES: Readonly<Record<string, Readonly<Record<string, Words>>>> = {
  kategori: {
    A: { da: 'A: sikker', en: 'A: certain' },
    B: { da: 'B: næsten sikker', en: 'B: almost certain' },
    C: { da: 'C: et gæt', en: 'C: a guess' },
  },
  status: {
    2: { da: 'foreløbig', en: 'provisional' },
    3: { da: 'gældende', en: 'in force' },
    4: { da: 'nedlagt', en: 'gone' },
    5: { da: 'henlagt', en: 'shelved' },
  },
};

const MAY_BE_EMPTY: readonly string[] = [
  ...['etage', 'doer', 'supplerende_bynavn', 'ulaeste_kolonner'],
];
/** BBR's codes for no year. */
const NO_YEARS: readonly string[] = ['0', '1000'];

interface LineColumn {
  readonly line: LineKey;
  readonly part: string;
}

function lineColumn(column: string): LineColumn | null {
  const line = LINE_KEYS.find((key) => column.startsWith(`${key}_`));
  const part = line === undefined ? '' : column.slice(line.length + 1);
  return line === undefined || !Object.hasOwn(LINE_PARTS, part) ? null : { line, part };
}

/** `<key>_<part>` of a condition. */
function conditionColumn(column: string): { readonly key: string; readonly part: string } | null {
  if (Object.hasOwn(COLUMNS, column)) return null;
  const part = Object.keys(CONDITION_PARTS).find((each) => column.endsWith(`_${each}`));
  return part === undefined ? null : { key: column.slice(0, -part.length - 1), part };
}

function themeColumn(column: string): { readonly theme: Theme; readonly isCode: boolean } | null {
  const theme = THEMES.find((key) => column === `${key}_kode` || column === `${key}_navn`);
  return theme === undefined ? null : { theme, isCode: column.endsWith('_kode') };
}

/** Columns of other files keep their names. */
export function columnWords(column: string, language: Language): string {
  const ofLine = lineColumn(column);
  if (ofLine !== null) {
    return filled(LINE_PARTS[ofLine.part]?.[language] ?? '{}', lineName(ofLine.line));
  }
  const ofTheme = themeColumn(column);
  if (ofTheme !== null) {
    const name = THEME_WORDS[ofTheme.theme][language];
    return ofTheme.isCode ? `${name}, ${language === 'da' ? 'kode' : 'code'}` : name;
  }
  const ofCondition = conditionColumn(column);
  if (ofCondition !== null) {
    const { key, part } = ofCondition;
    return filled(CONDITION_PARTS[part]?.[language] ?? '{}', lineName(key));
  }
  return Object.hasOwn(COLUMNS, column) ? (COLUMNS[column]?.[language] ?? column) : column;
}

/** No cells: a row without an answer. */
export function cellWords(
  columns: readonly string[],
  language: Language,
): (cells: readonly string[]) => readonly string[] {
  const say: Telling['say'] = (name) => SAID[name][language];
  const places = new Map(columns.map((column, at) => [column, at]));
  const ofConditions = new Set(
    columns.flatMap((column) => (column.endsWith('_beroert') ? [column.slice(0, -8)] : [])),
  );
  const kinds = columns.map((column) => {
    const ofCondition = conditionColumn(column);
    const isOne = ofCondition !== null && ofConditions.has(ofCondition.key);
    return { column, ofCondition: isOne ? ofCondition : null, ofLine: lineColumn(column) };
  });
  const unanswered = columns.map(() => say('noAnswer'));
  return (cells) => {
    if (cells.length === 0) return unanswered;
    const cellOf = (column: string): string => cells[places.get(column) ?? -1] ?? '';
    const telling = { cellOf, language, say };
    return kinds.map(({ column, ofCondition, ofLine }, at) => {
      const text = cells[at] ?? '';
      if (ofCondition !== null) return conditionCell(text, ofCondition, telling);
      return ofLine === null ? plainCell(text, column, telling) : lineCell(text, ofLine, telling);
    });
  };
}

interface Telling {
  readonly cellOf: (column: string) => string;
  readonly language: Language;
  readonly say: (name: keyof typeof SAID) => string;
}

/** A line that was not answered never reads as no or empty. */
function lineCell(text: string, { line, part }: LineColumn, { cellOf, say }: Telling): string {
  if (cellOf(`${line}_status`) !== 'ok') return say('unanswered');
  if (part === 'status') return say('answered');
  if (part === 'inden_for' && text === 'true')
    return say(cellOf(`${line}_usikker`) === 'true' ? 'unsureYes' : 'yes');
  if (text === 'true') return say('yes');
  if (text === 'false') return say('no');
  // Inside a line the distance is negative.
  if (text !== '') return part === 'afstand_m' ? text.replace(/^-/, '') : text;
  if (part === 'afstand_m' && cellOf(`${line}_inden_for`) === 'false')
    return filled(say('noneWithin'), cellOf('soegeradius_m'));
  return say(part === 'objekt_id' && cellOf(`${line}_antal`) === '0' ? 'none' : 'unstated');
}

/** Only what was measured reads as yes, no or none. */
function conditionCell(
  text: string,
  { key, part }: { readonly key: string; readonly part: string },
  { cellOf, say }: Telling,
): string {
  const status = cellOf(`${key}_status`);
  if (status === '') return say('notAsked');
  if (status === 'utilgaengelig') return say('unanswered');
  if (part === 'status') return say(status === 'ok' ? 'answered' : 'notMapped');
  if (part === 'beroert') {
    if (text === '') return say('notMapped');
    return say(text === 'true' ? 'yes' : 'no');
  }
  if (text !== '') return text;
  if (part === 'afstand_m') return filled(say('noneWithin'), cellOf('soegeradius_m'));
  return say(part === 'objekt_id' ? 'none' : 'unstated');
}

function plainCell(text: string, column: string, { cellOf, language, say }: Telling): string {
  if (text === '') return emptyCell(column, say);
  switch (column) {
    case 'utilgaengelige':
      return text.split(' ').map(lineName).join(', ');
    case 'egen_grund':
      return say(text === 'true' ? 'yes' : 'no');
    case 'antal_beroert':
    case 'antal_i_kraft':
      return cellOf('utilgaengelige') === '' ? text : filled(say('atLeast'), text);
    case 'opfoerelsesaar':
      return NO_YEARS.includes(text) ? say('unstated') : text;
    default:
      return CODES[column]?.[text]?.[language] ?? text;
  }
}

function emptyCell(column: string, say: Telling['say']): string {
  if (MAY_BE_EMPTY.includes(column)) return '';
  if (column === 'antal_i_kraft' || column === 'antal_beroert') return say('unanswered');
  const isNone = column === 'utilgaengelige' || themeColumn(column) !== null;
  return say(isNone ? 'none' : 'unstated');
}

/** For use within a sentence. */
function lineName(key: string): string {
  const isLine = LINE_KEYS.includes(key as LineKey);
  const name = isLine ? LINE_NAMES[key as LineKey] : key.replaceAll('aa', 'å').replaceAll('_', ' ');
  return name.charAt(0).toLowerCase() + name.slice(1);
}

function filled(template: string, text: string): string {
  return template.replace('{}', text);
}
