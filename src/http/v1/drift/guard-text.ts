import type { RefusalRecord } from '../../../ops/run-log.ts';

type Numbers = RefusalRecord['numbers'];

/** An unknown guard's message is shown as recorded. */
export function refusalText({ guard, message, numbers }: RefusalRecord): string {
  const sentence = Object.hasOwn(SENTENCES, guard)
    ? SENTENCES[guard]?.(numbers, message)
    : undefined;
  return sentence ?? message;
}

export function numberLabel(name: string): string {
  return (Object.hasOwn(LABELS, name) ? LABELS[name] : undefined) ?? name;
}

const SENTENCES: Readonly<Record<string, (numbers: Numbers, message: string) => string>> = {
  announced: (n) =>
    `Serveren lovede ${between(n['leastAnnounced'], n['mostAnnounced'])} objekter, ` +
    `men leverede ${count(n['received'])}.`,
  parsed: (n) =>
    n['line'] === undefined
      ? `Kun ${count(n['parsed'])} af de ${count(n['received'])} modtagne objekter blev læst.`
      : `Linje ${count(n['line'])} har ${count(n['cells'])} værdier, og første linje nævner ` +
        `${count(n['columns'])} kolonner.`,
  staged: (n) =>
    `Mellemlageret rummer ${count(n['staged'])} af de ${count(n['mapped'])} objekter, ` +
    'det fik.',
  duplicates: (n, message) =>
    `${count(n['rows'])} objekter deler ${count(n['distinctKeys'])} id’er: ` +
    `${message.split(': ').slice(1).join(': ')}. Frigivet bliver deres steder ubesvaret.`,
  empty: (n) =>
    n['lastGoodRows'] === undefined
      ? 'Laget kom tomt.'
      : `Laget kom tomt; den nuværende kopi har ${count(n['lastGoodRows'])} rækker.`,
  'min-rows': (n) =>
    `Laget kom med ${count(n['rows'])} rækker; det skal have mindst ${count(n['minRows'])}.`,
  issues: (n) =>
    `${count(n['issues'])} af ${count(n['received'])} objekter kan ikke læses ` +
    `(${percent(n['issues'], n['received'])}); højst ${share(n['maxIssueShare'])} må.`,
  schema: (_n, message) => {
    const named = message.split(': ').slice(1).join(': ');
    return `Kolonnerne er ikke dem, laget læses af: ${COLUMN_WORDS.reduce(
      (text, [english, danish]) => text.replace(english, danish),
      named,
    )}`;
  },
  'lost-features': (n) =>
    `${count(n['lostFeatures'])} gældende rækker kan ikke læses; højst ` +
    `${count(n['maxLostRows'])} må, for uden dem ville deres steder svare nej.`,
  unplaced: (n) =>
    `${count(n['unplaced'])} objekter eller rækker kan ikke læses, og intet siger, hvor de hører til; ` +
    `højst ${count(n['maxLostRows'])} må, for dér ville svaret være nej.`,
  references: (n) =>
    `${count(n['dangling'])} af ${count(n['inForce'])} gældende adresser viser til veje eller ` +
    `adgangsadresser, der ikke er der; højst ${share(n['maxDanglingShare'])} må.`,
  'known-places': (n) =>
    `${count(n['placesWrong'])} af ${count(n['placesAsked'])} kendte steder ligger ikke i det ` +
    'område, de hører til.',
  'repair-area': (n) =>
    `Reparation af ugyldige former flyttede ${count(n['repairedAreaM2'])} m² ` +
    `(${percent(n['repairedAreaM2'], n['areaM2'])}); højst ${share(n['maxRepairShare'])} må.`,
  'row-drop': (n) =>
    `Laget kom med ${count(n['rows'])} rækker mod ${count(n['lastGoodRows'])} før ` +
    `(${moved(n['lastGoodRows'], n['rows'])}); højst ${share(n['maxDropShare'])} må forsvinde.`,
  'row-growth': (n) =>
    `Laget kom med ${count(n['rows'])} rækker mod ${count(n['lastGoodRows'])} før ` +
    `(${moved(n['lastGoodRows'], n['rows'])}); højst ${share(n['maxGrowthShare'])} må komme til.`,
  'area-drop': (n) =>
    `Laget dækker ${area(n['areaM2'])} mod ${area(n['lastGoodAreaM2'])} før ` +
    `(${moved(n['lastGoodAreaM2'], n['areaM2'])}); højst ${share(n['maxAreaDropShare'])} ` +
    'må forsvinde.',
  'area-growth': (n) =>
    `Laget dækker ${area(n['areaM2'])} mod ${area(n['lastGoodAreaM2'])} før ` +
    `(${moved(n['lastGoodAreaM2'], n['areaM2'])}); højst ${share(n['maxAreaGrowthShare'])} ` +
    'må komme til.',
  canary: (n) =>
    `${count(n['canaryChanged'])} af ${count(n['canaryAsked'])} prøvepunkter ville få et andet ` +
    `svar end nu (${percent(n['canaryChanged'], n['canaryAsked'])}); ` +
    `højst ${share(n['maxCanaryShare'])} må.`,
  'stub-file': (n) =>
    `Filen på listen fylder ${count(n['bytes'])} byte; tabellen fylder mindst ` +
    `${count(n['minBytes'])}.`,
  listing: (n, message) => {
    const [, names] = /^.*The listing holds [^:]*: (.*)\.$/s.exec(message) ?? [];
    const held =
      names === undefined ? 'listen er tom' : `listen har ${count(n['listed'])} filer: ${names}`;
    return `Listen har hverken tabellen eller ændringer af den; ${held.replace(', and more', ' m.fl.')}.`;
  },
  generation: generationText,
  'outside-denmark': (n) =>
    `${count(n['outsideDenmark'])} af ${count(n['received'])} objekter ligger uden for Danmark.`,
  'change-share': (n) => {
    const touched = (n['changed'] ?? 0) + (n['removed'] ?? 0);
    const what = [
      ...(n['changed'] === 0 ? [] : [`${count(n['changed'])} ændres`]),
      ...(n['removed'] === 0 ? [] : [`${count(n['removed'])} forsvinde`]),
    ];
    return (
      `Af ${count(n['lastGoodRows'])} rækker ville ${what.join(' og ')} ` +
      `(${percent(touched, n['lastGoodRows'])}); højst ${share(n['maxChangeShare'])} må.`
    );
  },
};

/** Compares file counters, or times when counters cannot be compared. */
function generationText(n: Numbers): string {
  if (n['missing'] !== undefined) {
    return `Ændringsfil ${count(n['missing'])} mangler på listen, og ingen nyere hel tabel afhjælper det.`;
  }
  if (n['spreadS'] !== undefined) {
    return (
      `Registrets tabeller er lavet med ${days(n['spreadS'])} mellem den ældste og den nyeste; ` +
      `højst ${days(n['largestS'])} må være imellem.`
    );
  }
  if (n['madeAt'] !== undefined) {
    return `Filen på listen er lavet ${moment(n['madeAt'])}, før den hentede (${moment(n['lastMadeAt'])}).`;
  }
  return (
    `Den nyeste fil på listen er generation ${count(n['generation'])}, ældre end den hentede ` +
    `(${count(n['lastGeneration'])}).`
  );
}

const COLUMN_WORDS = [
  ['missing', 'mangler'],
  ['of another type', 'af en anden type'],
  ['of several types at once', 'af flere typer på én gang'],
] as const;

const LABELS: Readonly<Record<string, string>> = {
  leastAnnounced: 'mindst lovet',
  mostAnnounced: 'mest lovet',
  received: 'modtaget',
  parsed: 'læst',
  mapped: 'oversat',
  staged: 'i mellemlageret',
  lostInRepair: 'tabt ved reparation',
  outsideDenmark: 'uden for Danmark',
  rows: 'rækker',
  distinctKeys: 'forskellige nøgler',
  lastGoodRows: 'rækker i nuværende kopi',
  minRows: 'mindst tilladt',
  issues: 'ulæselige',
  maxIssueShare: 'største tilladte andel ulæselige',
  changed: 'ændret',
  removed: 'forsvundet',
  maxChangeShare: 'største tilladte andel ændret',
  changeFloorRows: 'rækker der altid må ændres',
  missing: 'kolonner der mangler',
  retyped: 'kolonner af en anden type',
  drifting: 'kolonner af flere typer',
  lostFeatures: 'gældende rækker der ikke kan læses',
  unplaced: 'ulæselige objekter uden sted',
  maxLostRows: 'højst tilladt',
  placesWrong: 'kendte steder i forkert område',
  placesAsked: 'kendte steder',
  repairedAreaM2: 'm² flyttet ved reparation',
  areaM2: 'm²',
  lastGoodAreaM2: 'm² i nuværende kopi',
  maxRepairShare: 'største tilladte andel repareret',
  maxDropShare: 'største tilladte fald i rækker',
  maxGrowthShare: 'største tilladte vækst i rækker',
  maxAreaDropShare: 'største tilladte fald i areal',
  maxAreaGrowthShare: 'største tilladte vækst i areal',
  canaryChanged: 'prøvepunkter med andet svar',
  canaryAsked: 'prøvepunkter',
  maxCanaryShare: 'største tilladte andel prøvepunkter',
  bytes: 'byte',
  minBytes: 'mindst tilladt, byte',
  generation: 'generation',
  lastGeneration: 'hentet generation',
  listed: 'filer på listen',
  line: 'linje',
  cells: 'værdier i linjen',
  columns: 'kolonner i første linje',
  have: 'hentet generation',
  newestTotal: 'nyeste hele tabel',
  madeAt: 'lavet, sekunder siden 1970',
  lastMadeAt: 'hentet fil lavet, sekunder siden 1970',
  spreadS: 'sekunder mellem tabellerne',
  largestS: 'højst tilladt, sekunder',
};

const NUMBER = new Intl.NumberFormat('da-DK');
const KM2 = new Intl.NumberFormat('da-DK', { maximumFractionDigits: 1 });
const CHANGE = new Intl.NumberFormat('da-DK', {
  style: 'percent',
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
});
const SHARE = new Intl.NumberFormat('da-DK', { style: 'percent', maximumFractionDigits: 1 });

function count(value: number | undefined): string {
  return value === undefined ? '?' : NUMBER.format(value);
}

function share(value: number | undefined): string {
  return value === undefined ? '?' : SHARE.format(value);
}

function percent(part: number | undefined, whole: number | undefined): string {
  return part === undefined || whole === undefined || whole === 0
    ? '?'
    : SHARE.format(part / whole);
}

const DAY_S = 24 * 3600;

function days(seconds: number | undefined): string {
  return seconds === undefined ? '?' : `${count(Math.round(seconds / DAY_S))} dage`;
}

/** `seconds` since 1970, UTC. */
function moment(seconds: number | undefined): string {
  if (seconds === undefined) return '?';
  return `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' kl. ')} UTC`;
}

/** With its sign: −67,4 %. */
function moved(before: number | undefined, after: number | undefined): string {
  return before === undefined || after === undefined || before === 0
    ? '?'
    : CHANGE.format(after / before - 1);
}

function area(squareMetres: number | undefined): string {
  if (squareMetres === undefined) return '?';
  return squareMetres >= 1e6
    ? `${KM2.format(squareMetres / 1e6)} km²`
    : `${count(Math.round(squareMetres))} m²`;
}

function between(least: number | undefined, most: number | undefined): string {
  return least === most ? count(most) : `${count(least)} til ${count(most)}`;
}
