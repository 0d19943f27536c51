/** Refusals in Danish, with their numbers in words. A guard unknown here is told as it was recorded. */
import type { RefusalRecord } from '../../../ops/run-log.ts';

type Numbers = RefusalRecord['numbers'];

/** One sentence: what was found, and what the guard allows. */
export function refusalText({ guard, message, numbers }: RefusalRecord): string {
  const sentence = Object.hasOwn(SENTENCES, guard) ? SENTENCES[guard]?.(numbers) : undefined;
  return sentence ?? message;
}

/** What a number of a refusal counts. */
export function numberLabel(name: string): string {
  return (Object.hasOwn(LABELS, name) ? LABELS[name] : undefined) ?? name;
}

const SENTENCES: Readonly<Record<string, (numbers: Numbers) => string>> = {
  announced: (n) =>
    `Serveren lovede ${between(n['leastAnnounced'], n['mostAnnounced'])} objekter, ` +
    `men leverede ${count(n['received'])}.`,
  parsed: (n) =>
    `Kun ${count(n['parsed'])} af de ${count(n['received'])} modtagne objekter blev læst.`,
  staged: (n) =>
    `Mellemlageret rummer ${count(n['staged'])} af de ${count(n['mapped'])} objekter, ` +
    'det fik.',
  duplicates: (n) =>
    `${count(n['rows'])} rækker deler ${count(n['distinctKeys'])} nøgler: siderne overlapper, ` +
    'så andre objekter kan mangle.',
  empty: (n) =>
    n['lastGoodRows'] === undefined
      ? 'Laget kom tomt.'
      : `Laget kom tomt; den nuværende kopi har ${count(n['lastGoodRows'])} rækker.`,
  'min-rows': (n) =>
    `Laget kom med ${count(n['rows'])} rækker; det skal have mindst ${count(n['minRows'])}.`,
  issues: (n) =>
    `${count(n['issues'])} af ${count(n['received'])} objekter kan ikke læses ` +
    `(${percent(n['issues'], n['received'])}); højst ${share(n['maxIssueShare'])} må.`,
  'outside-denmark': (n) =>
    `${count(n['outsideDenmark'])} af ${count(n['received'])} objekter ligger uden for Danmark.`,
  'change-share': (n) => {
    const touched = (n['changed'] ?? 0) + (n['removed'] ?? 0);
    return (
      `${count(n['changed'])} rækker ville ændres og ${count(n['removed'])} forsvinde ` +
      `af ${count(n['lastGoodRows'])} (${percent(touched, n['lastGoodRows'])}); ` +
      `højst ${share(n['maxChangeShare'])} må.`
    );
  },
};

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
};

const NUMBER = new Intl.NumberFormat('da-DK');
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

function between(least: number | undefined, most: number | undefined): string {
  return least === most ? count(most) : `${count(least)} til ${count(most)}`;
}
