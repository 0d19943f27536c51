/** Numbers, times and keys as Danish text. */

const ZONE = 'Europe/Copenhagen';
const NUMBER = new Intl.NumberFormat('da-DK');
const SHORT = new Intl.NumberFormat('da-DK', { maximumFractionDigits: 1 });
const CLOCK = new Intl.DateTimeFormat('da-DK', { timeZone: ZONE, timeStyle: 'medium' });
const MOMENT = new Intl.DateTimeFormat('da-DK', {
  timeZone: ZONE,
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

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

export const KIND_WORDS = {
  synk: 'synket',
  fortryd: 'ført tilbage',
  genafspil: 'afspillet igen',
  datoskifte: 'skiftet på dato',
  ukendt: 'ukendt slags',
};

export const TRIGGER_WORDS = {
  opstart: 'ved opstart',
  plan: 'efter plan',
  kommando: 'fra kommandolinjen',
  operatoer: 'af operatør',
  forespoergsel: 'fordi laget var for gammelt',
  dato: 'fordi en dato kom',
  ukendt: '',
};

export const PHASE_WORDS = {
  claim: 'begynder',
  fetch: 'henter',
  diff: 'sammenligner',
  check: 'kontrollerer',
  derive: 'forbereder',
  apply: 'udgiver',
  announce: 'udgivet',
};

export const ANSWER_WORDS = {
  snapshot: 'fra hukommelsen',
  lager: 'fra lageret',
  register: 'direkte fra registret',
  gammel_kopi: 'fra en gammel kopi',
  utilgaengelig: 'uden svar',
};

export const HOST_WORDS = {
  portal: 'Miljøportalen',
  heritage: 'Fund og Fortidsminder',
  cadastre: 'Matriklen',
  dagi: 'DAGI',
  'datafordeler-files': 'Datafordeleren',
  terrain: 'Terrænmodellen',
};

export const BREAKER_WORDS = {
  lukket: 'klar',
  halvaaben: 'prøver igen',
  aaben: 'afbrudt',
};

export const ACTION_WORDS = {
  synk: 'bad om synkronisering af',
  frigiv: 'frigav',
  fortryd: 'fortrød',
  godkend: 'godkendte en varslet ændring af',
  traek_tilbage: 'trak en godkendelse tilbage af',
};

export function number(value) {
  return NUMBER.format(value);
}

export function rows(value) {
  return value === 1 ? '1 række' : `${number(value)} rækker`;
}

/** Seconds as the largest one or two units a person needs. */
export function span(seconds) {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 === 0 ? `${hours} t` : `${hours} t ${minutes % 60} min`;
  const days = Math.floor(hours / 24);
  return hours % 24 === 0 || days > 9 ? dayWord(days) : `${dayWord(days)} ${hours % 24} t`;
}

/** A limit: whole days and hours. */
export function limit(seconds) {
  if (seconds % 86_400 === 0) return dayWord(seconds / 86_400);
  return span(seconds);
}

function dayWord(days) {
  return days === 1 ? '1 døgn' : `${number(days)} døgn`;
}

export function duration(ms) {
  return ms < 60_000 ? `${SHORT.format(ms / 1000)} s` : span(ms / 1000);
}

export function bytes(value) {
  if (value < 1000) return `${value} B`;
  const units = ['kB', 'MB', 'GB'];
  let scaled = value / 1000;
  let unit = 0;
  while (scaled >= 1000 && unit < units.length - 1) {
    scaled /= 1000;
    unit += 1;
  }
  return `${SHORT.format(scaled)} ${units[unit]}`;
}

/** Square metres, as square kilometres where that is shorter. */
export function area(squareMetres) {
  return squareMetres >= 1_000_000
    ? `${SHORT.format(squareMetres / 1_000_000)} km²`
    : `${number(Math.round(squareMetres))} m²`;
}

export function moment(iso) {
  return MOMENT.format(new Date(iso));
}

export function clock(date) {
  return CLOCK.format(date);
}

/** `a`, `a og b`, `a, b og c`. */
export function list(words) {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} og ${words.at(-1)}`;
}

export const GUARD_WORDS = {
  'min-rows': 'mindste antal rækker',
  'known-places': 'kendte steder',
  'row-drop': 'tab af rækker',
  'row-growth': 'vækst i rækker',
  'area-drop': 'tab af areal',
  'area-growth': 'vækst i areal',
  'change-share': 'andel af ændringer',
  canary: 'kanariepunkter',
};

const DAY = new Intl.DateTimeFormat('da-DK', {
  timeZone: ZONE,
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});

/** A day and its time in Denmark. */
export function day(iso) {
  return DAY.format(new Date(iso));
}

const STEPS = [
  [86_400_000, 'dag', 'dage'],
  [3_600_000, 'time', 'timer'],
  [60_000, 'minut', 'minutter'],
  [1_000, 'sekund', 'sekunder'],
];

/** `om 40 dage`, `for 2 timer siden`. */
export function until(ms) {
  const far = Math.abs(ms);
  const [unit, one, many] = STEPS.find(([length]) => far >= length) ?? STEPS[3];
  const count = Math.max(1, Math.floor(far / unit));
  const words = `${NUMBER.format(count)} ${count === 1 ? one : many}`;
  return ms < 0 ? `for ${words} siden` : `om ${words}`;
}
