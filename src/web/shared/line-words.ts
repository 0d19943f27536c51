/** An unanswered line is never counted among the noes. */
import { LINE_KEYS } from '../../layers/keys.ts';
import type { LineRow, Verdict } from './answers.ts';
import type { Words } from '../../layers/words.ts';
import { metres, number } from './format.ts';
import { inLanguage, t } from './language.ts';

export const VERDICT_WORDS: Readonly<Record<Verdict, Words>> = {
  within: { da: 'Gælder her', en: 'In force here' },
  uncertain: { da: 'Gælder her, ikke endeligt vedtaget', en: 'In force here, not finally adopted' },
  outside: { da: 'Gælder ikke her', en: 'Not in force here' },
  'old-within': { da: 'Gælder, siger en gammel kopi', en: 'In force, says an old copy' },
  'old-outside': { da: 'Gammel kopi: intet sikkert nej', en: 'Old copy: not a certain no' },
  unavailable: { da: 'Kunne ikke afgøres', en: 'Could not be determined' },
};

export interface RowGroups {
  readonly applies: readonly LineRow[];
  /** Not answered, or a "no" of an old copy. */
  readonly unsure: readonly LineRow[];
  /** Outside, the nearest first. */
  readonly near: readonly LineRow[];
  /** Outside, and none within the radius. */
  readonly none: readonly LineRow[];
}

export function groupsOf(rows: readonly LineRow[]): RowGroups {
  const ofVerdicts = (...verdicts: readonly Verdict[]) =>
    rows.filter(({ verdict }) => verdicts.includes(verdict));
  const outside = ofVerdicts('outside');
  const near = outside.filter(({ distanceM }) => distanceM !== null);
  return {
    applies: ofVerdicts('within', 'uncertain', 'old-within'),
    unsure: ofVerdicts('unavailable', 'old-outside'),
    near: near.toSorted((a, b) => (a.distanceM ?? 0) - (b.distanceM ?? 0)),
    none: outside.filter(({ distanceM }) => distanceM === null),
  };
}

/** Empty: not known. */
export function distanceWords({ verdict, distanceM }: LineRow, radiusM: number): string {
  if (verdict === 'unavailable') return '';
  if (distanceM === null) return noneWithin(radiusM);
  const far = metres(distanceM);
  const isOutside = verdict === 'outside' || verdict === 'old-outside';
  // A dyke or watercourse is in force within 2 m of itself and has no zone.
  return isOutside || distanceM > 0
    ? t(`${far} herfra`, `${far} away`)
    : t(`${far} til zonens kant`, `${far} to the zone's edge`);
}

export function noneWithin(radiusM: number): string {
  return t(`ingen inden for ${number(radiusM)} m`, `none within ${number(radiusM)} m`);
}

/** Of lines without one near, in one line. */
export function noesWords(none: readonly LineRow[], radiusM: number): string {
  const begin = `${inLanguage(VERDICT_WORDS.outside)}, ${noneWithin(radiusM)}: `;
  return begin + none.map(({ name }) => name).join(', ');
}

export function answerSentence(
  rows: readonly LineRow[],
  radiusM: number,
): { readonly text: string; readonly kind: 'good' | 'warn' | 'bad' } {
  const { applies, unsure, near } = groupsOf(rows);
  const unknown = unsure.filter(({ verdict }) => verdict === 'unavailable').length;
  const kind = unknown > 0 ? 'bad' : rows.some(isOld) ? 'warn' : 'good';
  if (unknown === LINE_KEYS.length)
    return {
      kind,
      text: t(
        'Ingen af linjerne kunne afgøres her.',
        'None of the lines could be determined here.',
      ),
    };
  const nearest = applies.length === 0 ? near[0] : undefined;
  const parts = [
    applies.length > 0 ? appliesWords(applies) : noneWords(LINE_KEYS.length - unsure.length),
    nearest !== undefined &&
      t(`nærmest er ${inSentence(nearest.name)}, `, `nearest is ${inSentence(nearest.name)}, `) +
        distanceWords(nearest, radiusM),
    applies.length === 0 && nearest === undefined && unsure.length === 0 && noneWithin(radiusM),
    unknown > 0 && t(`${unknown} kunne ikke afgøres`, `${unknown} could not be determined`),
    ...oldWords(rows),
  ];
  return { kind, text: `${parts.filter((part) => part !== false).join('; ')}.` };
}

const isOld = ({ verdict }: LineRow): boolean => verdict.startsWith('old-');

function oldWords(rows: readonly LineRow[]): readonly string[] {
  const old = rows.filter(isOld).length;
  return old === 0
    ? []
    : [t(`${old} er svar fra en gammel kopi`, `${old} answered from an old copy`)];
}

function appliesWords(applies: readonly LineRow[]): string {
  const names = applies.map(({ name }) => inSentence(name));
  const list = [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((text) => text !== '');
  const joined = list.join(t(' og ', ' and '));
  return applies.length === 1
    ? t(`Én linje gælder her: ${joined}`, `One line is in force here: ${joined}`)
    : t(
        `${applies.length} af ${LINE_KEYS.length} linjer gælder her: ${joined}`,
        `${applies.length} of ${LINE_KEYS.length} lines are in force here: ${joined}`,
      );
}

/** Of lines with a plain answer alone. */
function noneWords(plain: number): string {
  if (plain === 0) return t('Ingen linje har et sikkert svar her', 'No line has a certain answer');
  return plain === LINE_KEYS.length
    ? t('Ingen linje gælder her', 'No line is in force here')
    : t(
        `Ingen af de ${plain} linjer med sikkert svar gælder her`,
        `None of the ${plain} lines with a certain answer is in force here`,
      );
}

function inSentence(name: string): string {
  return name.slice(0, 1).toLocaleLowerCase('da') + name.slice(1);
}
