/**
 * A condition of land ("forhold"): its register's columns and values, and the words of its answers
 * (D209).
 */
import { WFS_DEFAULTS } from '../layer-defaults.ts';
import type { WfsSource } from '../source.ts';

export type ConditionId = `forhold_${string}`;

/** Names that a column may have, the preferred first. */
export type Columns = readonly string[];

export type FieldKind = 'text' | 'number' | 'day' | 'yes' | 'link' | 'code';

export interface ConditionField {
  readonly name: string;
  readonly from: Columns;
  readonly kind: FieldKind;
  readonly codes?: Readonly<Record<string, string>>;
  readonly plusYears?: number;
}

/** A column that decides whether a row counts, by its code or word in lower case. */
export interface Decider {
  readonly columns: Columns;
  readonly accepted: readonly string[];
  /** Values of rows that are left out. Any further value is unreadable (D143). */
  readonly others: readonly string[];
  /** Whether a row without a value counts; absent: it is unreadable. */
  readonly mayBeEmpty?: true;
}

export interface InForce {
  readonly decides: readonly Decider[];
  /** All of them count; from the end on, a row counts no longer. */
  readonly begins: readonly Columns[];
  readonly ends: readonly Columns[];
  readonly lapses?: { readonly after: Columns; readonly years: number };
  /** A row with this word, in lower case, in one of the columns is left out. */
  readonly withoutEffect?: { readonly columns: Columns; readonly word: string };
}

/**
 * No row at a place: not within it; not examined by the register (`ikke_kortlagt`); or, of the
 * zones, landzone, where the municipality has its rows.
 */
export type Absence = 'outside' | 'not-mapped' | 'rural-zone';

export interface Condition {
  readonly key: string;
  readonly name: string;
  readonly provision: string;
  readonly source: WfsSource;
  readonly minRows: number;
  readonly objectId: Columns;
  readonly inForce: InForce;
  readonly fields: readonly ConditionField[];
  readonly absence: Absence;
  readonly absenceText: string;
  readonly credit: string;
}

/**
 * Of a register that names parcels in text, perhaps renumbered since: a district's code, and
 * numbers by semicolons.
 */
export const NAMED_PARCELS = {
  district: 'registret_naevner_ejerlav',
  numbers: 'registret_naevner_matrikler',
} as const;

export function parcelsNamedBy(values: Readonly<Record<string, unknown>>): readonly string[] {
  const { [NAMED_PARCELS.district]: district, [NAMED_PARCELS.numbers]: numbers } = values;
  if (typeof district !== 'string' || typeof numbers !== 'string') return [];
  return numbers.split(';').map((number) => parcelText(district, number));
}

export function parcelText(district: string | number | null, number: string | null): string {
  return `${district} ${number?.trim()}`;
}

type Host = Pick<WfsSource, 'host' | 'url' | 'geometryProperty' | 'keyProperty'>;

export function geoJsonFrom(
  host: Host,
  typeName: string,
  more: Partial<WfsSource> = {},
): WfsSource {
  return { ...WFS_DEFAULTS, format: 'geojson', ...host, typeName, ...more };
}

export function text(name: string, ...from: readonly string[]): ConditionField {
  return { name, from: from.length === 0 ? [name] : from, kind: 'text' };
}

export function number(name: string, ...from: readonly string[]): ConditionField {
  return { name, from: from.length === 0 ? [name] : from, kind: 'number' };
}

export function day(name: string, ...from: readonly string[]): ConditionField {
  return { name, from, kind: 'day' };
}

export function yes(name: string, ...from: readonly string[]): ConditionField {
  return { name, from, kind: 'yes' };
}

export function link(name: string, ...from: readonly string[]): ConditionField {
  return { name, from, kind: 'link' };
}

export function code(
  name: string,
  from: Columns,
  codes: NonNullable<ConditionField['codes']>,
): ConditionField {
  return { name, from, kind: 'code', codes };
}

export function numbered(...words: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(words.map((word, n) => [String(n + 1), word]));
}
