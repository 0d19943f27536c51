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
  /** Why this cannot be told; null: it can. */
  readonly fault: string | null;
  /** When a current or future row ends, milliseconds UTC; null: unknown. */
  readonly endsAtMs: number | null;
}

const ALWAYS: Validity = { reason: null, fault: null, changesAtMs: null, endsAtMs: null };

/** `nowMs` null: from a service that only answers with current rows. */
export function validityOf(columns: Columns, nowMs: number | null): Validity {
  if (nowMs === null) return ALWAYS;
  const registered = boundsOf(columns, 'registrering');
  const effective = boundsOf(columns, 'virkning');
  const known = registered.toMs ?? Infinity;
  const over = { fault: null, changesAtMs: null, endsAtMs: null };
  if (known <= nowMs) return { reason: 'old registration', ...over };
  const fault = faultOf(columns);
  if (fault !== null) return { reason: null, ...over, fault };
  const from = Math.max(registered.fromMs ?? -Infinity, effective.fromMs ?? -Infinity);
  const to = Math.min(known, effective.toMs ?? Infinity);
  if (to <= nowMs || to <= from) {
    return { reason: 'no longer in effect', ...over };
  }
  const endsAtMs = Number.isFinite(to) ? to : null;
  if (from > nowMs) return { reason: 'not yet in effect', fault, changesAtMs: from, endsAtMs };
  return { reason: null, fault, changesAtMs: endsAtMs, endsAtMs };
}

/** Without a readable begin a row may be of the past, or to come. */
function faultOf(columns: Columns): string | null {
  for (const column of [...STARTS, ...ENDS]) {
    const text = textOf(columns, [column]);
    const isTold =
      text === null ? !STARTS.includes(column) : !isSetTime(text) || instantOf(text) !== null;
    if (!isTold) return `no usable ${column}`;
  }
  return null;
}

const STARTS: readonly string[] = ['registreringFra', 'virkningFra'];
const ENDS = ['registreringTil', 'virkningTil'] as const;

function boundsOf(columns: Columns, axis: 'registrering' | 'virkning') {
  return { fromMs: momentOf(columns, `${axis}Fra`), toMs: momentOf(columns, `${axis}Til`) };
}

function momentOf(columns: Columns, column: string): number | null {
  const text = textOf(columns, [column]);
  if (!isSetTime(text)) return null;
  const instant = instantOf(text);
  return instant === null ? null : Date.parse(instant);
}
