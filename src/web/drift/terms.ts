import type { Words } from '../../layers/words.ts';
import type { DifferenceKind, RunState, ShownState } from './types.ts';

type Table = Readonly<Record<string, Words>>;

export const STATES: Readonly<Record<ShownState, Words>> = {
  frisk: { da: 'Frisk', en: 'Fresh' },
  forsinket: { da: 'Forsinket', en: 'Late' },
  fejlet: { da: 'Fejlet', en: 'Failed' },
  mangler: { da: 'Mangler', en: 'Missing' },
  holdt: { da: 'Holdt', en: 'Held' },
};

export const RUNS: Readonly<Record<RunState, Words>> = {
  koerer: { da: 'kører', en: 'running' },
  udgivet: { da: 'udgivet', en: 'published' },
  uaendret: { da: 'uændret', en: 'unchanged' },
  afvist: { da: 'afvist', en: 'refused' },
  fejlet: { da: 'fejlet', en: 'failed' },
};

export const KINDS: Table = {
  synk: { da: 'synket', en: 'synced' },
  fortryd: { da: 'ført tilbage', en: 'reverted' },
  genafspil: { da: 'afspillet igen', en: 'replayed' },
  datoskifte: { da: 'skiftet på dato', en: 'changed on its date' },
  ukendt: { da: 'ukendt slags', en: 'of unknown kind' },
};

export const TRIGGERS: Table = {
  opstart: { da: 'ved opstart', en: 'at start' },
  plan: { da: 'efter plan', en: 'on schedule' },
  kommando: { da: 'fra kommandolinjen', en: 'from the command line' },
  operatoer: { da: 'af operatør', en: 'by an operator' },
  forespoergsel: { da: 'fordi laget var for gammelt', en: 'because the layer was too old' },
  dato: { da: 'fordi en dato kom', en: 'because a date came' },
};

export const PHASES: Table = {
  claim: { da: 'begynder', en: 'beginning' },
  fetch: { da: 'henter', en: 'fetching' },
  diff: { da: 'sammenligner', en: 'comparing' },
  check: { da: 'kontrollerer', en: 'checking' },
  derive: { da: 'forbereder', en: 'preparing' },
  apply: { da: 'udgiver', en: 'publishing' },
  announce: { da: 'udgivet', en: 'published' },
};

export const ANSWERS: Table = {
  snapshot: { da: 'fra hukommelsen', en: 'from memory' },
  lager: { da: 'fra lageret', en: 'from the store' },
  register: { da: 'direkte fra registret', en: 'straight from the register' },
  gammel_kopi: { da: 'fra en gammel kopi', en: 'from an old copy' },
  utilgaengelig: { da: 'uden svar', en: 'without an answer' },
};

export const BREAKERS: Table = {
  lukket: { da: 'klar', en: 'ready' },
  halvaaben: { da: 'prøver igen', en: 'trying again' },
  aaben: { da: 'afbrudt', en: 'cut off' },
};

export const ACTIONS: Table = {
  synk: { da: 'bad om synkronisering af', en: 'asked for a sync of' },
  frigiv: { da: 'frigav', en: 'released' },
  fortryd: { da: 'fortrød', en: 'reverted' },
  godkend: { da: 'godkendte en varslet ændring af', en: 'confirmed an announced change of' },
  traek_tilbage: {
    da: 'trak en godkendelse tilbage af',
    en: 'withdrew the confirmation of a change of',
  },
};

export const DIFFERENCES: Readonly<Record<DifferenceKind, Words>> = {
  nye: { da: 'nye', en: 'new' },
  fjernede: { da: 'fjernede', en: 'gone' },
  flyttede: { da: 'flyttede', en: 'moved' },
  aendrede: { da: 'ændrede, samme sted', en: 'changed, same place' },
};

/** Of middling lightness, for light ground and dark; told by line as well as colour. */
export const DIFFERENCE_COLOURS: Readonly<Record<DifferenceKind, string>> = {
  nye: '#1a8f4c',
  fjernede: '#d0343f',
  flyttede: '#2d7dd2',
  aendrede: '#b7791f',
};

export const GUARDS: Table = {
  listing: { da: 'filer på listen', en: 'files on the list' },
  'stub-file': { da: 'filens størrelse', en: 'size of the file' },
  generation: { da: 'filens alder', en: 'age of the file' },
  announced: { da: 'lovet antal', en: 'promised number' },
  parsed: { da: 'læste objekter', en: 'features read' },
  staged: { da: 'objekter i mellemlageret', en: 'features staged' },
  duplicates: { da: 'dobbelte nøgler', en: 'doubled keys' },
  empty: { da: 'tomt lag', en: 'empty layer' },
  schema: { da: 'ændrede kolonner', en: 'changed columns' },
  issues: { da: 'ulæselige objekter', en: 'unreadable features' },
  'lost-features': { da: 'tabte gældende rækker', en: 'lost rows in force' },
  unplaced: { da: 'ulæselige uden sted', en: 'unreadable without a place' },
  'outside-denmark': { da: 'objekter uden for Danmark', en: 'features outside Denmark' },
  'repair-area': { da: 'areal flyttet ved reparation', en: 'area moved by repairs' },
  references: { da: 'henvisninger uden mål', en: 'references to nothing' },
  'min-rows': { da: 'mindste antal rækker', en: 'least number of rows' },
  'known-places': { da: 'kendte steder', en: 'known places' },
  'row-drop': { da: 'tab af rækker', en: 'loss of rows' },
  'row-growth': { da: 'vækst i rækker', en: 'growth in rows' },
  'area-drop': { da: 'tab af areal', en: 'loss of area' },
  'area-growth': { da: 'vækst i areal', en: 'growth in area' },
  'change-share': { da: 'andel af ændringer', en: 'share of changes' },
  canary: { da: 'prøvepunkter', en: 'sample points' },
};

export const FAILURES: Table = {
  timeout: { da: 'ikke i tide', en: 'not in time' },
  connection: { da: 'uden forbindelse', en: 'without a connection' },
  status: { da: 'svarede med en fejl', en: 'answered with an error' },
  key_refused: { da: 'afviste nøglen', en: 'refused the key' },
  redirect: { da: 'henviste til en anden adresse', en: 'pointed to another address' },
  not_wfs: { da: 'svarede med noget andet', en: 'answered with something else' },
  exception_report: { da: 'meldte en fejl', en: 'reported an error' },
  truncated: { da: 'afbrudt undervejs', en: 'broken off' },
  too_large: { da: 'for stort et svar', en: 'too large an answer' },
  incomplete: { da: 'ufuldstændigt svar', en: 'incomplete answer' },
  paging: { da: 'sider, der ikke hænger sammen', en: 'pages that do not join' },
  unreadable: { da: 'kunne ikke læses', en: 'could not be read' },
  refused: { da: 'ikke spurgt', en: 'not asked' },
  aborted: { da: 'opgivet', en: 'given up' },
};

export const ISSUES: Table = {
  unreadable: { da: 'ulæselige', en: 'unreadable' },
  repaired: { da: 'reparerede', en: 'repaired' },
  empty: { da: 'uden form', en: 'without a shape' },
  'outside-denmark': { da: 'uden for Danmark', en: 'outside Denmark' },
};

/** The first that fits counts. */
export const MEANINGS: readonly (readonly [RegExp, Words])[] = [
  [
    /no whole answer within|timed? ?out|TIMEDOUT/i,
    { da: 'Registret svarede ikke i tide.', en: 'The register did not answer in time.' },
  ],
  [
    /no connection|ECONN|ENOTFOUND|EAI_|socket|network/i,
    {
      da: 'Der er ingen forbindelse til registret.',
      en: 'There is no connection to the register.',
    },
  ],
  [/API key/i, { da: 'Registret kræver en nøgle.', en: 'The register requires a key.' }],
  [
    /answered [45]\d\d|exception/i,
    { da: 'Registret svarede med en fejl.', en: 'The register answered with an error.' },
  ],
  [/ENOSPC|disk/i, { da: 'Der er ikke plads på disken.', en: 'The disk is full.' }],
  [
    /bytes received|ends inside|repeats the same page|received of/i,
    { da: 'Registrets svar blev afbrudt.', en: "The register's answer broke off." },
  ],
];
