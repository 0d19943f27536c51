import { lineRows } from '../shared/answers.ts';
import type {
  Areas,
  BuildingLines,
  Height,
  NearestAddress,
  Property,
  Reply,
  Status,
} from '../shared/answers.ts';
import { degreesOf } from '../shared/coordinates.ts';
import type { Place } from '../shared/coordinates.ts';
import { day, metres, span } from '../shared/format.ts';
import { inLanguage, t } from '../shared/language.ts';
import { VERDICT_WORDS, answerSentence, distanceWords } from '../shared/line-words.ts';
import { partsOf } from '../shared/place-address.ts';
import type { Subject } from '../shared/subject.ts';

export interface Shown {
  readonly isExample: boolean;
  /** null: the subject has no point. */
  readonly place: Place | null;
  /** null: the place was named in another way. */
  readonly subject: Subject | null;
  /** null: none, not asked for or not answered. */
  readonly nearest: NearestAddress['adresse'] | null;
  readonly lines: Reply<BuildingLines> | null;
  readonly areas: Reply<Areas> | null;
  readonly height: Reply<Height> | null;
  readonly property: Reply<Property> | 'no-number' | 'no-address' | null;
  readonly askedAt: Date;
}

export function nameOf({ place, subject, nearest }: Shown): string {
  if (subject !== null) return subject.name;
  if (nearest === null) return place === null ? '' : coordinateWords(place);
  const { betegnelse, afstand_m: far } = nearest;
  return far === 0 ? betegnelse : `${metres(far)} ${t('fra', 'from')} ${betegnelse}`;
}

export function coordinateWords(place: Place): string {
  const { lon, lat } = degreesOf(place);
  return `${lat.toFixed(6)}, ${lon.toFixed(6)}`;
}

export function sourceWords({ lines, askedAt }: Shown): string {
  const told = lines?.ok === true ? lines : null;
  const source = told?.body.meta.kilde;
  const ageS = told?.facts.ageS ?? null;
  return [
    `Geoopslag, ${window.location.host}`,
    t(`slået op ${day(askedAt)}`, `looked up ${day(askedAt)}`),
    source === undefined ? null : t(`kilde: ${source}`, `source: ${source}`),
    ageS === null ? null : t(`hentet for ${span(ageS)} siden`, `fetched ${span(ageS)} ago`),
    told === null ? null : `generation ${told.facts.generation ?? '–'}`,
  ]
    .filter((text) => text !== null)
    .join(' · ');
}

/** By the place's own number, where it has one. */
export function linkOf({ place, subject }: Shown): string {
  const isNamed = subject !== null;
  const parts = partsOf({ place: isNamed ? null : place, named: subject });
  return new URL(`./#${parts.join('&')}`, window.location.href).href;
}

export function answerText(shown: Shown): string {
  const { lines } = shown;
  const rows = lines?.ok === true ? lineRows(lines, new Map()) : [];
  const radiusM = lines?.ok === true ? lines.body.soegeradius_m : 0;
  const told = lines?.ok === false ? [lines.message] : [answerSentence(rows, radiusM).text];
  return [
    nameOf(shown),
    ...told,
    ...rows.map((row) =>
      [row.name, inLanguage(VERDICT_WORDS[row.verdict]), distanceWords(row, radiusM)]
        .filter((text) => text !== '')
        .join(', '),
    ),
    sourceWords(shown),
    linkOf(shown),
  ].join('\n');
}

/** A layer not mirrored yet is no fault of a service that has just started. */
export function freshnessWords(status: Reply<Status>, isEmpty: boolean): string {
  if (!status.ok)
    return t(
      'Hvor friske lagene er, kan ikke læses lige nu.',
      'The age of the layers is not known right now.',
    );
  const { lag: layers, generation } = status.body;
  const count = (state: string) => layers.filter(({ tilstand }) => tilstand === state).length;
  const [fresh, late] = [count('frisk'), count('forsinket')];
  const [failed, missing] = [count('fejlet'), count('mangler')];
  const all = layers.length;
  const ages = layers.flatMap(({ alder_s: ageS }) => (ageS === null ? [] : [ageS]));
  const oldest = ages.length === 0 ? null : span(Math.max(...ages));
  return [
    fresh === all &&
      t(`Alle ${all} registerlag er friske`, `All ${all} layers of registers are fresh`),
    missing > 0 &&
      t(
        `${all - missing} af ${all} registerlag er hentet, resten er på vej`,
        `${all - missing} of ${all} layers of registers are fetched, the rest are on their way`,
      ),
    missing > 0 &&
      isEmpty &&
      t('et eksempel vises, når det kan besvares', 'an example comes when it can be answered'),
    late > 0 && t(`${late} er over deres frist`, `${late} are past their limit`),
    failed > 0 &&
      t(`${failed} kunne ikke fornyes sidste gang`, `${failed} could not be renewed last time`),
    oldest !== null && t(`den ældste kopi er ${oldest} gammel`, `the oldest copy is ${oldest} old`),
    `generation ${generation}`,
  ]
    .filter((text) => text !== false)
    .join(' · ');
}
