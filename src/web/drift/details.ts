/** What lies behind a layer's line: facts about its copy, and its runs as a table. */
import { ageChart } from './age-chart.ts';
import { versionsPart } from './versions.ts';
import { h } from '../shared/dom.ts';
import type { Child } from '../shared/dom.ts';
import { area, bytes, duration, limit, list, moment, number } from '../shared/format.ts';
import type { Layer, LayerContext, Run, RunWithIssues } from './types.ts';
import { ANSWER_WORDS, KIND_WORDS, PHASE_WORDS, RUN_WORDS, TRIGGER_WORDS } from './words.ts';

export function details(layer: Layer, context: LayerContext): HTMLElement {
  return h(
    'div',
    { class: 'details' },
    facts(layer, context),
    ...pastParts(layer, context),
    h('h4', {}, 'Kørsler'),
    runsPart(layer, context),
  );
}

/** Age, versions, and two of them compared. */
function pastParts(layer: Layer, { past, compare, narrow }: LayerContext): Child[] {
  if (past === null) return [h('p', { class: 'muted' }, 'Henter historik…')];
  if (past.history === null) return [h('p', { class: 'notice bad' }, past.error)];
  const { history } = past;
  return [
    h('h4', {}, `Alder siden ${moment(history.fra)}`),
    ageChart(history, narrow),
    h('h4', {}, 'Versioner'),
    versionsPart(layer, history),
    // A register has no shapes to compare.
    ...(history.kan_sammenlignes.length === 0
      ? []
      : [h('h4', {}, 'Forskel på to versioner'), compare]),
  ];
}

function facts(layer: Layer, { can, act }: LayerContext): HTMLElement {
  const good = layer.seneste_gode;
  return h(
    'dl',
    { class: 'facts' },
    ...fact('Synket', layer.synket === null ? 'aldrig' : moment(layer.synket)),
    ...(layer.udgivet === null ? [] : fact('Udgivet', moment(layer.udgivet))),
    ...fact('Frist', `${limit(layer.frist_s)}, svarer højst ${limit(layer.yderste_frist_s)}`),
    ...(layer.generation === null ? [] : fact('Generation', number(layer.generation))),
    ...(layer.areal_m2 === null || layer.areal_m2 === 0 ? [] : fact('Areal', area(layer.areal_m2))),
    ...(good === null || good.tal.bytes === null ? [] : fact('Hentet', fetched(good))),
    ...fact('Svar siden opstart', answers(layer.svar)),
    ...(Object.keys(layer.registerfejl).length === 0
      ? []
      : fact('Fejl hos registret', failures(layer.registerfejl))),
    ...(can.snapshot && layer.version !== null
      ? fact(
          'Snapshot',
          h(
            'button',
            { type: 'button', class: 'link', onclick: () => act.download(layer) },
            `${layer.lag}.fgb (FlatGeobuf)`,
          ),
        )
      : []),
  );
}

function fact(name: string, value: string | Node): Node[] {
  return [h('div', {}, h('dt', {}, name), h('dd', {}, value))];
}

function fetched({ tal, varighed_ms: ms }: Run): string {
  const pages = tal.sider === 1 ? '1 side' : `${number(tal.sider ?? 0)} sider`;
  return `${bytes(tal.bytes ?? 0)} på ${pages}${ms === null ? '' : `, ${duration(ms)}`}`;
}

function answers(svar: Layer['svar']): string {
  const parts = Object.entries(svar).flatMap(([from, count]) =>
    count === 0 ? [] : [`${number(count)} ${ANSWER_WORDS[from] ?? from}`],
  );
  return parts.length === 0 ? 'ingen spurgt' : list(parts);
}

function failures(byKind: Layer['registerfejl']): string {
  return list(Object.entries(byKind).map(([kind, count]) => `${number(count)} ${kind}`));
}

function runsPart(layer: Layer, { runs, act }: LayerContext): HTMLElement {
  if (runs === null) return h('p', { class: 'muted' }, 'Henter kørsler…');
  if (runs.error !== null) return h('p', { class: 'notice bad' }, runs.error);
  if (runs.list.length === 0) return h('p', { class: 'muted' }, 'Laget har aldrig kørt.');
  return h(
    'div',
    { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': `Kørsler af ${layer.navn}` },
    h(
      'table',
      { class: 'run-list' },
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          ...['Startet', 'Udfald', 'Tog', 'Rækker', 'Nye', 'Ændrede', 'Fjernede', 'Bemærkning'].map(
            (title) => h('th', { scope: 'col' }, title),
          ),
        ),
      ),
      h('tbody', {}, ...runs.list.map(runRow)),
    ),
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
          'Vis ældre',
        ),
  );
}

function runRow(run: RunWithIssues): HTMLElement {
  const { tal } = run;
  const cell = (value: number | null): HTMLElement =>
    h('td', { class: 'number' }, value === null ? '–' : number(value));
  return h(
    'tr',
    {},
    h('th', { scope: 'row' }, moment(run.startet)),
    h('td', {}, h('span', { class: `outcome ${run.tilstand}` }, RUN_WORDS[run.tilstand])),
    h('td', { class: 'number' }, run.varighed_ms === null ? '–' : duration(run.varighed_ms)),
    cell(tal.raekker),
    cell(tal.nye),
    cell(tal.aendrede),
    cell(tal.fjernede),
    h('td', { class: 'remark' }, remark(run)),
  );
}

function remark(run: RunWithIssues): string {
  const parts: string[] = [];
  const by = run.bedt_af === null ? '' : ` af ${run.bedt_af}`;
  const trigger = TRIGGER_WORDS[run.udloeser];
  if (run.slags !== 'synk') parts.push(`${KIND_WORDS[run.slags] ?? run.slags}${by}`);
  else if (run.frigivet.length > 0) parts.push(`${list(run.frigivet)} frigivet${by}`);
  else if (run.bedt_af !== null) parts.push(`bedt om${by}`);
  else if (trigger !== undefined && trigger !== '') parts.push(trigger);
  if (run.problemer > 0) parts.push(`${number(run.problemer)} problemer (${kinds(run.eksempler)})`);
  if (run.tilstand === 'afvist') parts.push(run.afvist_af.map(({ tekst }) => tekst).join(' '));
  if (run.fejl !== null) parts.push(`${PHASE_WORDS[run.fase] ?? run.fase}: ${run.fejl}`);
  return parts.join('; ');
}

function kinds(examples: RunWithIssues['eksempler']): string {
  return list([...new Set(examples.map(({ art }) => art))]);
}
