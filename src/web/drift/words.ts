/** What the keys of the operator's routes mean, in Danish. */
import type { DifferenceKind } from './types.ts';

export const STATE_WORDS = {
  frisk: 'Frisk',
  forsinket: 'Forsinket',
  fejlet: 'Fejlet',
  mangler: 'Mangler',
  holdt: 'Holdt',
};

export const RUN_WORDS = {
  koerer: 'kører',
  udgivet: 'udgivet',
  uaendret: 'uændret',
  afvist: 'afvist',
  fejlet: 'fejlet',
};

export const KIND_WORDS: Readonly<Record<string, string>> = {
  synk: 'synket',
  fortryd: 'ført tilbage',
  genafspil: 'afspillet igen',
  datoskifte: 'skiftet på dato',
  ukendt: 'ukendt slags',
};

export const TRIGGER_WORDS: Readonly<Record<string, string>> = {
  opstart: 'ved opstart',
  plan: 'efter plan',
  kommando: 'fra kommandolinjen',
  operatoer: 'af operatør',
  forespoergsel: 'fordi laget var for gammelt',
  dato: 'fordi en dato kom',
  ukendt: '',
};

export const PHASE_WORDS: Readonly<Record<string, string>> = {
  claim: 'begynder',
  fetch: 'henter',
  diff: 'sammenligner',
  check: 'kontrollerer',
  derive: 'forbereder',
  apply: 'udgiver',
  announce: 'udgivet',
};

export const ANSWER_WORDS: Readonly<Record<string, string>> = {
  snapshot: 'fra hukommelsen',
  lager: 'fra lageret',
  register: 'direkte fra registret',
  gammel_kopi: 'fra en gammel kopi',
  utilgaengelig: 'uden svar',
};

export const HOST_WORDS: Readonly<Record<string, string>> = {
  portal: 'Miljøportalen',
  heritage: 'Fund og Fortidsminder',
  cadastre: 'Matriklen',
  dagi: 'DAGI',
  'datafordeler-files': 'Datafordeleren',
  terrain: 'Terrænmodellen',
};

export const BREAKER_WORDS: Readonly<Record<string, string>> = {
  lukket: 'klar',
  halvaaben: 'prøver igen',
  aaben: 'afbrudt',
};

export const ACTION_WORDS: Readonly<Record<string, string>> = {
  synk: 'bad om synkronisering af',
  frigiv: 'frigav',
  fortryd: 'fortrød',
  godkend: 'godkendte en varslet ændring af',
  traek_tilbage: 'trak en godkendelse tilbage af',
};

export const DIFFERENCE_WORDS: Readonly<Record<DifferenceKind, string>> = {
  nye: 'nye',
  fjernede: 'fjernede',
  flyttede: 'flyttede',
  aendrede: 'ændrede, samme sted',
};

export const GUARD_WORDS: Readonly<Record<string, string>> = {
  'min-rows': 'mindste antal rækker',
  'known-places': 'kendte steder',
  'row-drop': 'tab af rækker',
  'row-growth': 'vækst i rækker',
  'area-drop': 'tab af areal',
  'area-growth': 'vækst i areal',
  'change-share': 'andel af ændringer',
  canary: 'kanariepunkter',
};
