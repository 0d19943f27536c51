/** The board's first line: what needs a person, the hosts, what lookups had to fall back on. */
import { h } from '../shared/dom.ts';
import { badge, stateOf } from './layer.ts';
import { bytes, list, moment, number } from '../shared/format.ts';
import type {
  Board,
  Host,
  JobView,
  Layer,
  Memory,
  OperatorAction,
  ShownState,
  WebhookView,
} from './types.ts';
import { ACTION_WORDS, BREAKER_WORDS, HOST_WORDS } from './words.ts';

const STATES: readonly ShownState[] = ['fejlet', 'mangler', 'forsinket', 'holdt', 'frisk'];

/** Worst first; inside a state the order of the catalogue. */
export function worstFirst(layers: readonly Layer[]): Layer[] {
  return layers.toSorted((a, b) => STATES.indexOf(stateOf(a)) - STATES.indexOf(stateOf(b)));
}

export function summary(board: Board): HTMLElement[] {
  const counts = STATES.map((state) => ({
    state,
    count: board.lag.filter((layer) => stateOf(layer) === state).length,
  })).filter(({ count }) => count > 0);
  const wrong = board.lag.filter(({ tilstand }) => tilstand !== 'frisk').length;
  const running = board.lag.filter(({ koerer }) => koerer !== null).length;
  const held = board.lag.filter((layer) => stateOf(layer) === 'holdt').length;
  const all = board.lag.length;
  const [kind, headline] =
    wrong > 0
      ? ['bad', `${wrong} af ${all} lag kræver opmærksomhed`]
      : held > 0
        ? ['warn', `${held} af ${all} lag holdes tilbage`]
        : ['good', `Alle ${all} lag er friske`];
  return [
    h(
      'div',
      { class: `headline ${kind}` },
      h('p', { class: 'big' }, headline),
      board.lager.svarer
        ? null
        : h('p', {}, `Lageret svarer ikke: det viste er ${number(board.lager.alder_s)} s gammelt.`),
      h(
        'ul',
        { class: 'counts' },
        ...counts.map(({ state, count }) => h('li', {}, badge(state), h('b', {}, number(count)))),
        running > 0
          ? h('li', {}, h('span', { class: 'spinner', 'aria-hidden': 'true' }), `${running} kører`)
          : null,
      ),
    ),
    h(
      'dl',
      { class: 'tiles' },
      tile('Generation', h('span', { class: 'figure' }, number(board.generation)), 'small'),
      ...(board.job === null ? [] : [tile('Job', jobs(board.job), 'small')]),
      ...(board.webhooks === null ? [] : [tile('Webhooks', webhooks(board.webhooks), 'small')]),
      ...(board.hukommelse === null
        ? []
        : [tile('I hukommelsen', memory(board.hukommelse, board.lag.length))]),
      tile('Direkte spørgsmål til', hosts(board.vaerter)),
      tile('Opslag siden opstart', lookups(board.lag)),
    ),
  ];
}

export function actionItems(actions: readonly OperatorAction[]): HTMLElement[] {
  return actions.map(({ tidspunkt, lag, handling, vaern, af }) =>
    h(
      'li',
      {},
      h('time', { datetime: tidspunkt, class: 'muted' }, moment(tidspunkt)),
      ` ${af} ${ACTION_WORDS[handling] ?? handling} `,
      ...(handling === 'frigiv' ? [h('code', {}, list(vaern)), ' for '] : []),
      h('b', {}, lag),
    ),
  );
}

const HIDDEN = { class: 'visually-hidden' };

/** Those that are `small` stand one above the other in the first column. */
function tile(name: string, content: Node | readonly (Node | null)[], size = 'tall'): HTMLElement {
  return h('div', { class: size }, h('dt', {}, name), h('dd', {}, ...[content].flat()));
}

function memory(
  { lag, bytes: held, trukket_tilbage: suspended, kontrol }: Memory,
  layers: number,
): (Node | null)[] {
  return [
    h('span', { class: 'figure' }, `${lag.length} af ${layers}`),
    h('p', { class: 'muted' }, lag.length === 0 ? 'lageret svarer' : bytes(held)),
    kontrol === null
      ? null
      : h(
          'p',
          { class: kontrol.afvigelser === 0 ? 'muted' : 'bad' },
          `${kontrol.sammenlignet} svar sammenlignet med lageret, ${kontrol.afvigelser} afviger`,
        ),
    suspended.length === 0 ? null : h('p', { class: 'bad' }, `trukket tilbage: ${list(suspended)}`),
  ];
}

/** Jobs that wait or run, what is left of them, and whether one of them stands still. */
function jobs({ aabne, ventende_raekker: rows, stille_s: stillS, her }: JobView): (Node | null)[] {
  const isStuck = stillS !== null && stillS > 60;
  return [
    h('span', { class: 'figure' }, number(aabne)),
    h('p', { class: 'muted' }, aabne === 0 ? 'ingen venter' : `${number(rows)} rækker venter`),
    isStuck ? h('p', { class: 'bad' }, `et job har stået stille i ${number(stillS)} s`) : null,
    her === null ? h('p', { class: 'muted' }, 'arbejdes på i andre processer') : null,
  ];
}

/** Deliveries that wait, and whether one of them has been due for long. */
function webhooks({
  modtagere,
  modtagere_med_fejl: failing,
  venter,
  aeldste_s: oldestS,
  her,
}: WebhookView): (Node | null)[] {
  const isLate = oldestS !== null && oldestS > 60;
  return [
    h('span', { class: 'figure' }, number(venter)),
    h('p', { class: 'muted' }, `venter til ${number(modtagere)} modtagere`),
    failing > 0 ? h('p', { class: 'muted' }, `${number(failing)} svarer ikke godt`) : null,
    isLate
      ? h('p', { class: 'bad' }, `en levering har ventet ${number(oldestS)} s for længe`)
      : null,
    her === null ? h('p', { class: 'muted' }, 'sendes af andre processer') : null,
  ];
}

/** A host that can be asked is a name; one that cannot says so in words. */
function hosts(all: readonly Host[]): HTMLElement {
  return h(
    'ul',
    { class: 'hosts' },
    ...all.map(({ vaert, afbryder, i_gang: inFlight, i_koe: queued }) =>
      h(
        'li',
        { class: afbryder, title: `${inFlight} i gang, ${queued} i kø` },
        h('span', { class: 'dot', 'aria-hidden': 'true' }),
        HOST_WORDS[vaert] ?? vaert,
        h('span', afbryder === 'lukket' ? HIDDEN : {}, `: ${BREAKER_WORDS[afbryder] ?? afbryder}`),
      ),
    ),
  );
}

function lookups(layers: readonly Layer[]): HTMLElement {
  const total = (...from: readonly string[]): number =>
    layers.reduce(
      (sum, { svar }) => sum + from.reduce((part, name) => part + (svar[name] ?? 0), 0),
      0,
    );
  const parts: readonly (readonly [number, string, string])[] = [
    [total('snapshot', 'lager'), 'fra kopien', 'good'],
    [total('register'), 'fra registret', 'warn'],
    [total('gammel_kopi'), 'fra gammel kopi', 'warn'],
    [total('utilgaengelig'), 'uden svar', 'bad'],
  ];
  return h(
    'ul',
    { class: 'lookups' },
    ...parts.map(([count, text, kind]) =>
      h('li', { class: count > 0 ? kind : 'none' }, h('b', {}, number(count)), ` ${text}`),
    ),
  );
}
