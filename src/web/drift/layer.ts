/** One layer of the board: how it stands, what is wrong with it, what can be done. */
import { runChart } from './chart.ts';
import { details } from './details.ts';
import { h, jointed, s } from '../shared/dom.ts';
import { moment, number, rows, span } from '../shared/format.ts';
import { t } from '../shared/language.ts';
import type { Child } from '../shared/dom.ts';
import type { LayerContext } from './shown.ts';
import type { Layer, Run, ShownState } from './types.ts';
import { answerWord, hostWord, meaningOf, phaseWord, refusalText, stateWord } from './words.ts';

/** Told by shape as well as colour. */
const ICONS = {
  frisk: 'M3.5 8.5l3 3 6-7',
  forsinket: 'M8 3.8V8l3 2M8 1.8a6.2 6.2 0 1 0 0.01 0',
  fejlet: 'M4 4l8 8M12 4l-8 8',
  mangler: 'M3 8h10',
  holdt: 'M5.5 3.5v9M10.5 3.5v9',
};

/** An answer that was not the fresh copy's is shown this long. */
const FALLBACK_SHOWN_MS = 10 * 60_000;

/** The shown state: a held fresh copy is not simply fresh. */
export function stateOf({ tilstand, holdt }: Layer): ShownState {
  return tilstand === 'frisk' && holdt !== null ? 'holdt' : tilstand;
}

/** A layer's line, what is wrong with it, and its details where they are open. */
export function layerItem(layer: Layer, context: LayerContext): HTMLElement {
  const open = context.open;
  const state = stateOf(layer);
  return h(
    'li',
    { class: `layer ${state}${open ? ' open' : ''}`, id: `lag-${layer.lag}` },
    h(
      'div',
      { class: 'line' },
      h('div', { class: 'state' }, badge(state), runningText(layer)),
      h(
        'div',
        { class: 'name' },
        h('h3', {}, ...jointed(layer.navn)),
        h('p', { class: 'muted' }, hostWord(layer.vaert)),
      ),
      h('div', { class: 'age' }, ...ageParts(layer)),
      size(layer),
      h('div', { class: 'runs' }, runChart(layer.koersler)),
      buttons(layer, context),
    ),
    ...alerts(layer, context),
    open ? details(layer, context) : null,
  );
}

export function badge(state: ShownState): HTMLElement {
  return h(
    'span',
    { class: `badge ${state}` },
    s('svg', { viewBox: '0 0 16 16', 'aria-hidden': 'true' }, s('path', { d: ICONS[state] })),
    stateWord(state),
  );
}

/** Bar and words. Apart, because it changes at every look while the rest stays. */
export function ageParts(layer: Layer): Element[] {
  if (layer.alder_s === null)
    return [h('p', { class: 'muted' }, t('aldrig hentet', 'never fetched'))];
  const { alder_s: age, frist_s: limitS } = layer;
  const late = age > limitS;
  // The limit lies at four fifths, so that an overdue copy has somewhere to go.
  const share = Math.min(1, (age / limitS) * 0.8);
  const text = late
    ? `${span(age)}, ${span(age - limitS)} over`
    : `${span(age)} ${t('af', 'of')} ${span(limitS)}`;
  const width = Math.max(1.5, share * 100);
  const kind = !layer.svarer ? 'dead' : late ? 'late' : age > limitS * 0.75 ? 'soon' : 'good';
  return [
    s(
      'svg',
      {
        class: `bar ${kind}`,
        viewBox: '0 0 100 8',
        preserveAspectRatio: 'none',
        'aria-hidden': 'true',
      },
      s('rect', { class: 'track', width: 100, height: 8 }),
      s('rect', { class: 'fill', width, height: 8 }),
      s('rect', { class: 'limit', x: 79.6, width: 0.8, height: 8 }),
    ),
    h(
      'p',
      {
        title: t(
          `Frist ${span(limitS)}, yderste frist ${span(layer.yderste_frist_s)}`,
          `Limit ${span(limitS)}, last limit ${span(layer.yderste_frist_s)}`,
        ),
      },
      text,
    ),
    ...dataAge(layer),
  ];
}

function dataAge({ data_alder_s: age, data_frist_s: limitS }: Layer): Element[] {
  if (age === null) return [];
  const of = `${span(age)} ${t('af', 'of')} ${span(limitS)}`;
  const kind = age > limitS ? 'bad' : 'muted';
  return [h('p', { class: kind }, t(`registrets data ${of}`, `register’s data ${of}`))];
}

function runningText(layer: Layer): HTMLElement | null {
  if (layer.koerer === null) return null;
  const { koersel, tavs } = layer.koerer;
  if (tavs)
    return h('span', { class: 'running silent' }, t('kørsel uden livstegn', 'run gone silent'));
  const phase = phaseWord(koersel.fase);
  const seen = koersel.tal.modtaget;
  const rowsSeen = seen === null || seen === 0 ? '' : `, ${number(seen)}`;
  const progress = progressOf(koersel, layer.seneste_gode);
  return h(
    'span',
    { class: 'running' },
    h('span', { class: 'spinner', 'aria-hidden': 'true' }),
    `${t('kører', 'running')}: ${phase}${progress === null ? rowsSeen : ` ${progress.text}`}`,
    progress === null
      ? null
      : h('progress', {
          max: 100,
          value: progress.percent,
          'aria-label': t(`Hentet af ${layer.navn}`, `Fetched of ${layer.navn}`),
          title: progress.title,
        }),
  );
}

interface FetchProgress {
  readonly percent: number;
  readonly text: string;
  readonly title: string;
}

/** Per cent of the announced rows received, else about, of the last good run's; null: unknown. */
function progressOf({ fase, tal }: Run, lastGood: Run | null): FetchProgress | null {
  const got = tal.modtaget;
  if (fase !== 'fetch' || got === null) return null;
  const announced = tal.annonceret;
  const before = lastGood?.tal.modtaget ?? null;
  const [all, about, of] =
    announced !== null && announced > 0
      ? [announced, '', t('som registret har meldt', 'as the register announced')]
      : [
          before,
          t('ca.\u00a0', 'about\u00a0'),
          t('som sidste gode kørsel fik', 'as the last good run had'),
        ];
  // More than the measure: it is no measure of this run.
  if (all === null || all === 0 || got > all) return null;
  const percent = Math.floor((got / all) * 100);
  return {
    percent,
    text: `${about}${percent}${t('\u00a0%', '%')}`,
    title: t(
      `${number(got)} af ${number(all)} rækker, ${of}`,
      `${number(got)} of ${number(all)} rows, ${of}`,
    ),
  };
}

function size(layer: Layer): HTMLElement {
  if (layer.antal === null) return h('div', { class: 'size' }, h('p', { class: 'muted' }, '–'));
  return h(
    'div',
    { class: 'size' },
    h('p', {}, rows(layer.antal)),
    h('p', { class: 'muted' }, `version ${number(layer.version ?? 0)}`),
  );
}

function buttons(layer: Layer, { can, open, act }: LayerContext): HTMLElement {
  const running = layer.koerer !== null && !layer.koerer.tavs;
  const why = !can.synke
    ? t('Denne proces synkroniserer ikke.', 'This process does not sync.')
    : layer.noegle_mangler
      ? t('Registret kræver en API-nøgle.', 'The register requires an API key.')
      : running
        ? t('Laget kører allerede.', 'The layer is already running.')
        : null;
  const noRevert = !can.fortryde
    ? t('Lag kan ikke fortrydes her.', 'Layers cannot be reverted here.')
    : !layer.kan_fortrydes
      ? t('Der er ingen tidligere version.', 'There is no earlier version.')
      : running
        ? t('Laget kører.', 'The layer is running.')
        : null;
  return h(
    'div',
    { class: 'do' },
    button(layer, 'synk', { label: t('Synk nu', 'Sync now'), why, press: () => act.sync(layer) }),
    button(layer, 'fortryd', {
      label: t('Fortryd', 'Revert'),
      why: noRevert,
      press: () => act.revert(layer),
    }),
    h(
      'button',
      {
        type: 'button',
        class: 'quiet more',
        'data-key': `${layer.lag}:mere`,
        'aria-expanded': String(open),
        'aria-label': t(`Detaljer om ${layer.navn}`, `Details of ${layer.navn}`),
        title: t('Detaljer', 'Details'),
        onclick: () => act.toggle(layer),
      },
      s('svg', { viewBox: '0 0 16 16', 'aria-hidden': 'true' }, s('path', { d: 'M4 6l4 4 4-4' })),
    ),
  );
}

interface Button {
  readonly label: string;
  /** Why it cannot be used; null: it can. */
  readonly why: string | null;
  readonly press: () => Promise<void>;
  readonly kind?: string;
}

/** Stays in reach of the keyboard when it cannot be used, and says why. */
function button(
  layer: Layer,
  what: string,
  { label, why, press, kind = 'plain' }: Button,
): HTMLElement {
  return h(
    'button',
    {
      type: 'button',
      class: kind,
      'data-key': `${layer.lag}:${what}`,
      'aria-label': `${label}: ${layer.navn}`,
      'aria-disabled': why === null ? null : 'true',
      title: why,
      onclick: () => {
        if (why === null) void press();
      },
    },
    label,
  );
}

function alerts(layer: Layer, context: LayerContext): Child[] {
  return [
    refusal(layer, context),
    failure(layer),
    layer.noegle_mangler &&
      notice(
        'bad',
        t('Ingen nøgle', 'No key'),
        t(
          'Registret kræver en API-nøgle, og der er ikke sat nogen op.',
          'The register requires an API key, and none is set.',
        ),
      ),
    layer.holdt !== null &&
      notice(
        'warn',
        t('Holdt tilbage', 'Held back'),
        t(
          `Ført tilbage til en tidligere version ${moment(layer.holdt.siden)} af ${layer.holdt.af}. ` +
            'Den svarer alene: registret spørges ikke, og laget synkroniseres ikke, før nogen ' +
            'trykker Synk nu.',
          `Reverted to an earlier version ${moment(layer.holdt.siden)} by ${layer.holdt.af}. ` +
            'It alone answers: the register is not asked, and the layer is not synced, until ' +
            'somebody presses Sync now.',
        ),
      ),
    layer.koerer?.tavs === true &&
      notice(
        'warn',
        t('Kørslen er tavs', 'The run is silent'),
        t(
          `Den har ikke givet livstegn siden ${moment(layer.koerer.livstegn)}; den næste tager over.`,
          `Nothing has been heard from it since ${moment(layer.koerer.livstegn)}; the next takes over.`,
        ),
      ),
    layer.alder_s !== null &&
      !layer.svarer &&
      notice(
        'bad',
        t('Svarer ikke', 'Does not answer'),
        t(
          `Kopien er ældre end ${span(layer.yderste_frist_s)}, så den bruges ikke mere.`,
          `The copy is older than ${span(layer.yderste_frist_s)}, so it is no longer used.`,
        ),
      ),
    fallback(layer, context.now),
  ];
}

function refusal(layer: Layer, { can, act }: LayerContext): HTMLElement | null {
  if (layer.afvisning === null || !layer.afvisning.staar) return null;
  const { koersel } = layer.afvisning;
  const fixed = koersel.afvist_af.filter((guard) => !guard.kan_frigives);
  const kept =
    layer.antal === null
      ? t('Laget har ingen kopi.', 'The layer has no copy.')
      : t('Den nuværende kopi svarer stadig.', 'The current copy still answers.');
  return h(
    'div',
    { class: 'notice bad refusal' },
    h(
      'div',
      {},
      h('p', {}, h('strong', {}, `${t('Afvist', 'Refused')} ${moment(koersel.startet)}. `), kept),
      h('ul', {}, ...koersel.afvist_af.map((guard) => h('li', {}, refusalText(guard)))),
      can.synke && fixed.length > 0
        ? h(
            'p',
            { class: 'muted' },
            t(
              'Kan ikke frigives: rækker er gået tabt eller doblet undervejs.',
              'Cannot be released: rows were lost or duplicated on the way.',
            ),
          )
        : null,
    ),
    fixed.length > 0
      ? null
      : button(layer, 'frigiv', {
          label: t('Frigiv', 'Release'),
          kind: 'primary',
          why:
            layer.koerer === null || layer.koerer.tavs
              ? null
              : t('Laget kører.', 'The layer is running.'),
          press: () => act.release(layer),
        }),
  );
}

function failure(layer: Layer): HTMLElement | null {
  if (layer.fejl === null) return null;
  const { startet, fase, fejl } = layer.fejl;
  return notice(
    'bad',
    `${t('Fejlede', 'Failed')} ${moment(startet)} (${phaseWord(fase)})`,
    fejl === null ? t('Uden forklaring.', 'Without an explanation.') : meaningOf(fejl),
    fejl === null ? null : itsWords(fejl),
  );
}

function fallback(layer: Layer, now: number): HTMLElement | null {
  const last = layer.seneste_noedsvar;
  if (last === null || now - Date.parse(last.tidspunkt) > FALLBACK_SHOWN_MS) return null;
  const ago = span(Math.max(0, (now - Date.parse(last.tidspunkt)) / 1000));
  const kind = last.fra === 'utilgaengelig' ? 'bad' : 'warn';
  return notice(
    kind,
    t('Nødsvar', 'Fallback'),
    t(
      `Svarede ${answerWord(last.fra)} for ${ago} siden.`,
      `A lookup was answered ${answerWord(last.fra)} ${ago} ago.`,
    ),
  );
}

/** For the person who fixes it. */
function itsWords(failure: string): HTMLElement {
  return h(
    'details',
    {},
    h('summary', {}, t('Til den, der skal rette det', 'For whoever fixes it')),
    h('code', { lang: 'en' }, failure),
  );
}

function notice(kind: string, title: string, text: string, more: Child = null): HTMLElement {
  return h(
    'div',
    { class: `notice ${kind}` },
    h('p', {}, h('strong', {}, `${title}. `), text),
    more,
  );
}
