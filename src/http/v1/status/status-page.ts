import { escapeHtml } from '../../pages/escape.ts';
import { HTTP_LIMITS } from '../../limits.ts';
import type { Language } from '../../wire/text.ts';
import { HEALTH } from './render.ts';
import type { History, Incident, IncidentKind } from './history.ts';

export interface PublicStatus {
  readonly tidspunkt: string;
  /** null: never. */
  readonly maalt: string | null;
  readonly database: 'svarer' | 'svarer_ikke';
  readonly lag_kendt: string | null;
  readonly lag: History['lag'];
  readonly doegn: readonly ShownDay[];
  /** Newest first. */
  readonly haendelser: readonly Incident[];
}

/** null: nothing was measured or answered. */
export interface ShownDay {
  readonly dato: string;
  readonly maalt_minutter: number | null;
  readonly svar: number | null;
  readonly afvist: number | null;
  readonly fejl: number | null;
  readonly halvdelen_under_ms: number | null;
  readonly hver_tyvende_over_ms: number | null;
}

type Words = (da: string, en: string) => string;

/** Unmeasured time is named as such. */
export function statusPage(
  status: PublicStatus,
  { language, names }: { readonly language: Language; readonly names: ReadonlyMap<string, string> },
): string {
  const t: Words = (da, en) => (language === 'da' ? da : en);
  const time = (iso: string): string =>
    new Intl.DateTimeFormat(language === 'da' ? 'da-DK' : 'en-GB', {
      dateStyle: 'medium',
      timeStyle: 'short',
      timeZone: 'Europe/Copenhagen',
    }).format(new Date(iso));
  const name = (lag: string): string =>
    `<span title="${escapeHtml(lag)}">${escapeHtml(names.get(lag) ?? lag)}</span>`;
  const parts = [
    summaryOf(status, t, time),
    daysOf(status, t),
    incidentsOf(status, t, { time, name }),
    layersOf(status, t, { time, name }),
  ];
  return parts.join('\n');
}

function summaryOf(status: PublicStatus, t: Words, time: (iso: string) => string): string {
  const { maalt } = status;
  const [tone, words] = standingOf(status, t);
  const measured =
    maalt === null
      ? t('Intet er målt endnu.', 'Nothing is measured yet.')
      : `${t('Målt', 'Measured')} ${time(maalt)}.`;
  return `<section class="card"><p class="notice ${tone}"><strong>${words}</strong></p>
<p class="muted">${measured} ${t(
    'Tallene er tjenestens egne, af den maskine, der svarer. Også som',
    'The figures are the service’s own, of the machine that answers. Also as',
  )} <a href="status.json">JSON</a>, <a href="status.atom">Atom</a>.</p></section>`;
}

function standingOf(
  { haendelser, maalt, database, tidspunkt, lag }: PublicStatus,
  t: Words,
): readonly [tone: 'good' | 'warn', words: string] {
  if (maalt === null || Date.parse(tidspunkt) - Date.parse(maalt) > HTTP_LIMITS.status.gapS * 1000)
    return [
      'warn',
      t('Tjenesten svarer, men målingen er standset', 'The service answers, but is not measured'),
    ];
  const open = haendelser.filter(({ sluttet }) => sluttet === null).length;
  if (open > 1) return ['warn', t(`${open} hændelser er i gang`, `${open} incidents go on`)];
  if (open > 0) return ['warn', t('En hændelse er i gang', 'An incident goes on')];
  if (database !== 'svarer')
    return ['warn', t('Databasen svarer ikke', 'The database does not answer')];
  const missing = lag.filter(({ tilstand }) => tilstand === HEALTH.missing).length;
  if (missing > 0 || lag.length === 0)
    return [
      'warn',
      t(`${missing} lag er ikke hentet endnu`, `${missing} layers are not fetched yet`),
    ];
  return ['good', t('Alt svarer', 'Everything answers')];
}

function daysOf({ doegn }: PublicStatus, t: Words): string {
  const bars = doegn.map((day, at) => {
    const errors = day.svar === null || day.svar === 0 ? null : (day.fejl ?? 0) / day.svar;
    const [height, fill] =
      day.maalt_minutter === null
        ? [6, 'var(--rule)']
        : errors === null || errors <= HTTP_LIMITS.status.errorShare
          ? [36, 'var(--good)']
          : [36, 'var(--bad)'];
    const words =
      day.maalt_minutter === null
        ? t('ikke målt', 'not measured')
        : `${day.svar ?? 0} ${t('svar', 'answers')}, ${day.fejl ?? 0} ${t('fejl', 'errors')}`;
    return `<rect x="${at * 8}" y="${40 - height}" width="6" height="${height}" fill="${fill}"><title>${day.dato}: ${words}</title></rect>`;
  });
  const latest = doegn.slice(-7).toReversed();
  const cell = (value: number | null, unit = ''): string =>
    `<td>${value === null ? '–' : `${t(String(value).replace('.', ','), String(value))}${unit}`}</td>`;
  const rows = latest.map(
    (day) =>
      `<tr><th scope="row">${day.dato}</th>${cell(day.maalt_minutter)}${cell(day.svar)}${cell(
        day.afvist,
      )}${cell(day.fejl)}${cell(day.halvdelen_under_ms, ' ms')}${cell(day.hver_tyvende_over_ms, ' ms')}</tr>`,
  );
  const heads = [
    t('Døgn', 'Day'),
    t('Målt, minutter', 'Measured, minutes'),
    t('Svar', 'Answers'),
    t('Afvist (for mange)', 'Refused (too many)'),
    t('Fejl', 'Errors'),
    t('Halvdelen under', 'Half under'),
    t('95 % under', '95 % under'),
  ];
  return `<section class="card"><h2>${t('Halvfems døgn', 'Ninety days')}</h2>
<svg viewBox="0 0 ${doegn.length * 8} 40" width="100%" height="40" preserveAspectRatio="none" role="img" aria-label="${t(
    'En søjle for hvert døgn: grøn uden mange fejl, rød med, lav hvor intet er målt',
    'A bar for each day: green without many errors, red with, low where nothing was measured',
  )}">${bars.join('')}</svg>
${tableOf(heads, rows)}</section>`;
}

interface Shown {
  readonly time: (iso: string) => string;
  readonly name: (layer: string) => string;
}

function incidentsOf({ haendelser }: PublicStatus, t: Words, { time, name }: Shown): string {
  const names: Record<IncidentKind, string> = {
    fejl: t('Mange svar var fejl', 'Many answers were errors'),
    database: t(
      'Databasen svarede ikke: opslag kom fra hukommelsen',
      'The database did not answer: lookups came from memory',
    ),
    lag: t('Et lag var forsinket eller fejlede', 'A layer was late or failed'),
    standset: t('Ikke målt: tjenesten var standset', 'Not measured: the service was stopped'),
  };
  const rows = haendelser
    .slice(0, HTTP_LIMITS.status.shown)
    .map(
      ({ art, lag, begyndt, sluttet }) =>
        `<tr><th scope="row">${names[art]}${lag === null ? '' : ` (${name(lag)})`}</th><td>${time(
          begyndt,
        )}</td><td>${sluttet === null ? t('i gang', 'going on') : time(sluttet)}</td></tr>`,
    );
  const heads = [t('Hændelse', 'Incident'), t('Begyndt', 'Began'), t('Sluttet', 'Ended')];
  const none = `<p class="muted">${t('Ingen er målt.', 'None were measured.')}</p>`;
  return `<section class="card"><h2>${t('Hændelser', 'Incidents')}</h2>${
    rows.length === 0 ? none : tableOf(heads, rows)
  }</section>`;
}

function tableOf(heads: readonly string[], rows: readonly string[]): string {
  const head = heads.map((each) => `<th scope="col">${each}</th>`).join('');
  return `<div class="scroll" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${rows.join(
    '',
  )}</tbody></table></div>`;
}

const IN_ENGLISH = new Map<string, string>(Object.entries(HEALTH).map(([en, da]) => [da, en]));

function layersOf({ lag, lag_kendt }: PublicStatus, t: Words, { time, name }: Shown): string {
  const rows = lag.map(
    (layer) =>
      `<tr><th scope="row">${name(layer.lag)}</th><td><span class="badge ${layer.tilstand}">${t(
        layer.tilstand,
        IN_ENGLISH.get(layer.tilstand) ?? layer.tilstand,
      )}</span></td><td>${layer.synket === null ? '–' : time(layer.synket)}</td></tr>`,
  );
  const known = lag_kendt === null ? t('ikke kendt', 'not known') : time(lag_kendt);
  return `<section class="card"><h2>${t('Lag', 'Layers')}</h2>
<p class="muted">${t('Som de var', 'As they were')} ${known}.</p>
${tableOf([t('Lag', 'Layer'), t('Tilstand', 'State'), t('Hentet', 'Fetched')], rows)}</section>`;
}
