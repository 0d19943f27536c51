/** The page's words, numbers and times in both languages. What the API calls things stays as it is. */
import { moment, number } from '../shared/format.ts';
import { inLanguage, t, wordOf } from '../shared/language.ts';
import { DELIVERY_ERRORS, OPERATIONS } from './terms.ts';
import type { Delivery, Key, UsageTotal } from './types.ts';

const DA = {
  live: 'Live',
  test: 'Test',
  jobs: 'Job',
  terrain: 'Højdemodel',
  placeNames: 'Stednavne',
  assessments: 'Vurdering',
  conditions: 'Forhold',
  nature: 'Natur',
  addresses: 'Adresser',
  all: 'Alle opslag',
  allAndJobs: 'Alle opslag og job',
  public: 'Offentlig',
  made: 'lavet',
  revoked: 'tilbagekaldt',
  ended: 'ophørt',
  neverUsed: 'aldrig brugt',
  used: 'brugt',
  ends: 'Ophører',
  replace: 'Udskift',
  revoke: 'Tilbagekald',
  replaceText:
    'Der laves en ny nøgle med samme rettigheder. Den gamle virker et døgn endnu, så I kan nå at skifte.',
  revokeText: ' holder op med at virke med det samme, for altid.',
  isRevoked: 'er tilbagekaldt.',
  endedKeys: 'Ophørte nøgler',
  keysOfPages: 'Nøgler til denne tjenestes egne sider',
  usageIn: 'Forbrug i',
  of: 'af',
  units: 'enheder',
  beyond: 'ud over',
  newKey: 'Din nye nøgle',
  newTestKey: 'En testnøgle: samme data, aldrig på regningen.',
  newLiveKey: 'En livenøgle: opslag tæller i abonnementet.',
  keyCopied: 'Nøglen er kopieret.',
  secretCopied: 'Hemmeligheden er kopieret.',
  copy: 'Kopiér',
  copied: 'Kopieret',
  selected: 'Teksten er markeret: kopiér den med tastaturet.',
  newWebhook: 'Hemmeligheden til',
  newWebhookAbout:
    'Med den kontrollerer modtageren, at det er os, der sender (X-Service-Signature).',
  operation: 'Opslag',
  key: 'Nøgle',
  requests: 'Kald',
  unitsHead: 'Enheder',
  share: 'Andel',
  day: 'Dag',
  total: 'I alt',
  others: 'Øvrige',
  perDay: 'Enheder pr. dag',
  toDate: 'Måneden til dato',
  included: 'Inkluderet',
  noUse: 'Intet forbrug',
  most: 'mest',
  at: 'den',
  unitsBy: 'Enheder efter',
  tableOfDays: 'Dag for dag som tabel',
  bill: 'Regning',
  linesTotal: 'Forbrug på livenøgler',
  linesOverage: 'Heraf ud over det inkluderede',
  linesPrice: 'Pris ud over det inkluderede',
  linesRequests: 'Besvarede kald',
  notBilled: 'Testnøgler kommer aldrig på regningen.',
  firstLines: 'De første linjer. Filen har dem alle.',
  allLines: 'Alle månedens linjer.',
  billLines: 'Linjer på regningen',
  noLines: 'Måneden har ingen linjer.',
  loading: 'Henter…',
  time: 'Tid',
  requestId: 'Kald-id',
  plan: 'Abonnement',
  unitsLive: 'Enheder om måneden, live',
  unitsTest: 'Enheder om måneden, test',
  cap: 'Loft, live',
  capMeans: 'enheder; derefter afvises kald, til måneden er omme',
  overage: 'Ud over det inkluderede',
  overageYes: 'besvares og faktureres særskilt op til loftet',
  overageNo: 'afvises, til måneden er omme',
  pace: 'Kald i sekundet',
  burst: 'i ryk op til',
  batches: 'Batch og job',
  yes: 'ja',
  no: 'nej',
  active: 'Aktiv',
  paused: 'På pause',
  registered: 'registreret',
  ping: 'Ping',
  pause: 'Sæt på pause',
  resume: 'Genoptag',
  edit: 'Ret',
  renew: 'Ny hemmelighed',
  renewText:
    'Den vises én gang. I et døgn underskrives der med begge i webhook-signature; ' +
    'X-Service-Signature er straks med den nye.',
  remove: 'Fjern',
  removeText: 'Der sendes intet mere til den, og det, der venter, opgives.',
  isRemoved: 'Webhooken er fjernet.',
  isPaused: 'Webhooken er på pause: nyt sendes ikke, og det, der venter, bliver liggende.',
  isResumed: 'Webhooken er aktiv igen.',
  isChanged: 'Webhooken er rettet.',
  pinging: 'Sender…',
  pinged: 'Ping modtaget: svarede',
  pingFailed: 'Ping mislykkedes',
  deliveries: 'Leverancer',
  refresh: 'Opdatér',
  noDeliveries: 'Intet er sendt endnu.',
  logKept: 'De seneste hundrede; ældre end 30 dage slettes.',
  event: 'Hændelse',
  state: 'Tilstand',
  attempts: 'Forsøg',
  answer: 'Sidste svar',
  next: 'Næste forsøg',
  registerTitle: 'Ny webhook',
  editTitle: 'Ret webhook',
  registerYes: 'Registrér',
  editYes: 'Gem',
  chooseEvent: 'Vælg mindst én hændelse.',
  chooseArea: 'Vælg mindst ét slags opslag, nøglen må bruges til.',
} as const;

type Words = { readonly [Name in keyof typeof DA]: string };

const EN: Words = {
  live: 'Live',
  test: 'Test',
  jobs: 'Jobs',
  terrain: 'Terrain',
  placeNames: 'Place names',
  assessments: 'Assessments',
  conditions: 'Conditions',
  nature: 'Nature',
  addresses: 'Addresses',
  all: 'All lookups',
  allAndJobs: 'All lookups and jobs',
  public: 'Public',
  made: 'made',
  revoked: 'revoked',
  ended: 'ended',
  neverUsed: 'never used',
  used: 'used',
  ends: 'Ends',
  replace: 'Replace',
  revoke: 'Revoke',
  replaceText:
    'A new key with the same permission is made. The old one works for another day, so that you have time to change.',
  revokeText: ' stops working at once, for good.',
  isRevoked: 'is revoked.',
  endedKeys: 'Ended keys',
  keysOfPages: "Keys of this service's own pages",
  usageIn: 'Usage in',
  of: 'of',
  units: 'units',
  beyond: 'beyond',
  newKey: 'Your new key',
  newTestKey: 'A test key: the same data, never billed.',
  newLiveKey: 'A live key: lookups count in the plan.',
  keyCopied: 'The key is copied.',
  secretCopied: 'The secret is copied.',
  copy: 'Copy',
  copied: 'Copied',
  selected: 'The text is selected: copy it with the keyboard.',
  newWebhook: 'The secret of',
  newWebhookAbout:
    'Your receiver uses it to verify that messages come from us (X-Service-Signature).',
  operation: 'Lookup',
  key: 'Key',
  requests: 'Calls',
  unitsHead: 'Units',
  share: 'Share',
  day: 'Day',
  total: 'Total',
  others: 'Others',
  perDay: 'Units per day',
  toDate: 'Month to date',
  included: 'Included',
  noUse: 'No usage',
  most: 'most',
  at: 'on',
  unitsBy: 'Units by',
  tableOfDays: 'Day by day as a table',
  bill: 'Bill',
  linesTotal: 'Usage of live keys',
  linesOverage: 'Of which beyond what is included',
  linesPrice: 'Price beyond what is included',
  linesRequests: 'Answered calls',
  notBilled: 'Test keys are never billed.',
  firstLines: 'The first lines. The file has them all.',
  allLines: 'All lines of the month.',
  billLines: 'Lines of the bill',
  noLines: 'The month has no lines.',
  loading: 'Loading…',
  time: 'Time',
  requestId: 'Request id',
  plan: 'Plan',
  unitsLive: 'Units per month, live',
  unitsTest: 'Units per month, test',
  cap: 'Cap, live',
  capMeans: 'units; after that calls are refused until next month',
  overage: 'Beyond what is included',
  overageYes: 'answered and billed separately, up to the cap',
  overageNo: 'refused until next month',
  pace: 'Calls per second',
  burst: 'in bursts up to',
  batches: 'Batches and jobs',
  yes: 'yes',
  no: 'no',
  active: 'Active',
  paused: 'Paused',
  registered: 'registered',
  ping: 'Ping',
  pause: 'Pause',
  resume: 'Resume',
  edit: 'Edit',
  renew: 'New secret',
  renewText:
    'It is shown once. For 24 hours webhook-signature is made with both; ' +
    'X-Service-Signature is made with the new one from now on.',
  remove: 'Remove',
  removeText: 'Nothing more is sent to it, and anything waiting is dropped.',
  isRemoved: 'The webhook is removed.',
  isPaused: 'The webhook is paused: nothing new is sent, and anything waiting is kept.',
  isResumed: 'The webhook is active again.',
  isChanged: 'The webhook is changed.',
  pinging: 'Sending…',
  pinged: 'Ping received: answered',
  pingFailed: 'The ping failed',
  deliveries: 'Deliveries',
  refresh: 'Refresh',
  noDeliveries: 'Nothing has been sent yet.',
  logKept: 'The latest hundred. Those older than 30 days are deleted.',
  event: 'Event',
  state: 'State',
  attempts: 'Attempts',
  answer: 'Last answer',
  next: 'Next attempt',
  registerTitle: 'New webhook',
  editTitle: 'Edit webhook',
  registerYes: 'Register',
  editYes: 'Save',
  chooseEvent: 'Choose at least one event.',
  chooseArea: 'Choose at least one kind of lookup that the key may be used for.',
};

/** The words in the reader's language. */
export function words(): Words {
  return inLanguage({ da: DA, en: EN });
}

export const TIER_WORDS = { free: 'Free', pro: 'Pro', business: 'Business' };

/** The areas a restricted key opens (D64), in the order of the form. */
export function areaWords(): Readonly<Record<string, string>> {
  const said = words();
  return {
    bbr: 'BBR',
    dagi: 'DAGI',
    natur: said.nature,
    adresser: said.addresses,
    cvr: 'CVR',
    dhm: said.terrain,
    stednavne: said.placeNames,
    vurdering: said.assessments,
    miljoe: said.conditions,
    jobs: said.jobs,
  };
}

/** What may be subscribed to (interface: Events), and when it is sent. */
export const EVENTS = [
  'key.created',
  'key.revoked',
  'subscription.updated',
  'usage.threshold',
  'job.completed',
  'job.failed',
  'watch.changed',
] as const;

export function eventWords(event: (typeof EVENTS)[number]): string {
  return inLanguage({
    da: {
      'key.created': 'En nøgle er lavet',
      'key.revoked': 'En nøgle er tilbagekaldt',
      'subscription.updated': 'Abonnementet er ændret',
      'usage.threshold': 'Forbruget har nået 80 % eller 100 % af det inkluderede',
      'job.completed': 'Et job er færdigt',
      'job.failed': 'Et job er mislykkedes',
      'watch.changed': 'Noget på en overvågningsliste er ændret',
    },
    en: {
      'key.created': 'A key was made',
      'key.revoked': 'A key was revoked',
      'subscription.updated': 'The plan was changed',
      'usage.threshold': 'Usage has reached 80% or 100% of what is included',
      'job.completed': 'A job is done',
      'job.failed': 'A job has failed',
      'watch.changed': 'Something on a watch-list has changed',
    },
  })[event];
}

export function stateWords(status: Delivery['status']): string {
  return inLanguage({
    da: { pending: 'venter', success: 'leveret', failed: 'mislykket' },
    en: { pending: 'waiting', success: 'delivered', failed: 'failed' },
  })[status];
}

/** How the last attempt went; a dash before the first. */
export function answerWords({ lastStatusCode, lastError }: Delivery): string {
  if (lastStatusCode !== null) return String(lastStatusCode);
  if (lastError === null) return '–';
  const known = DELIVERY_ERRORS[lastError];
  return known === undefined ? t('mislykkedes', 'failed') : inLanguage(known);
}

/** What a unit was spent on. */
export function operationWords(operation: string): string {
  return wordOf(OPERATIONS, operation);
}

export function permissionWords(permission: string): string {
  if (permission === 'read') return words().all;
  if (permission === 'jobs') return words().allAndJobs;
  const areas = permission.split(':')[1] ?? '';
  const names = areaWords();
  return areas
    .split(',')
    .map((area) => names[area] ?? area)
    .join(', ');
}

/** What has become of a key, and when it was last used. */
export function keyWords(key: Key): string {
  const said = words();
  const parts = [`${said.made} ${moment(key.created_at)}`];
  if (key.state === 'revoked' && key.revoked_at !== null)
    parts.push(`${said.revoked} ${moment(key.revoked_at)}`);
  else if (key.state === 'expired' && key.expires_at !== null)
    parts.push(`${said.ended} ${moment(key.expires_at)}`);
  // Of an ended key it is kept for a while only.
  if (key.last_used_at !== null) parts.push(`${said.used} ${moment(key.last_used_at)}`);
  else if (key.state === 'active') parts.push(said.neverUsed);
  return parts.join(' · ');
}

export function unitWords({ units, allowance }: UsageTotal): string {
  return `${number(units)} ${words().of} ${number(allowance)}`;
}

/** A visitor's text inside a sentence, without marks that turn the direction of writing. */
export function quoted(text: string): string {
  return text.replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');
}

function locale(): string {
  return inLanguage({ da: 'da-DK', en: 'en-GB' });
}

/** `12 %`; under one per cent with a decimal, so that something never reads as nothing. */
export function percent(share: number): string {
  const digits = share > 0 && share < 0.01 ? 1 : 0;
  return share.toLocaleString(locale(), { style: 'percent', maximumFractionDigits: digits });
}

/** To the second, with its year: as a bill needs it. */
export function exactMoment(iso: string): string {
  return new Date(iso).toLocaleString(locale(), {
    timeZone: 'Europe/Copenhagen',
    dateStyle: 'short',
    timeStyle: 'medium',
  });
}

/** `2026-11-03` as 3. nov. */
export function dayWords(day: string): string {
  return new Date(`${day}T12:00:00Z`).toLocaleDateString(locale(), {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'short',
  });
}

/** `2026-11` as november 2026. */
export function monthWords(month: string): string {
  return new Date(`${month}-15T12:00:00Z`).toLocaleDateString(locale(), {
    timeZone: 'UTC',
    month: 'long',
    year: 'numeric',
  });
}
