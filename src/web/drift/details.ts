import { ageChart } from './age-chart.ts';
import { comparePart } from './compare.ts';
import { versionsPart } from './versions.ts';
import { moment, number, span } from '../shared/format.ts';
import { button, factList, html, note, rowsTable, scrolledPart } from '../shared/html.ts';
import type { Content, TemplateResult } from '../shared/html.ts';
import { inLanguage, t } from '../shared/language.ts';
import type { LayerContext, Opened, RunList } from './shown.ts';
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
import { area, bytes, duration, keyedButton, list } from './units.ts';

export function details(layer: Layer, open: Opened, context: LayerContext): TemplateResult {
  return html`<div class="details">
    ${facts(layer, context)}${unreadPart(open.runs)}${pastParts(layer, open, context)}
    <h4>${t('Kørsler', 'Runs')}</h4>
    ${runsPart(layer, open.runs, context)}
  </div>`;
}

function pastParts(layer: Layer, open: Opened, { narrow, act }: LayerContext): TemplateResult {
  const { past } = open;
  if (past === null) return note(t('Henter historik…', 'Fetching its history…'));
  if (typeof past === 'string') return note(past, 'notice bad');
  return html`<h4>${t('Alder siden', 'Age since')} ${moment(past.fra)}</h4>
    ${ageChart(past, narrow)}
    <h4>${t('Versioner', 'Versions')}</h4>
    ${versionsPart(layer, past)}${comparePart(layer, past, open.comparison, act.redraw)}`;
}

function facts(layer: Layer, { can, act }: LayerContext): TemplateResult {
  const good = layer.seneste_gode;
  const { frist_s: late, yderste_frist_s: dead, areal_m2: m2, ulaeste: unread } = layer;
  const limits = t(
    `${span(late)}, svarer højst ${span(dead)}`,
    `${span(late)}, answers for ${span(dead)} at most`,
  );
  const snapshot = button(
    t('Hent som FlatGeobuf', 'Download as FlatGeobuf'),
    () => act.download(layer),
    'link',
  );
  const all: readonly (readonly [string, unknown])[] = [
    [t('Navn i kommandoer', 'Name in commands'), html`<code>${layer.lag}</code>`],
    [t('Synket', 'Synced'), layer.synket === null ? t('aldrig', 'never') : moment(layer.synket)],
    [t('Udgivet', 'Published'), layer.udgivet === null ? null : moment(layer.udgivet)],
    [t('Frist', 'Limit'), limits],
    [t('Dækker kun', 'Covers only'), layer.daekning?.navn],
    ['Generation', layer.generation === null ? null : number(layer.generation)],
    [t('Areal', 'Area'), m2 === null || m2 === 0 ? null : area(m2)],
    [
      t('Ulæste objekter', 'Features not read'),
      unread === null || unread === 0 ? null : number(unread),
    ],
    [
      t('Hentet', 'Fetched'),
      good === null || good.tal.bytes === null ? null : fetched(good, good.tal.bytes),
    ],
    [t('Svar siden opstart', 'Answers since start'), answers(layer.svar)],
    [t('Fejl hos registret', 'Errors at the register'), failures(layer.registerfejl)],
    ['Snapshot', can.snapshot && layer.version !== null ? snapshot : null],
  ];
  const known = all.filter(([, value]) => value !== null && value !== undefined && value !== '');
  return factList(known);
}

function fetched({ tal, varighed_ms: ms }: Run, got: number): string {
  const pages =
    tal.sider === 1 ? t('1 side', '1 page') : `${number(tal.sider ?? 0)} ${t('sider', 'pages')}`;
  return `${bytes(got)} ${t('på', 'in')} ${pages}${ms === null ? '' : `, ${duration(ms)}`}`;
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

/** Folded: shapes are long. */
function unreadPart(runs: RunList | null): unknown {
  if (runs === null || runs.unread.length === 0) return null;
  const shown = runs.unread.slice(0, UNREAD_SHOWN);
  const why = t('Hvorfor, og geometrien, som den kom', 'Why, and the geometry as received');
  return html`<h4>
      ${t('Kunne ikke læses: her svares ikke', 'Could not be read: not answered here')}
    </h4>
    <ul class="unread">
      ${shown.map(
        ({ noegle: key, grund: reason, kasse: box, raa: raw }) =>
          html`<li>
            ${key ?? t('uden nøgle', 'without a key')}: ${placeWords(box)}
            <details>
              <summary>${why}</summary>
              <pre lang="en">${`${reason}\n${raw ?? ''}`.trim()}</pre>
            </details>
          </li>`,
      )}
    </ul>`;
}

function placeWords(box: readonly number[] | null): string {
  if (box === null) return t('intet siger hvor', 'nothing tells where');
  const [west = 0, south = 0, east = 0, north = 0] = box.map(Math.round);
  const to = t('til', 'to');
  return `x ${west} ${to} ${east}, y ${south} ${to} ${north}`;
}

function runsPart(layer: Layer, runs: RunList | null, { act }: LayerContext): TemplateResult {
  if (runs === null) return note(t('Henter kørsler…', 'Fetching runs…'));
  if (runs.error !== null) return note(runs.error, 'notice bad');
  if (runs.list.length === 0) return note(t('Laget har aldrig kørt.', 'The layer has never run.'));
  const older = keyedButton(`${layer.lag}:flere`, t('Vis ældre', 'Show older'), () =>
    act.more(layer),
  );
  const table = rowsTable({
    head: inLanguage({
      da: ['Startet', 'Udfald', 'Tog', 'Rækker', 'Nye', 'Ændrede', 'Fjernede', 'Bemærkning'],
      en: ['Started', 'Outcome', 'Took', 'Rows', 'New', 'Changed', 'Gone', 'Remark'],
    }),
    isNumber: (at) => at > 1 && at < 7,
    rows: runs.list.map(runCells),
  });
  const name = t(`Kørsler af ${layer.navn}`, `Runs of ${layer.navn}`);
  return html`<div class="run-list">
    ${scrolledPart(name, html`${table}${runs.next === null ? null : older}`)}
  </div>`;
}

function runCells(run: RunWithIssues): readonly Content[] {
  const { raekker, nye, aendrede, fjernede } = run.tal;
  return [
    moment(run.startet),
    html`<span class=${`outcome ${run.tilstand}`}>${runWord(run.tilstand)}</span>`,
    run.varighed_ms === null ? '–' : duration(run.varighed_ms),
    ...[raekker, nye, aendrede, fjernede].map((count) => (count === null ? '–' : number(count))),
    remark(run),
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
  if (run.problemer > 0) {
    const kinds = list([...new Set(run.eksempler.map(({ art }) => issueWord(art)))]);
    parts.push(`${number(run.problemer)} ${t('problemer', 'problems')} (${kinds})`);
  }
  if (run.tilstand === 'afvist') parts.push(run.afvist_af.map(refusalText).join(' '));
  if (run.fejl !== null) parts.push(`${phaseWord(run.fase)}: ${meaningOf(run.fejl)}`);
  return parts.join('; ');
}
