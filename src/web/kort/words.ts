/** The page's words in both languages. What the registers call things stays Danish. */
import type { Language } from '../shared/language.ts';
import type { ConditionLayer, MapLayer } from './address-bar.ts';
import { LINE_NAMES, THEMES } from '../../layers/keys.ts';
import type { Theme } from '../../layers/keys.ts';
import { THEME_WORDS } from '../../layers/words.ts';

/** Danish, English. */
const PAIRS = {
  unavailableMeans: [
    'Kilden kunne ikke læses. Det betyder ikke, at linjen ikke gælder her.',
    'The source could not be read. That does not mean the line is not in force here.',
  ],
  unavailablePartly: [
    'Kilden kunne ikke læses, eller den dækker ikke stedet og det, der ligger omkring. Det betyder ikke, at linjen ikke gælder her.',
    'The source could not be read, or does not cover the place and what lies around it. That does not mean the line is not in force here.',
  ],
  uncovered: ['Gråt er ikke dækket. Her dækkes kun', 'Grey is not covered. Covered here is only'],
  oldMeans: [
    'Kopien er for gammel til at stå for et svar i dag. Spørg igen, når kilden svarer.',
    'The copy is too old to answer for today. Ask again when the source answers.',
  ],
  uncertainMeans: [
    'Registreringen er ikke endeligt vedtaget.',
    'The registration is not finally adopted.',
  ],
  inForce: ['registreret inden for', 'registered within'],
  repealed: ['ophævet', 'repealed'],
  age: ['kontrolleret for', 'checked'],
  ago: ['siden', 'ago'],
  source: ['kilde', 'source'],
  since: ['gældende fra', 'in force since'],
  document: ['dokument', 'document'],
  notMeasured: [
    'Afstanden kan ikke tegnes: geometrien kunne ikke læses.',
    'The distance cannot be drawn: the geometry could not be read.',
  ],
  searched: ['Søgt', 'Searched for'],
  noPoint: ['Det har intet punkt på kortet.', 'It has no point on the map.'],
  property: ['Ejendom', 'Property'],
  noArea: ['intet område her', 'no area here'],
  noAddress: ['Ingen adresse inden for', 'No address within'],
  notOne: ['Adressen har intet BFE-nummer.', 'The address has no BFE number.'],
  notNear: [
    'Ingen adresse i nærheden at slå ejendommen op fra.',
    'No address near by to look the property up from.',
  ],
  notTold: [
    'adressen, ejendommen slås op fra, er ikke besvaret.',
    'the address it is looked up from was not answered.',
  ],
  failed: ['Kunne ikke besvares', 'Could not be answered'],
  map: ['Kort', 'Map'],
  place: ['Sted', 'Place'],
  generation: ['Datageneration', 'Data generation'],
  asked: ['Spurgt', 'Asked'],
  sources: ['Kilder', 'Sources'],
  notLocated: ['Browseren siger ikke, hvor du er.', 'The browser does not say where you are.'],
  outsideDenmark: ['Stedet ligger uden for Danmark.', 'The place lies outside Denmark.'],
  from: ['fra', 'from'],
  sheetUnanswered: ['Ikke besvaret', 'Not answered'],
  sheetNoNo: [
    'Arket siger ikke, at de ikke gælder her.',
    'The sheet does not say that they are not in force here.',
  ],
  sheetOld: ['Fra en gammel kopi', 'From an old copy'],
  sheetOldMeans: ['Det er ikke et svar for i dag.', 'That is no answer for today.'],
  asking: ['Spørger …', 'Asking …'],
  background: ['Baggrundskort', 'Background map'],
  tilesFailed: ['Kortlaget kunne ikke hentes', 'The layer could not be fetched'],
  drawnMissing: [
    'Ikke tegnet: kunne ikke hentes. Prøver igen.',
    'Not drawn: could not be fetched. Trying again.',
  ],
  drawnLater: [
    'Hentes fra registret for første gang.',
    'Being fetched from the register for the first time.',
  ],
  tilesLater: ['Hentes endnu', 'Still being fetched'],
  and: ['og', 'and'],
  others: ['andre', 'others'],
  zoomIn: ['Tegnes først, når der zoomes ind', 'Drawn only when zoomed in'],
  drawnNow: ['Tegnet nu', 'Drawn now'],
  of: ['af', 'of'],
  comeNearer: ['kommer frem, når der zoomes ind', 'appear when zoomed in'],
  signInForce: ['I kraft', 'In force'],
  signRepealed: ['Ophævet', 'Repealed'],
  signMissing: [
    'Kunne ikke læses eller hentes: her svares ikke',
    'Could not be read or fetched: no answer here',
  ],
} as const satisfies Readonly<Record<string, readonly [da: string, en: string]>>;

export type Words = Readonly<Record<keyof typeof PAIRS, string>>;

const spoken = (at: 0 | 1): Words =>
  Object.fromEntries(Object.entries(PAIRS).map(([key, pair]) => [key, pair[at]])) as Words;

export const WORDS: Readonly<Record<Language, Words>> = { da: spoken(0), en: spoken(1) };

/** D21, and the names of the themes. */
export const LAYER_NAMES: Readonly<Record<Exclude<MapLayer, ConditionLayer>, string>> = {
  ...LINE_NAMES,
  ...themeNames(),
  jordstykker: 'Alle jordstykker',
  husnumre: 'Husnumre og vejnavne',
  stednavne: 'Stednavne',
  ejendom: 'Ejendommens jordstykker',
};

/** Danish in both languages, as what is drawn has it. */
function themeNames(): Readonly<Record<Theme, string>> {
  const names = THEMES.map((theme) => [theme, THEME_WORDS[theme].da]);
  return Object.fromEntries(names) as Record<Theme, string>;
}

/** A day of a register in words; what is no day stays as it is. */
export function dayText(text: string, language: Language): string {
  const day = text.slice(0, 10);
  const at = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(at)) return text;
  return new Date(at).toLocaleDateString(language === 'en' ? 'en-GB' : 'da-DK', {
    timeZone: 'UTC',
    dateStyle: 'medium',
  });
}
