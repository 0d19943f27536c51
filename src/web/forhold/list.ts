/** What applies, as a list: what touches first, then what is not known, then the rest. */
import { h } from '../shared/dom.ts';
import type { Child } from '../shared/dom.ts';
import { decimal, metres, number, span } from '../shared/format.ts';
import { t } from '../shared/language.ts';

type Field =
  | string
  | number
  | boolean
  | null
  | { readonly kode: string; readonly tekst: string | null };

/** Of `GET /v1/forhold/jordstykke/…`. */
export interface Condition {
  readonly navn: string;
  readonly hjemmel: string;
  readonly geometri: 'flade' | 'linje';
  readonly status: 'ok' | 'ikke_kortlagt' | 'utilgaengelig';
  readonly beroert: boolean | null;
  readonly areal_m2: number | null;
  readonly andel: number | null;
  readonly laengde_m: number | null;
  readonly afstand_m: number | null;
  readonly objekter: readonly Readonly<Record<string, Field>>[];
  readonly flere: number;
  readonly fravaer: string | null;
  readonly kilde: { readonly lag: string; readonly wfs: string; readonly kreditering: string };
  readonly alder_s: number | null;
}

export type Conditions = Readonly<Record<string, Condition>>;

export function listOf(all: Conditions): readonly Node[] {
  const each = Object.values(all);
  const touching = each.filter(({ beroert }) => beroert === true);
  const silent = each.filter(({ status }) => status === 'utilgaengelig');
  const unmapped = each.filter(({ status }) => status === 'ikke_kortlagt');
  const clear = each.filter(({ status, beroert }) => status === 'ok' && beroert === false);
  return [
    h('h3', {}, t(`Berører (${touching.length})`, `Applies (${touching.length})`)),
    touching.length === 0
      ? h('p', {}, t('Intet af det, der kunne svares på.', 'Nothing of what could be answered.'))
      : h('ul', {}, ...touching.map((one) => h('li', {}, ...itemOf(one)))),
    ...(silent.length === 0
      ? []
      : [
          h(
            'h3',
            {},
            t('Kunne ikke svares: det er ikke et nej', 'Could not be answered: this is no "no"'),
          ),
          h('ul', { class: 'unknown' }, ...silent.map((one) => h('li', {}, ...itemOf(one)))),
        ]),
    ...folded(t('Ikke kortlagt', 'Not mapped'), unmapped),
    ...folded(t('Berører ikke', 'Does not apply'), clear),
  ];
}

function folded(title: string, some: readonly Condition[]): readonly Node[] {
  if (some.length === 0) return [];
  const items = some.map((one) => h('li', {}, ...itemOf(one)));
  return [
    h(
      'details',
      { class: 'noes' },
      h('summary', {}, `${title} (${some.length})`),
      h('ul', {}, ...items),
    ),
  ];
}

function itemOf(one: Condition): readonly Child[] {
  const more = one.flere === 0 ? '' : t(`og ${one.flere} til`, `and ${one.flere} more`);
  return [
    h('div', { class: 'what' }, h('span', { lang: 'da' }, one.navn), h('span', {}, amountOf(one))),
    one.fravaer !== null && h('p', { class: 'object', lang: 'da' }, one.fravaer),
    ...one.objekter.map((object) =>
      h('p', { class: 'object', lang: 'da' }, ...objectParts(object)),
    ),
    more !== '' && h('p', { class: 'object' }, more),
    h(
      'p',
      { class: 'why' },
      `${one.hjemmel} · ${one.kilde.kreditering} · `,
      h(
        'a',
        { href: one.kilde.wfs, rel: 'noreferrer', title: one.kilde.lag },
        t('kilde', 'source'),
      ),
      one.alder_s !== null &&
        ` · ${t('set for', 'seen')} ${span(one.alder_s)} ${t('siden', 'ago')}`,
    ),
  ];
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

function objectParts(object: Readonly<Record<string, Field>>): readonly Child[] {
  const fields = Object.entries(object).filter(
    ([name, value]) => value !== null && !MEASURES.includes(name),
  );
  return fields.flatMap(([name, value], n) => {
    const text = textOf(value);
    const label = name
      .replaceAll('aa', 'å')
      .replaceAll('ae', 'æ')
      .replaceAll('oe', 'ø')
      .replaceAll('_', ' ');
    const shown = /^https?:\/\//.test(text)
      ? h('a', { href: text, rel: 'noreferrer' }, label)
      : `${label}: ${text}`;
    return n === 0 ? [shown] : [' · ', shown];
  });
}

function textOf(value: Field): string {
  if (value === true) return t('ja', 'yes');
  if (value === false) return t('nej', 'no');
  if (value !== null && typeof value === 'object') return value.tekst ?? value.kode;
  if (typeof value === 'number') return decimal(value);
  // Of an instant its day.
  return (value ?? '').replace(/^(\d{4}-\d\d-\d\d)T.*$/, '$1');
}
