/**
 * Names in any case, with dots or underscores, or cut to ten letters by a shapefile; codes as `3`,
 * `"3"`, `"3.0"` and `"3,0"`.
 */
import { storableText } from '../../kernel/text.ts';
import { SHAPEFILE_LETTERS, normalisedName as normalised } from '../contract.ts';
import type { LineAttributes, UpstreamProperties } from '../feature.ts';
import { standingCode } from '../standing-columns.ts';
import type { StandingColumn } from '../standing-columns.ts';

export type Columns = ReadonlyMap<string, unknown>;

/** The content hash takes the members in this order. */
export const ONLY_IN_FORCE: LineAttributes = {
  statusCode: null,
  statusName: 'Gældende',
  category: null,
  natureType: null,
  protectionReason: null,
  monumentType: null,
  dating: null,
  protectionStatus: null,
  dykeType: null,
  documentUrl: null,
  validFrom: null,
  registeredAt: null,
  municipalityName: null,
  municipalityCvr: null,
};

/** Of two spellings that differ only in case, the one with a value wins. */
export function columnsOf(properties: UpstreamProperties): Columns {
  const columns = new Map<string, unknown>();
  for (const [name, value] of Object.entries(properties)) {
    const key = normalised(name);
    if (isEmpty(columns.get(key))) columns.set(key, value);
  }
  return columns;
}

/** The full spelling of a name before the ten-letter one; undefined: the row has none. */
export function valueOf(columns: Columns, candidates: readonly string[]): unknown {
  for (const candidate of candidates) {
    const key = normalised(candidate);
    if (columns.has(key)) return columns.get(key);
  }
  for (const candidate of candidates) {
    const key = normalised(candidate);
    const short = key.slice(0, SHAPEFILE_LETTERS);
    if (key !== short && columns.has(short)) return columns.get(short);
  }
  return undefined;
}

/** Trimmed; null for empty, null and absent. Numbers as written. */
export function textOf(columns: Columns, candidates: readonly string[]): string | null {
  const value = valueOf(columns, candidates);
  if (['number', 'bigint', 'boolean'].includes(typeof value)) return String(value);
  if (typeof value !== 'string') return null;
  const trimmed = storableText(value).trim();
  return trimmed === '' ? null : trimmed;
}

export type Code =
  | { readonly kind: 'none' }
  | { readonly kind: 'code'; readonly code: number }
  | { readonly kind: 'unreadable'; readonly text: string };

const NUMBER = /^[+-]?\d{1,15}(?:[.,]\d{0,15})?$|^-?\d\.\d{1,16}E-?\d{1,2}$/;

/** Also as Java writes ten millions: 1.0E7. */
export function decimalIn(text: string): number | null {
  return NUMBER.test(text) ? Number(text.replace(',', '.')) : null;
}

export function parseCode(value: unknown): Code {
  if (isEmpty(value)) return { kind: 'none' };
  const text = ['string', 'number'].includes(typeof value) ? String(value).trim() : typeof value;
  const code = decimalIn(text) ?? NaN;
  if (Number.isSafeInteger(code)) return { kind: 'code', code };
  return { kind: 'unreadable', text: text.slice(0, 40) };
}

/** A code outside the register's list is unreadable. */
export function standingCodeOf(columns: Columns, column: StandingColumn): Code {
  const code = parseCode(valueOf(columns, [column.column]));
  if (code.kind === 'none') return code;
  const known = standingCode(column, code.kind === 'code' ? code.code : code.text);
  if (known !== null) return { kind: 'code', code: known };
  return code.kind === 'code' ? { kind: 'unreadable', text: String(code.code) } : code;
}

/** null for none and for anything unreadable. */
export function numberOf(columns: Columns, candidates: readonly string[]): number | null {
  const code = parseCode(valueOf(columns, candidates));
  return code.kind === 'code' ? code.code : null;
}

/** null unless http or https (no `javascript:`). */
export function httpAddress(text: string | null): string | null {
  const url = text === null ? null : URL.parse(text);
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') ? text : null;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && !value.trim());
}
