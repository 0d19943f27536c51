/** What touches first, then what is not known, then the rest. */
import { dayText, decimal, metres, number, span } from '../shared/format.ts';
import type { Condition, Conditions, Field } from '../shared/answers.ts';
import { t } from '../shared/language.ts';
import { html, note, nothing } from '../shared/template.ts';
import type { Content, TemplateResult } from '../shared/template.ts';

export function listOf(all: Conditions): TemplateResult {
  const each = Object.values(all);
  const touching = each.filter(({ beroert }) => beroert === true);
  const ofStatus = (wanted: Condition['status']) => each.filter(({ status }) => status === wanted);
  const silent = ofStatus('utilgaengelig');
  const clear = ofStatus('ok').filter(({ beroert }) => beroert === false);
  return html`<h3>${t(`Berører (${touching.length})`, `Applies (${touching.length})`)}</h3>
    ${
      touching.length === 0
        ? note(t('Intet af det, der kunne svares på.', 'Nothing of what could be answered.'), '')
        : itemList(touching)
    }
    ${
      silent.length === 0
        ? nothing
        : html`<h3>
              ${t('Kunne ikke svares: det er ikke et nej', 'Could not be answered: this is no "no"')}
            </h3>
            ${itemList(silent, 'unknown')}`
    }
    ${folded(t('Ikke kortlagt', 'Not mapped'), ofStatus('ikke_kortlagt'))}
    ${folded(t('Berører ikke', 'Does not apply'), clear)}`;
}

function folded(title: string, some: readonly Condition[]): Content {
  if (some.length === 0) return nothing;
  return html`<details class="noes">
    <summary>${title} (${some.length})</summary>
    ${itemList(some)}
  </details>`;
}

function itemList(some: readonly Condition[], kind = ''): TemplateResult {
  return html`<ul class=${kind}>
    ${some.map((one) => html`<li>${itemOf(one)}</li>`)}
  </ul>`;
}

function itemOf(one: Condition): TemplateResult {
  const { navn: name, fravaer: absence, objekter: objects, flere: more, kilde: source } = one;
  const seen = one.alder_s === null ? '' : span(one.alder_s);
  return html`<div class="what"><span lang="da">${name}</span><span>${amountOf(one)}</span></div>
    ${absence === null ? nothing : objectLine(absence)}
    ${objects.map((object) => objectLine(objectParts(object)))}
    ${more === 0 ? nothing : note(t(`og ${more} til`, `and ${more} more`), 'object')}
    <p class="why">
      <span lang="da">${one.hjemmel} · ${source.kreditering}</span> ·
      <a href=${source.wfs} rel="noreferrer" title=${source.lag}>${t('kilde', 'source')}</a>
      ${seen === '' ? nothing : `· ${t(`set for ${seen} siden`, `seen ${seen} ago`)}`}
    </p>`;
}

function objectLine(content: unknown): TemplateResult {
  return html`<p class="object" lang="da">${content}</p>`;
}

/** How much of the parcel; of what does not touch it, how far away. */
export function amountOf({
  beroert: touches,
  areal_m2: area,
  andel: share,
  laengde_m: long,
  afstand_m: far,
}: Condition): string {
  if (touches === true && area !== null && share !== null) {
    return `${decimal(area)} m² (${number(Math.round(share * 1000) / 10)} %)`;
  }
  if (touches === true && long !== null) return metres(long);
  if (touches !== true && far !== null) return t(`${metres(far)} væk`, `${metres(far)} away`);
  return '';
}

const MEASURES: readonly string[] = ['objekt_id', 'areal_m2', 'laengde_m', 'objektets_areal_m2'];

function objectParts(object: Readonly<Record<string, Field>>): readonly Content[] {
  const fields = Object.entries(object).filter(
    ([name, value]) => value !== null && !MEASURES.includes(name),
  );
  return fields.map(([name, value], n) => {
    const text = textOf(value);
    const label = name
      .replaceAll('aa', 'å')
      .replaceAll('ae', 'æ')
      .replaceAll('oe', 'ø')
      .replaceAll('_', ' ');
    const isLink = /^https?:\/\//.test(text);
    const shown = isLink
      ? html`<a href=${text} rel="noreferrer">${label}</a>`
      : `${label}: ${text}`;
    return html`${n === 0 ? '' : ' · '}${shown}`;
  });
}

/** Its day says enough. */
const DAY = /^\d{4}-\d\d-\d\d(T\d\d:\d\d.*Z)?$/;

function textOf(value: Field): string {
  if (value === true) return t('ja', 'yes');
  if (value === false) return t('nej', 'no');
  if (value !== null && typeof value === 'object') return value.tekst ?? value.kode;
  if (typeof value === 'number') return decimal(value);
  return (value ?? '').replace(DAY, dayText);
}
