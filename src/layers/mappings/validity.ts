/**
 * Bitemporal rows are valid now if their registration is open and their effect covers the moment
 * (registers-geo.md 1.6).
 */
import type { Columns } from './columns.ts';
import { valueOf } from './columns.ts';
import { timeOf } from './times.ts';

export interface Validity {
  readonly reason: 'old registration' | 'not yet in effect' | 'no longer in effect' | null;
  /** When the row becomes valid or ends by itself; null: never. */
  readonly changesAtMs: number | null;
  /** Why validity is unknown; null: it is known. */
  readonly fault: string | null;
  /** End of a current or future row; null: unknown. */
  readonly endsAtMs: number | null;
}

const ALWAYS: Validity = { reason: null, fault: null, changesAtMs: null, endsAtMs: null };

/** `nowMs` null: from a service that only answers with current rows. */
export function validityOf(columns: Columns, nowMs: number | null): Validity {
  if (nowMs === null) return ALWAYS;
  const closed = endOf(columns, 'registreringTil');
  const ended = endOf(columns, 'virkningTil');
  const begins = STARTS.map((column) => timeOf(valueOf(columns, [column]), 'begin'));
  const over = { fault: null, changesAtMs: null, endsAtMs: null };
  const known = closed ?? Infinity;
  if (known <= nowMs) return { reason: 'old registration', ...over };
  // Without a readable begin a row may be past or future.
  const unread = [
    ...STARTS.filter((column, i) => begins[i]?.kind === 'unreadable' || isEmpty(columns, column)),
    ...(closed === null ? ['registreringTil'] : []),
    ...(ended === null ? ['virkningTil'] : []),
  ];
  if (unread[0] !== undefined) return { reason: null, ...over, fault: `no usable ${unread[0]}` };
  const from = Math.max(...begins.map((begin) => (begin.kind === 'at' ? begin.ms : -Infinity)));
  const to = Math.min(known, ended ?? Infinity);
  if (to <= nowMs || to <= from) {
    return { reason: 'no longer in effect', ...over };
  }
  const endsAtMs = Number.isFinite(to) ? to : null;
  if (from > nowMs)
    return { reason: 'not yet in effect', fault: null, changesAtMs: from, endsAtMs };
  return { reason: null, fault: null, changesAtMs: endsAtMs, endsAtMs };
}

const STARTS: readonly string[] = ['registreringFra', 'virkningFra'];

/** The placeholder for an unknown begin is not empty. */
function isEmpty(columns: Columns, column: string): boolean {
  const value = valueOf(columns, [column]) ?? '';
  return typeof value === 'string' && value.trim() === '';
}

/** Milliseconds UTC; Infinity: none; null: unreadable. */
export function endOf(columns: Columns, column: string): number | null {
  const time = timeOf(valueOf(columns, [column]), 'end');
  if (time.kind === 'at') return time.ms;
  return time.kind === 'none' ? Infinity : null;
}
