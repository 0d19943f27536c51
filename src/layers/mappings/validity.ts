/**
 * Which rows of a bitemporal register are valid now: registration open and effect covering the
 * moment (registers-geo.md 1.6). Files contain past and future rows too.
 */
import type { Columns } from './columns.ts';
import { textOf } from './columns.ts';
import { instantOf, isSetTime } from './times.ts';

export interface Validity {
  /** Why the row is not valid now; null: it is. */
  readonly reason: 'old registration' | 'not yet in effect' | 'no longer in effect' | null;
  /** When this next changes by itself, milliseconds UTC; null: never. */
  readonly changesAtMs: number | null;
  /** When a current or future row ends, milliseconds UTC; null: unknown. */
  readonly endsAtMs: number | null;
}

/** Absent, open or unreadable times bound nothing: they never hide a row. */
export function validityOf(columns: Columns, nowMs: number): Validity {
  const registered = boundsOf(columns, 'registrering');
  const effective = boundsOf(columns, 'virkning');
  const known = registered.toMs ?? Infinity;
  if (known <= nowMs) return { reason: 'old registration', changesAtMs: null, endsAtMs: null };
  const from = Math.max(registered.fromMs ?? -Infinity, effective.fromMs ?? -Infinity);
  const to = Math.min(known, effective.toMs ?? Infinity);
  if (to <= nowMs || to <= from) {
    return { reason: 'no longer in effect', changesAtMs: null, endsAtMs: null };
  }
  const endsAtMs = Number.isFinite(to) ? to : null;
  if (from > nowMs) return { reason: 'not yet in effect', changesAtMs: from, endsAtMs };
  return { reason: null, changesAtMs: endsAtMs, endsAtMs };
}

function boundsOf(columns: Columns, axis: 'registrering' | 'virkning') {
  return { fromMs: momentOf(columns, `${axis}Fra`), toMs: momentOf(columns, `${axis}Til`) };
}

function momentOf(columns: Columns, column: string): number | null {
  const text = textOf(columns, [column]);
  if (!isSetTime(text)) return null;
  const instant = instantOf(text);
  return instant === null ? null : Date.parse(instant);
}
