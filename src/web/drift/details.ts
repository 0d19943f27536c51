/** What lies behind a layer's line: facts about its copy, and its runs as a table. */
import { ageChart } from './age-chart.ts';
import { versionsPart } from './versions.ts';
import { h } from '../shared/dom.ts';
import type { Child } from '../shared/dom.ts';
import { moment, number, span } from '../shared/format.ts';
import { inLanguage, t } from '../shared/language.ts';
import { scrolled, table } from '../shared/table.ts';
import type { LayerContext } from './shown.ts';
import type { Layer, Run, RunWithIssues } from './types.ts';
import {
  answerWord,
  failureWord,
  guardWord,
  issueWord,
  kindWord,
  meaningOf,
  phaseWord,
  refusalText,
  runWord,
  triggerWord,
} from './words.ts';
import { area, bytes, duration, list } from './units.ts';

export function details(layer: Layer, context: LayerContext): HTMLElement {
  return h(
    'div',
    { class: 'details' },
    facts(layer, context),
    ...unreadPart(context),
    ...pastParts(layer, context),
    h('h4', {}, t('Kørsler', 'Runs')),
    runsPart(layer, context),
  );
}

function pastParts(layer: Layer, { past, compare, narrow }: LayerContext): Child[] {
  if (past === null)
    return [h('p', { class: 'muted' }, t('Henter historik…', 'Fetching its history…'))];
  if (past.history === null) return [h('p', { class: 'notice bad' }, past.error)];
  const { history } = past;
  return [
    h('h4', {}, `${t('Alder siden', 'Age since')} ${moment(history.fra)}`),
    ageChart(history, narrow),
    h('h4', {}, t('Versioner', 'Versions')),
    versionsPart(layer, history),
    // A register has no shapes to compare.
    ...(history.kan_sammenlignes.length === 0
      ? []
      : [h('h4', {}, t('Forskel på to versioner', 'Difference of two versions')), compare]),
  ];
}

function facts(layer: Layer, { can, act }: LayerContext): HTMLElement {
  const good = layer.seneste_gode;
  return h(
    'dl',
    { class: 'facts' },
    ...fact(t('Navn i kommandoer', 'Name in commands'), h('code', {}, layer.lag)),
    ...fact(
      t('Synket', 'Synced'),
      layer.synket === null ? t('aldrig', 'never') : moment(layer.synket),
    ),
    ...(layer.udgivet === null ? [] : fact(t('Udgivet', 'Published'), moment(layer.udgivet))),
    ...fact(t('Frist', 'Limit'), limits(layer)),
    ...(layer.daekning === null ? [] : fact(t('Dækker kun', 'Covers only'), layer.daekning.navn)),
    ...(layer.generation === null ? [] : fact('Generation', number(layer.generation))),
    ...(layer.areal_m2 === null || layer.areal_m2 === 0
      ? []
      : fact(t('Areal', 'Area'), area(layer.areal_m2))),
    ...(layer.ulaeste === null || layer.ulaeste === 0
      ? []
      : fact(t('Ulæste objekter', 'Features not read'), number(layer.ulaeste))),
    ...(good === null || good.tal.bytes === null
      ? []
      : fact(t('Hentet', 'Fetched'), fetched(good))),
    ...fact(t('Svar siden opstart', 'Answers since start'), answers(layer.svar)),
    ...(Object.keys(layer.registerfejl).length === 0
      ? []
      : fact(t('Fejl hos registret', 'Errors at the register'), failures(layer.registerfejl))),
    ...(can.snapshot && layer.version !== null
      ? fact(
          'Snapshot',
          h(
            'button',
            { type: 'button', class: 'link', onclick: () => act.download(layer) },
            t('Hent som FlatGeobuf', 'Download as FlatGeobuf'),
          ),
        )
      : []),
  );
}

function limits({ frist_s: late, yderste_frist_s: dead }: Layer): string {
  return t(
    `${span(late)}, svarer højst ${span(dead)}`,
    `${span(late)}, answers for ${span(dead)} at most`,
  );
}

function fact(name: string, value: string | Node): Node[] {
  return [h('div', {}, h('dt', {}, name), h('dd', {}, value))];
}

function fetched({ tal, varighed_ms: ms }: Run): string {
  const pages =
    tal.sider === 1 ? t('1 side', '1 page') : `${number(tal.sider ?? 0)} ${t('sider', 'pages')}`;
  return `${bytes(tal.bytes ?? 0)} ${t('på', 'in')} ${pages}${ms === null ? '' : `, ${duration(ms)}`}`;
}

function answers(svar: Layer['svar']): string {
  const parts = Object.entries(svar).flatMap(([from, count]) =>
    count === 0 ? [] : [`${number(count)} ${answerWord(from)}`],
  );
  return parts.length === 0 ? t('ingen spurgt', 'none asked') : list(parts);
}

function failures(byKind: Layer['registerfejl']): string {
  return list(
    Object.entries(byKind).map(([kind, count]) => `${number(count)} ${failureWord(kind)}`),
  );
}

/** The rest is counted among the facts. */
const UNREAD_SHOWN = 20;

/** What the copy could not read, and where it does not answer for that. */
function unreadPart({ runs }: LayerContext): Child[] {
  if (runs === null || runs.unread.length === 0) return [];
  return [
    h('h4', {}, t('Kunne ikke læses: her svares ikke', 'Could not be read: not answered here')),
    h(
      'ul',
      { class: 'unread' },
      ...runs.unread
        .slice(0, UNREAD_SHOWN)
        .map(({ noegle: key, grund: reason, kasse: box, raa: raw }) =>
          h(
            'li',
            {},
            `${key ?? t('uden nøgle', 'without a key')}: ${placeWords(box)}`,
            asItCame([reason, raw ?? '']),
          ),
        ),
    ),
  ];
}

/** Folded: twenty shapes would push the runs out of sight. */
function asItCame(lines: readonly string[]): HTMLElement {
  return h(
    'details',
    {},
    h('summary', {}, t('Hvorfor, og geometrien, som den kom', 'Why, and the geometry as received')),
    h('pre', { lang: 'en' }, lines.join('\n').trim()),
  );
}

function placeWords(box: readonly number[] | null): string {
  if (box === null) return t('intet siger hvor', 'nothing tells where');
  const [west = 0, south = 0, east = 0, north = 0] = box.map(Math.round);
  const to = t('til', 'to');
  return `x ${west} ${to} ${east}, y ${south} ${to} ${north}`;
}

function runsPart(layer: Layer, { runs, act }: LayerContext): HTMLElement {
  if (runs === null) return h('p', { class: 'muted' }, t('Henter kørsler…', 'Fetching runs…'));
  if (runs.error !== null) return h('p', { class: 'notice bad' }, runs.error);
  if (runs.list.length === 0)
    return h('p', { class: 'muted' }, t('Laget har aldrig kørt.', 'The layer has never run.'));
  return scrolled(
    t(`Kørsler af ${layer.navn}`, `Runs of ${layer.navn}`),
    table({
      class: 'run-list',
      head: inLanguage(RUN_HEAD),
      isNumber: (at) => at > 1 && at < 7,
      rows: runs.list.map(runCells),
    }),
    runs.next === null
      ? null
      : h(
          'button',
          {
            type: 'button',
            class: 'quiet',
            'data-key': `${layer.lag}:flere`,
            onclick: () => act.more(layer),
          },
          t('Vis ældre', 'Show older'),
        ),
  );
}

const RUN_HEAD: { readonly da: readonly string[]; readonly en: readonly string[] } = {
  da: ['Startet', 'Udfald', 'Tog', 'Rækker', 'Nye', 'Ændrede', 'Fjernede', 'Bemærkning'],
  en: ['Started', 'Outcome', 'Took', 'Rows', 'New', 'Changed', 'Gone', 'Remark'],
};

function runCells(run: RunWithIssues): Child[] {
  const { raekker, nye, aendrede, fjernede } = run.tal;
  return [
    moment(run.startet),
    h('span', { class: `outcome ${run.tilstand}` }, runWord(run.tilstand)),
    run.varighed_ms === null ? '–' : duration(run.varighed_ms),
    ...[raekker, nye, aendrede, fjernede].map((count) => (count === null ? '–' : number(count))),
    h('td', { class: 'remark' }, remark(run)),
  ];
}

function remark(run: RunWithIssues): string {
  const parts: string[] = [];
  const by = run.bedt_af === null ? '' : ` ${t('af', 'by')} ${run.bedt_af}`;
  const trigger = triggerWord(run.udloeser);
  if (run.slags !== 'synk') parts.push(`${kindWord(run.slags)}${by}`);
  else if (run.frigivet.length > 0)
    parts.push(`${list(run.frigivet.map(guardWord))} ${t('frigivet', 'released')}${by}`);
  else if (run.bedt_af !== null) parts.push(`${t('bedt om', 'asked for')}${by}`);
  else if (trigger !== '') parts.push(trigger);
  if (run.problemer > 0)
    parts.push(`${number(run.problemer)} ${t('problemer', 'problems')} (${kinds(run.eksempler)})`);
  if (run.tilstand === 'afvist') parts.push(run.afvist_af.map(refusalText).join(' '));
  if (run.fejl !== null) parts.push(`${phaseWord(run.fase)}: ${meaningOf(run.fejl)}`);
  return parts.join('; ');
}

function kinds(examples: RunWithIssues['eksempler']): string {
  return list([...new Set(examples.map(({ art }) => issueWord(art)))]);
}
