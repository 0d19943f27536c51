/** The page's words in both languages. What the registers call things stays Danish. */
import type { Language } from '../shared/language.ts';
import type { ConditionLayer, MapLayer } from './address-bar.ts';
import { LINE_NAMES, THEMES } from '../../layers/keys.ts';
import type { Theme } from '../../layers/keys.ts';
import { THEME_WORDS } from '../../layers/words.ts';

const DA = {
  unavailableMeans: 'Kilden kunne ikke læses. Det betyder ikke, at linjen ikke gælder her.',
  unavailablePartly:
    'Kilden kunne ikke læses, eller den dækker ikke stedet og det, der ligger omkring. Det betyder ikke, at linjen ikke gælder her.',
  uncovered: 'Gråt er ikke dækket. Her dækkes kun',
  oldMeans: 'Kopien er for gammel til at stå for et svar i dag. Spørg igen, når kilden svarer.',
  uncertainMeans: 'Registreringen er ikke endeligt vedtaget.',
  inForce: 'registreret inden for',
  repealed: 'ophævet',
  age: 'kontrolleret for',
  ago: 'siden',
  source: 'kilde',
  since: 'gældende fra',
  document: 'dokument',
  notMeasured: 'Afstanden kan ikke tegnes: geometrien kunne ikke læses.',
  searched: 'Søgt',
  noPoint: 'Det har intet punkt på kortet.',
  property: 'Ejendom',
  noArea: 'intet område her',
  noAddress: 'Ingen adresse inden for',
  notOne: 'Adressen har intet BFE-nummer.',
  notNear: 'Ingen adresse i nærheden at slå ejendommen op fra.',
  notTold: 'adressen, ejendommen slås op fra, er ikke besvaret.',
  failed: 'Kunne ikke besvares',
  map: 'Kort',
  place: 'Sted',
  generation: 'Datageneration',
  asked: 'Spurgt',
  sources: 'Kilder',
  notLocated: 'Browseren siger ikke, hvor du er.',
  outsideDenmark: 'Stedet ligger uden for Danmark.',
  from: 'fra',
  sheetUnanswered: 'Ikke besvaret',
  sheetNoNo: 'Arket siger ikke, at de ikke gælder her.',
  sheetOld: 'Fra en gammel kopi',
  sheetOldMeans: 'Det er ikke et svar for i dag.',
  asking: 'Spørger …',
  background: 'Baggrundskort',
  tilesFailed: 'Kortlaget kunne ikke hentes',
  drawnMissing: 'Ikke tegnet: kunne ikke hentes. Prøver igen.',
  drawnLater: 'Hentes fra registret for første gang.',
  tilesLater: 'Hentes endnu',
  and: 'og',
  others: 'andre',
  zoomIn: 'Tegnes først, når der zoomes ind',
  drawnNow: 'Tegnet nu',
  of: 'af',
  comeNearer: 'kommer frem, når der zoomes ind',
  signInForce: 'I kraft',
  signRepealed: 'Ophævet',
  signMissing: 'Kunne ikke læses eller hentes: her svares ikke',
} as const;

export type Words = { readonly [Key in keyof typeof DA]: string };

const EN: Words = {
  unavailableMeans:
    'The source could not be read. That does not mean the line is not in force here.',
  unavailablePartly:
    'The source could not be read, or does not cover the place and what lies around it. That does not mean the line is not in force here.',
  uncovered: 'Grey is not covered. Covered here is only',
  oldMeans: 'The copy is too old to answer for today. Ask again when the source answers.',
  uncertainMeans: 'The registration is not finally adopted.',
  inForce: 'registered within',
  repealed: 'repealed',
  age: 'checked',
  ago: 'ago',
  source: 'source',
  since: 'in force since',
  document: 'document',
  notMeasured: 'The distance cannot be drawn: the geometry could not be read.',
  searched: 'Searched for',
  noPoint: 'It has no point on the map.',
  property: 'Property',
  noArea: 'no area here',
  noAddress: 'No address within',
  notOne: 'The address has no BFE number.',
  notNear: 'No address near by to look the property up from.',
  notTold: 'the address it is looked up from was not answered.',
  failed: 'Could not be answered',
  map: 'Map',
  place: 'Place',
  generation: 'Data generation',
  asked: 'Asked',
  sources: 'Sources',
  notLocated: 'The browser does not say where you are.',
  outsideDenmark: 'The place lies outside Denmark.',
  from: 'from',
  sheetUnanswered: 'Not answered',
  sheetNoNo: 'The sheet does not say that they are not in force here.',
  sheetOld: 'From an old copy',
  sheetOldMeans: 'That is no answer for today.',
  asking: 'Asking …',
  background: 'Background map',
  tilesFailed: 'The layer could not be fetched',
  drawnMissing: 'Not drawn: could not be fetched. Trying again.',
  drawnLater: 'Being fetched from the register for the first time.',
  tilesLater: 'Still being fetched',
  and: 'and',
  others: 'others',
  zoomIn: 'Drawn only when zoomed in',
  drawnNow: 'Drawn now',
  of: 'of',
  comeNearer: 'appear when zoomed in',
  signInForce: 'In force',
  signRepealed: 'Repealed',
  signMissing: 'Could not be read or fetched: no answer here',
};

export const WORDS: Readonly<Record<Language, Words>> = { da: DA, en: EN };

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
