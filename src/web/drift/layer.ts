import { runChart } from './chart.ts';
import { details } from './details.ts';
import { moment, number, rows, span } from '../shared/format.ts';
import { html, jointedName, nothing, note, when } from '../shared/html.ts';
import type { TemplateResult } from '../shared/html.ts';
import { inLanguage, t } from '../shared/language.ts';
import type { LayerContext } from './shown.ts';
import type { Layer, Run, ShownState } from './types.ts';
import { STATES } from './terms.ts';
import { hostWord, meaningOf, phaseWord, refusalText } from './words.ts';

/** Told by shape as well as colour. */
const ICONS = {
  frisk: 'M3.5 8.5l3 3 6-7',
  forsinket: 'M8 3.8V8l3 2M8 1.8a6.2 6.2 0 1 0 0.01 0',
  fejlet: 'M4 4l8 8M12 4l-8 8',
  mangler: 'M3 8h10',
  holdt: 'M5.5 3.5v9M10.5 3.5v9',
};

/** A held fresh copy is not simply fresh. */
export function stateOf({ tilstand, holdt }: Layer): ShownState {
  return tilstand === 'frisk' && holdt !== null ? 'holdt' : tilstand;
}

export function layerItem(layer: Layer, context: LayerContext): TemplateResult {
  const { open } = context;
  const state = stateOf(layer);
  return html`<li class=${`layer ${state}${open === null ? '' : ' open'}`} id=${`lag-${layer.lag}`}>
    <div class="line">
      <div class="state">${badge(state)}${runningText(layer)}</div>
      <div class="name">
        <h3>${jointedName(layer.navn)}</h3>
        ${note(hostWord(layer.vaert))}
      </div>
      <div class="age">${age(layer)}</div>
      <div class="size">${size(layer)}</div>
      <div class="runs">${runChart(layer.koersler)}</div>
      <div class="do">${buttons(layer, context)}</div>
    </div>
    ${alerts(layer, context)}${open === null ? null : details(layer, open, context)}
  </li>`;
}

const icon = (path: string) =>
  html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d=${path}></path></svg>`;

export function badge(state: ShownState): TemplateResult {
  return html`<span class=${`badge ${state}`}
    >${icon(ICONS[state])}${inLanguage(STATES[state])}</span
  >`;
}

function age(layer: Layer): unknown {
  if (layer.alder_s === null) return note(t('aldrig hentet', 'never fetched'));
  const { alder_s: ageS, frist_s: limitS } = layer;
  const late = ageS > limitS;
  // The limit lies at four fifths, so that an overdue copy has somewhere to go.
  const width = Math.min(100, Math.max(1.5, (ageS / limitS) * 80));
  const kind = !layer.svarer ? 'dead' : late ? 'late' : ageS > limitS * 0.75 ? 'soon' : 'good';
  const title = t(
    `Frist ${span(limitS)}, yderste frist ${span(layer.yderste_frist_s)}`,
    `Limit ${span(limitS)}, last limit ${span(layer.yderste_frist_s)}`,
  );
  return html`<svg
      class=${`bar ${kind}`}
      viewBox="0 0 100 8"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <rect class="track" width="100" height="8"></rect>
      <rect class="fill" width=${width} height="8"></rect>
      <rect class="limit" x="79.6" width="0.8" height="8"></rect>
    </svg>
    <p title=${title}>
      ${late ? `${span(ageS)}, ${span(ageS - limitS)} over` : ofLimit(ageS, limitS)}
    </p>
    ${dataAge(layer)}`;
}

function ofLimit(ageS: number, limitS: number): string {
  return `${span(ageS)} ${t('af', 'of')} ${span(limitS)}`;
}

function dataAge({ data_alder_s: ageS, data_frist_s: limitS }: Layer): unknown {
  if (ageS === null) return null;
  const of = ofLimit(ageS, limitS);
  return note(t(`registrets data ${of}`, `register’s data ${of}`), ageS > limitS ? 'bad' : 'muted');
}

function runningText(layer: Layer): unknown {
  if (layer.koerer === null) return null;
  const { koersel, tavs } = layer.koerer;
  if (tavs)
    return html`<span class="running silent"
      >${t('kørsel uden livstegn', 'run gone silent')}</span
    >`;
  const seen = koersel.tal.modtaget ?? 0;
  const progress = progressOf(koersel, layer.seneste_gode);
  const far = progress === null ? (seen === 0 ? '' : `, ${number(seen)}`) : ` ${progress.text}`;
  return html`<span class="running">
    <span class="spinner" aria-hidden="true"></span
    >${`${t('kører', 'running')}: ${phaseWord(koersel.fase)}${far}`}
    ${when(
      progress,
      ({ percent, title }) =>
        html`<progress
          max="100"
          .value=${percent}
          aria-label=${t(`Hentet af ${layer.navn}`, `Fetched of ${layer.navn}`)}
          title=${title}
        ></progress>`,
    )}
  </span>`;
}

interface FetchProgress {
  readonly percent: number;
  readonly text: string;
  readonly title: string;
}

/** Of the announced rows, else about, of the last good run's; null: unknown. */
function progressOf({ fase, tal }: Run, lastGood: Run | null): FetchProgress | null {
  const { modtaget: got, annonceret: announced } = tal;
  if (fase !== 'fetch' || got === null) return null;
  const [all, about, of] =
    announced !== null && announced > 0
      ? [announced, '', t('som registret har meldt', 'as the register announced')]
      : [
          lastGood?.tal.modtaget ?? null,
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

function size({ antal, version }: Layer): unknown {
  if (antal === null) return note('–');
  return html`<p>${rows(antal)}</p>
    ${note(`version ${number(version ?? 0)}`)}`;
}

function buttons(layer: Layer, { can, open, act }: LayerContext): TemplateResult {
  const running = layer.koerer !== null && !layer.koerer.tavs;
  const noSync = !can.synke
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
  const sync = { label: t('Synk nu', 'Sync now'), why: noSync, press: () => act.sync(layer) };
  const revert = {
    label: t('Fortryd', 'Revert'),
    why: noRevert,
    press: () => act.revert(layer),
  };
  return html`${button(layer, sync)} ${button(layer, revert)}
    <button
      type="button"
      class="quiet more"
      data-key=${`${layer.lag}:mere`}
      aria-expanded=${open !== null}
      aria-label=${t(`Detaljer om ${layer.navn}`, `Details of ${layer.navn}`)}
      title=${t('Detaljer', 'Details')}
      @click=${() => act.toggle(layer)}
    >
      ${icon('M4 6l4 4 4-4')}
    </button>`;
}

interface Deed {
  readonly label: string;
  /** Why it cannot be done; null: it can. */
  readonly why: string | null;
  readonly press: () => Promise<void>;
  readonly kind?: string;
}

/** Stays in reach of the keyboard when it cannot be used, and says why. */
function button(layer: Layer, { label, why, press, kind = 'plain' }: Deed): TemplateResult {
  return html`<button
    type="button"
    class=${kind}
    data-key=${`${layer.lag}:${label}`}
    aria-label=${`${label}: ${layer.navn}`}
    aria-disabled=${why === null ? nothing : 'true'}
    title=${why ?? nothing}
    @click=${why === null ? press : nothing}
  >
    ${label}
  </button>`;
}

function alerts(layer: Layer, context: LayerContext): readonly unknown[] {
  return [
    refusal(layer, context),
    failure(layer),
    layer.noegle_mangler
      ? notice(
          'bad',
          t('Ingen nøgle', 'No key'),
          t(
            'Registret kræver en API-nøgle, og der er ikke sat nogen op.',
            'The register requires an API key, and none is set.',
          ),
        )
      : null,
    held(layer),
    layer.koerer?.tavs === true
      ? notice(
          'warn',
          t('Kørslen er tavs', 'The run is silent'),
          t(
            `Den har ikke givet livstegn siden ${moment(layer.koerer.livstegn)}; den næste tager over.`,
            `Nothing has been heard from it since ${moment(layer.koerer.livstegn)}; the next takes over.`,
          ),
        )
      : null,
    layer.alder_s !== null && !layer.svarer
      ? notice(
          'bad',
          t('Svarer ikke', 'Does not answer'),
          t(
            `Kopien er ældre end ${span(layer.yderste_frist_s)}, så den bruges ikke mere.`,
            `The copy is older than ${span(layer.yderste_frist_s)}, so it is no longer used.`,
          ),
        )
      : null,
  ];
}

function held({ holdt }: Layer): unknown {
  if (holdt === null) return null;
  return notice(
    'warn',
    t('Holdt tilbage', 'Held back'),
    t(
      `Ført tilbage til en tidligere version ${moment(holdt.siden)} af ${holdt.af}. ` +
        'Den svarer alene: registret spørges ikke, og laget synkroniseres ikke, før nogen ' +
        'trykker Synk nu.',
      `Reverted to an earlier version ${moment(holdt.siden)} by ${holdt.af}. ` +
        'It alone answers: the register is not asked, and the layer is not synced, until ' +
        'somebody presses Sync now.',
    ),
  );
}

function refusal(layer: Layer, { can, act }: LayerContext): unknown {
  if (layer.afvisning === null || !layer.afvisning.staar) return null;
  const { startet, afvist_af: guards } = layer.afvisning.koersel;
  const isFixed = guards.some((guard) => !guard.kan_frigives);
  const kept =
    layer.antal === null
      ? t('Laget har ingen kopi.', 'The layer has no copy.')
      : t('Den nuværende kopi svarer stadig.', 'The current copy still answers.');
  const busy = layer.koerer !== null && !layer.koerer.tavs;
  const why = busy ? t('Laget kører.', 'The layer is running.') : null;
  const lost = t(
    'Kan ikke frigives: rækker er gået tabt eller doblet undervejs.',
    'Cannot be released: rows were lost or duplicated on the way.',
  );
  const label = t('Frigiv', 'Release');
  const release = { label, why, press: () => act.release(layer), kind: 'primary' };
  return html`<div class="notice bad refusal">
    <div>
      <p><strong>${t('Afvist', 'Refused')} ${moment(startet)}.</strong> ${kept}</p>
      <ul>
        ${guards.map((guard) => html`<li>${refusalText(guard)}</li>`)}
      </ul>
      ${can.synke && isFixed ? note(lost) : null}
    </div>
    ${isFixed ? null : button(layer, release)}
  </div>`;
}

function failure({ fejl: run }: Layer): unknown {
  if (run === null) return null;
  const { startet, fase, fejl } = run;
  const title = `${t('Fejlede', 'Failed')} ${moment(startet)} (${phaseWord(fase)})`;
  if (fejl === null) return notice('bad', title, t('Uden forklaring.', 'Without an explanation.'));
  const itsWords = html`<details>
    <summary>${t('Til den, der skal rette det', 'For the person who fixes it')}</summary>
    <code lang="en">${fejl}</code>
  </details>`;
  return notice('bad', title, meaningOf(fejl), itsWords);
}

function notice(kind: string, title: string, text: string, more: unknown = null): TemplateResult {
  return html`<div class=${`notice ${kind}`}>
    <p><strong>${title}.</strong> ${text}</p>
    ${more}
  </div>`;
}
