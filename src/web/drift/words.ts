/** Keys of the operator's routes in both languages. */
import { number } from '../shared/format.ts';
import { inLanguage, t, wordOf } from '../shared/language.ts';
import type { Both } from '../shared/language.ts';
import type { ShownState } from './shown.ts';
import type { DifferenceKind, Guard, RunState } from './types.ts';

type Table = Readonly<Record<string, Both>>;

const STATES: Readonly<Record<ShownState, Both>> = {
  frisk: { da: 'Frisk', en: 'Fresh' },
  forsinket: { da: 'Forsinket', en: 'Late' },
  fejlet: { da: 'Fejlet', en: 'Failed' },
  mangler: { da: 'Mangler', en: 'Missing' },
  holdt: { da: 'Holdt', en: 'Held' },
};

export function stateWord(state: ShownState): string {
  return inLanguage(STATES[state]);
}

const RUNS: Readonly<Record<RunState, Both>> = {
  koerer: { da: 'kører', en: 'running' },
  udgivet: { da: 'udgivet', en: 'published' },
  uaendret: { da: 'uændret', en: 'unchanged' },
  afvist: { da: 'afvist', en: 'refused' },
  fejlet: { da: 'fejlet', en: 'failed' },
};

export const RUN_STATES = Object.keys(RUNS) as readonly RunState[];

export function runWord(state: RunState): string {
  return inLanguage(RUNS[state]);
}

const KINDS: Table = {
  synk: { da: 'synket', en: 'synced' },
  fortryd: { da: 'ført tilbage', en: 'reverted' },
  genafspil: { da: 'afspillet igen', en: 'replayed' },
  datoskifte: { da: 'skiftet på dato', en: 'changed on its date' },
  ukendt: { da: 'ukendt slags', en: 'of unknown kind' },
};

export function kindWord(kind: string): string {
  return wordOf(KINDS, kind);
}

const TRIGGERS: Table = {
  opstart: { da: 'ved opstart', en: 'at start' },
  plan: { da: 'efter plan', en: 'on schedule' },
  kommando: { da: 'fra kommandolinjen', en: 'from the command line' },
  operatoer: { da: 'af operatør', en: 'by an operator' },
  forespoergsel: { da: 'fordi laget var for gammelt', en: 'because the layer was too old' },
  dato: { da: 'fordi en dato kom', en: 'because a date came' },
};

/** Empty where it is not known what set a run going. */
export function triggerWord(trigger: string): string {
  return Object.hasOwn(TRIGGERS, trigger) ? wordOf(TRIGGERS, trigger) : '';
}

const PHASES: Table = {
  claim: { da: 'begynder', en: 'beginning' },
  fetch: { da: 'henter', en: 'fetching' },
  diff: { da: 'sammenligner', en: 'comparing' },
  check: { da: 'kontrollerer', en: 'checking' },
  derive: { da: 'forbereder', en: 'preparing' },
  apply: { da: 'udgiver', en: 'publishing' },
  announce: { da: 'udgivet', en: 'published' },
};

export function phaseWord(phase: string): string {
  return wordOf(PHASES, phase);
}

const ANSWERS: Table = {
  snapshot: { da: 'fra hukommelsen', en: 'from memory' },
  lager: { da: 'fra lageret', en: 'from the store' },
  register: { da: 'direkte fra registret', en: 'straight from the register' },
  gammel_kopi: { da: 'fra en gammel kopi', en: 'from an old copy' },
  utilgaengelig: { da: 'uden svar', en: 'without an answer' },
};

export function answerWord(from: string): string {
  return wordOf(ANSWERS, from);
}

/** Names of registers are theirs. */
const HOSTS: Table = {
  portal: { da: 'Miljøportalen', en: 'Miljøportalen' },
  heritage: { da: 'Fund og Fortidsminder', en: 'Fund og Fortidsminder' },
  cadastre: { da: 'Matriklen', en: 'Matriklen' },
  dagi: { da: 'DAGI', en: 'DAGI' },
  'datafordeler-files': { da: 'Datafordeleren', en: 'Datafordeleren' },
  terrain: { da: 'Terrænmodellen', en: 'The terrain model' },
};

export function hostWord(host: string): string {
  return wordOf(HOSTS, host);
}

const BREAKERS: Table = {
  lukket: { da: 'klar', en: 'ready' },
  halvaaben: { da: 'prøver igen', en: 'trying again' },
  aaben: { da: 'afbrudt', en: 'cut off' },
};

export function breakerWord(breaker: string): string {
  return wordOf(BREAKERS, breaker);
}

const ACTIONS: Table = {
  synk: { da: 'bad om synkronisering af', en: 'asked for a sync of' },
  frigiv: { da: 'frigav', en: 'released' },
  fortryd: { da: 'fortrød', en: 'reverted' },
  godkend: { da: 'godkendte en varslet ændring af', en: 'confirmed an announced change of' },
  traek_tilbage: {
    da: 'trak en godkendelse tilbage af',
    en: 'withdrew the confirmation of a change of',
  },
};

export function actionWord(action: string): string {
  return wordOf(ACTIONS, action);
}

const DIFFERENCES: Readonly<Record<DifferenceKind, Both>> = {
  nye: { da: 'nye', en: 'new' },
  fjernede: { da: 'fjernede', en: 'gone' },
  flyttede: { da: 'flyttede', en: 'moved' },
  aendrede: { da: 'ændrede, samme sted', en: 'changed, same place' },
};

export function differenceWord(kind: DifferenceKind): string {
  return inLanguage(DIFFERENCES[kind]);
}

const GUARDS: Table = {
  'min-rows': { da: 'mindste antal rækker', en: 'least number of rows' },
  'known-places': { da: 'kendte steder', en: 'known places' },
  'row-drop': { da: 'tab af rækker', en: 'loss of rows' },
  'row-growth': { da: 'vækst i rækker', en: 'growth in rows' },
  'area-drop': { da: 'tab af areal', en: 'loss of area' },
  'area-growth': { da: 'vækst i areal', en: 'growth in area' },
  'change-share': { da: 'andel af ændringer', en: 'share of changes' },
  canary: { da: 'kanariepunkter', en: 'canary points' },
};

export function guardWord(guard: string): string {
  return wordOf(GUARDS, guard);
}

/** Why a guard refused, in the service's own words, with the numbers that it compared. */
export function refusalText({ tekst, text, tal }: Guard): string {
  const numbers = tal.map(({ navn, vaerdi }) => `${spaced(navn)} ${number(vaerdi)}`);
  return t(tekst, numbers.length === 0 ? text : `${text} (${numbers.join(', ')})`);
}

/** `lastGoodRows`: last good rows. */
function spaced(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
