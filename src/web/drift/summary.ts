/** The board's first line: what needs a person, the hosts, what lookups had to fall back on. */
import { h } from '../shared/dom.ts';
import { nextStep } from './next-step.ts';
import { badge, stateOf } from './layer.ts';
import { moment, number } from '../shared/format.ts';
import { t } from '../shared/language.ts';
import type { Board, Layer, ShownState } from './types.ts';
import { actionWord, breakerWord, guardWord, hostWord, layerWord } from './words.ts';
import { bytes, list } from './units.ts';

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
  const running = board.lag.filter(({ koerer }) => koerer !== null).length;
  const [kind, headline] = headlineOf(board);
  return [
    h(
      'div',
      { class: `headline ${kind}` },
      h('p', { class: 'big' }, headline),
      h('p', { class: 'next' }, h('b', {}, t('Næste skridt: ', 'Next step: ')), nextStep(board)),
      board.lager.svarer
        ? null
        : h(
            'p',
            {},
            t(
              `Lageret svarer ikke: det viste er ${number(board.lager.alder_s)} s gammelt.`,
              `The store does not answer: what is shown is ${number(board.lager.alder_s)} s old.`,
            ),
          ),
      h(
        'ul',
        { class: 'counts' },
        ...counts.map(({ state, count }) => h('li', {}, badge(state), h('b', {}, number(count)))),
        running > 0
          ? h(
              'li',
              {},
              h('span', { class: 'spinner', 'aria-hidden': 'true' }),
              `${running} ${t('kører', 'running')}`,
            )
          : null,
      ),
    ),
    h(
      'dl',
      { class: 'tiles' },
      tile('Generation', h('span', { class: 'figure' }, number(board.generation))),
      ...(board.synk_leder === null
        ? []
        : [tile(t('Synkronisering', 'Syncs'), leader(board.synk_leder))]),
      ...(board.job === null ? [] : [tile(t('Job', 'Jobs'), jobs(board.job))]),
      ...(board.webhooks === null ? [] : [tile('Webhooks', webhooks(board.webhooks))]),
      ...(board.traade.length < 2 ? [] : [tile(t('Tråde', 'Threads'), threads(board.traade))]),
      ...(board.hukommelse === null
        ? []
        : [tile(t('I hukommelsen', 'In memory'), memory(board.hukommelse, board.lag.length))]),
      tile(t('Direkte spørgsmål til', 'Asked directly'), hosts(board.vaerter)),
      tile(t('Opslag siden opstart', 'Lookups since start'), lookups(board.lag)),
    ),
  ];
}

function headlineOf({ lag: layers }: Board): readonly [kind: string, text: string] {
  const all = layers.length;
  const wrong = layers.filter(({ tilstand }) => tilstand !== 'frisk').length;
  const held = layers.filter((layer) => stateOf(layer) === 'holdt').length;
  if (wrong > 0) {
    const da = `${wrong} af ${all} lag kræver opmærksomhed`;
    return ['bad', t(da, `${wrong} of ${all} layers need attention`)];
  }
  if (held > 0) {
    const da = `${held} af ${all} lag holdes tilbage`;
    return ['warn', t(da, `${held} of ${all} layers are held back`)];
  }
  return ['good', t(`Alle ${all} lag er friske`, `All ${all} layers are fresh`)];
}

export function actionItems(actions: Board['handlinger']): HTMLElement[] {
  return actions.map(({ tidspunkt, lag, handling, vaern, af }) =>
    h(
      'li',
      {},
      h('time', { datetime: tidspunkt, class: 'muted' }, moment(tidspunkt)),
      ` ${af} ${actionWord(handling)} `,
      ...(handling === 'frigiv' ? [list(vaern.map(guardWord)), ` ${t('for', 'for')} `] : []),
      h('b', {}, layerWord(lag)),
    ),
  );
}

const HIDDEN = { class: 'visually-hidden' };

function tile(name: string, content: Node | readonly (Node | null)[]): HTMLElement {
  return h('div', {}, h('dt', {}, name), h('dd', {}, ...[content].flat()));
}

function memory(
  { lag, bytes: held, trukket_tilbage: suspended, kontrol }: NonNullable<Board['hukommelse']>,
  layers: number,
): (Node | null)[] {
  return [
    h('span', { class: 'figure' }, `${lag.length} ${t('af', 'of')} ${layers}`),
    h(
      'p',
      { class: 'muted' },
      lag.length === 0 ? t('lageret svarer', 'the store answers') : bytes(held),
    ),
    kontrol === null
      ? null
      : h(
          'p',
          { class: kontrol.afvigelser === 0 ? 'muted' : 'bad' },
          t(
            `${kontrol.sammenlignet} svar sammenlignet med lageret, ${kontrol.afvigelser} afviger`,
            `${kontrol.sammenlignet} answers compared with the store, ${kontrol.afvigelser} differ`,
          ),
        ),
    suspended.length === 0
      ? null
      : h(
          'p',
          { class: 'bad' },
          `${t('trukket tilbage', 'withdrawn')}: ${list(suspended.map(layerWord))}`,
        ),
  ];
}

const HUNG_S = 4;

/** Requests of each, and how long the slowest lets them wait. */
function threads(all: Board['traade']): (Node | null)[] {
  const slowest = Math.max(...all.map((each) => each.forsinkelse_ms));
  const hung = all
    .filter(({ stille_s: silentS }) => silentS > HUNG_S)
    .map(({ nummer }) => `${nummer}`);
  return [
    h('span', { class: 'figure' }, number(all.length)),
    hung.length === 0
      ? null
      : h('p', { class: 'bad' }, t(`${list(hung)} svarer ikke`, `${list(hung)} does not answer`)),
    h(
      'p',
      { class: 'muted' },
      t(
        `${list(all.map((each) => number(each.forespoergsler)))} forespørgsler, højst ${number(slowest)} ms ventetid (p99)`,
        `${list(all.map((each) => number(each.forespoergsler)))} requests, ${number(slowest)} ms of delay at most (p99)`,
      ),
    ),
  ];
}

function leader({ hvem, siden, leder }: NonNullable<Board['synk_leder']>): Node[] {
  const since = t(`ledes siden ${moment(siden)}`, `led since ${moment(siden)}`);
  const nobody = t('ingen proces leder', 'no process leads');
  return [
    h('span', { class: 'figure' }, hvem.split('/')[0] ?? hvem),
    h('p', { class: leder ? 'muted' : 'bad', title: hvem }, leder ? since : nobody),
  ];
}

/** Jobs that wait or run, what is left of them, and whether one of them stands still. */
function jobs({
  aabne,
  ventende_raekker: rows,
  stille_s: stillS,
  her,
}: NonNullable<Board['job']>): (Node | null)[] {
  const isStuck = stillS !== null && stillS > 60;
  return [
    h('span', { class: 'figure' }, number(aabne)),
    h(
      'p',
      { class: 'muted' },
      aabne === 0
        ? t('ingen venter', 'none waiting')
        : t(`${number(rows)} rækker venter`, `${number(rows)} rows waiting`),
    ),
    isStuck
      ? h(
          'p',
          { class: 'bad' },
          t(
            `et job har stået stille i ${number(stillS)} s`,
            `a job has been stuck for ${number(stillS)} s`,
          ),
        )
      : null,
    her === null
      ? h('p', { class: 'muted' }, t('arbejdes på i andre processer', 'handled by other processes'))
      : null,
  ];
}

/** Deliveries that wait, and whether one of them has been due for long. */
function webhooks({
  modtagere,
  modtagere_med_fejl: failing,
  venter,
  aeldste_s: oldestS,
  her,
}: NonNullable<Board['webhooks']>): (Node | null)[] {
  const isLate = oldestS !== null && oldestS > 60;
  return [
    h('span', { class: 'figure' }, number(venter)),
    h(
      'p',
      { class: 'muted' },
      t(`venter til ${number(modtagere)} modtagere`, `waiting for ${number(modtagere)} receivers`),
    ),
    failing > 0
      ? h(
          'p',
          { class: 'muted' },
          t(`${number(failing)} svarer ikke godt`, `${number(failing)} failing`),
        )
      : null,
    isLate
      ? h(
          'p',
          { class: 'bad' },
          t(
            `en levering har ventet ${number(oldestS)} s for længe`,
            `a delivery is ${number(oldestS)} s late`,
          ),
        )
      : null,
    her === null
      ? h('p', { class: 'muted' }, t('sendes af andre processer', 'sent by other processes'))
      : null,
  ];
}

/** A host that can be asked is a name; one that cannot says so in words. */
function hosts(all: Board['vaerter']): HTMLElement {
  return h(
    'ul',
    { class: 'hosts' },
    ...all.map(({ vaert, afbryder, i_gang: inFlight, i_koe: queued }) =>
      h(
        'li',
        {
          class: afbryder,
          title: t(`${inFlight} i gang, ${queued} i kø`, `${inFlight} in flight, ${queued} queued`),
        },
        h('span', { class: 'dot', 'aria-hidden': 'true' }),
        hostWord(vaert),
        h('span', afbryder === 'lukket' ? HIDDEN : {}, `: ${breakerWord(afbryder)}`),
      ),
    ),
  );
}

function lookups(layers: readonly Layer[]): HTMLElement {
  const total = (...from: readonly (keyof Layer['svar'])[]): number =>
    layers.reduce((sum, { svar }) => sum + from.reduce((part, name) => part + svar[name], 0), 0);
  const parts: readonly (readonly [number, string, string])[] = [
    [total('snapshot', 'lager'), t('fra kopien', 'from the copy'), 'good'],
    [total('register'), t('fra registret', 'from the register'), 'warn'],
    [total('gammel_kopi'), t('fra gammel kopi', 'from an old copy'), 'warn'],
    [total('utilgaengelig'), t('uden svar', 'without an answer'), 'bad'],
  ];
  return h(
    'ul',
    { class: 'lookups' },
    ...parts.map(([count, text, kind]) =>
      h('li', { class: count > 0 ? kind : 'none' }, h('b', {}, number(count)), ` ${text}`),
    ),
  );
}
