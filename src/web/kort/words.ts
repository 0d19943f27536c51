/** The page's words in both languages. What the registers call things stays Danish. */
import type { Language } from '../shared/language.ts';
import type { Verdict } from '../shared/answers.ts';
import type { MapLayer } from './address-bar.ts';
import { LINE_NAMES } from '../../layers/keys.ts';
import type { Theme } from '../../layers/keys.ts';

const DA = {
  within: 'Inden for',
  uncertain: 'Inden for, usikker',
  outside: 'Ikke inden for',
  oldWithin: 'Inden for ifølge en gammel kopi',
  oldOutside: 'Gammel kopi: ikke et sikkert nej',
  unavailable: 'Utilgængelig: ikke besvaret',
  unavailableMeans: 'Kilden kunne ikke læses. Det betyder ikke, at linjen ikke gælder her.',
  unavailablePartly:
    'Kilden kunne ikke læses, eller den dækker ikke stedet og det, der ligger omkring. Det betyder ikke, at linjen ikke gælder her.',
  uncovered: 'Gråt er ikke dækket. Her dækkes kun',
  oldMeans: 'Kopien er for gammel til at stå for et svar i dag. Spørg igen, når kilden svarer.',
  uncertainMeans: 'Registreringen er ikke endeligt vedtaget.',
  inside: 'inde, til zonens kant',
  away: 'til nærmeste',
  none: 'intet inden for',
  inForce: 'registreret inden for',
  repealed: 'ophævet',
  age: 'kontrolleret for',
  ago: 'siden',
  source: 'kilde',
  since: 'gældende fra',
  document: 'dokument',
  notMeasured: 'Afstanden kan ikke tegnes: geometrien kunne ikke læses.',
  lines: 'Byggelinjer og beskyttet natur',
  areas: 'Områder',
  searched: 'Søgt',
  noPoint: 'Det har intet punkt på kortet.',
  address: 'Nærmeste adresse',
  property: 'Ejendom',
  noArea: 'intet område her',
  noAddress: 'Ingen adresse inden for',
  bfe: 'BFE-nummer',
  parcel: 'Matrikelnummer',
  buildings: 'Bygninger',
  notOne: 'Adressen har intet BFE-nummer.',
  notNear: 'Ingen adresse i nærheden at slå ejendommen op fra.',
  notTold: 'adressen, ejendommen slås op fra, er ikke besvaret.',
  failed: 'Kunne ikke besvares',
  bind: 'linjer gælder her',
  bindOne: 'linje gælder her',
  bindNone: 'Ingen af de ti linjer gælder her',
  bindNoneKnown: 'Ingen af de besvarede linjer gælder her',
  noneKnown: 'Ingen af de ti linjer kunne besvares her',
  unknown: 'ikke besvaret',
  old: 'fra en gammel kopi',
  map: 'Kort',
  place: 'Sted',
  generation: 'Datageneration',
  asked: 'Spurgt',
  sources: 'Kilder',
  copied: 'Kopieret.',
  copyFailed: 'Teksten er markeret: kopiér den med tastaturet.',
  outsideDenmark: 'Stedet ligger uden for Danmark.',
  from: 'fra',
  sheetUnanswered: 'Ikke besvaret',
  sheetNoNo: 'Arket siger ikke, at de ikke gælder her.',
  sheetOld: 'Fra en gammel kopi',
  sheetOldMeans: 'Det er ikke et svar for i dag.',
  asking: 'Spørger …',
  background: 'Baggrundskort',
  tilesFailed: 'Kortlaget kunne ikke hentes',
  drawnMissing: 'Ikke tegnet',
  zoomIn: 'Tegnes først, når der zoomes ind',
  signInForce: 'I kraft',
  signRepealed: 'Ophævet',
  signMissing: 'Kunne ikke læses eller hentes: her svares ikke',
} as const;

export type Words = { readonly [Key in keyof typeof DA]: string };

const EN: Words = {
  within: 'Within',
  uncertain: 'Within, uncertain',
  outside: 'Not within',
  oldWithin: 'Within, says an old copy',
  oldOutside: 'Old copy: not a certain no',
  unavailable: 'Unavailable: not answered',
  unavailableMeans:
    'The source could not be read. That does not mean the line is not in force here.',
  unavailablePartly:
    'The source could not be read, or does not cover the place and what lies around it. That does not mean the line is not in force here.',
  uncovered: 'Grey is not covered. Covered here is only',
  oldMeans: 'The copy is too old to answer for today. Ask again when the source answers.',
  uncertainMeans: 'The registration is not finally adopted.',
  inside: "inside, to the zone's edge",
  away: 'to the nearest',
  none: 'nothing within',
  inForce: 'registered within',
  repealed: 'repealed',
  age: 'checked',
  ago: 'ago',
  source: 'source',
  since: 'in force since',
  document: 'document',
  notMeasured: 'The distance cannot be drawn: the geometry could not be read.',
  lines: 'Building lines and protected nature',
  areas: 'Areas',
  searched: 'Searched for',
  noPoint: 'It has no point on the map.',
  address: 'Nearest address',
  property: 'Property',
  noArea: 'no area here',
  noAddress: 'No address within',
  bfe: 'BFE number',
  parcel: 'Cadastral number',
  buildings: 'Buildings',
  notOne: 'The address has no BFE number.',
  notNear: 'No address near by to look the property up from.',
  notTold: 'the address it is looked up from was not answered.',
  failed: 'Could not be answered',
  bind: 'lines are in force here',
  bindOne: 'line is in force here',
  bindNone: 'None of the ten lines is in force here',
  bindNoneKnown: 'None of the lines answered is in force here',
  noneKnown: 'None of the ten lines could be answered here',
  unknown: 'not answered',
  old: 'from an old copy',
  map: 'Map',
  place: 'Place',
  generation: 'Data generation',
  asked: 'Asked',
  sources: 'Sources',
  copied: 'Copied.',
  copyFailed: 'The text is selected: copy it with the keyboard.',
  outsideDenmark: 'The place lies outside Denmark.',
  from: 'from',
  sheetUnanswered: 'Not answered',
  sheetNoNo: 'The sheet does not say that they are not in force here.',
  sheetOld: 'From an old copy',
  sheetOldMeans: 'That is no answer for today.',
  asking: 'Asking …',
  background: 'Background map',
  tilesFailed: 'The layer could not be fetched',
  drawnMissing: 'Not drawn',
  zoomIn: 'Drawn only when zoomed in',
  signInForce: 'In force',
  signRepealed: 'Repealed',
  signMissing: 'Could not be read or fetched: no answer here',
};

export const WORDS: Readonly<Record<Language, Words>> = { da: DA, en: EN };

export const VERDICT_WORD: Readonly<Record<Verdict, keyof Words>> = {
  within: 'within',
  uncertain: 'uncertain',
  outside: 'outside',
  'old-within': 'oldWithin',
  'old-outside': 'oldOutside',
  unavailable: 'unavailable',
};

/** D21, and the names of the themes. */
export const LAYER_NAMES: Readonly<Record<MapLayer, string>> = {
  ...LINE_NAMES,
  region: 'Region',
  kommune: 'Kommune',
  sogn: 'Sogn',
  retskreds: 'Retskreds',
  politikreds: 'Politikreds',
  opstillingskreds: 'Opstillingskreds',
  jordstykker: 'Alle jordstykker',
  husnumre: 'Husnumre og vejnavne',
  ejendom: 'Ejendommens jordstykker',
};

export function themeName(theme: Theme): string {
  return LAYER_NAMES[theme];
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
