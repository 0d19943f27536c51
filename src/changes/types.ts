/** One change log, made from the rows that publications replaced (D225). */
import type { MirrorId } from '../layers/keys.ts';

/** Geometry is GeoJSON, EPSG:25832. */
export type Row = Readonly<Record<string, unknown>>;

export interface EntityCounts {
  readonly entity: string;
  readonly inserted: number;
  readonly changed: number;
  readonly removed: number;
  readonly unread: number;
}

/** Events are numbered from `firstEvent` without gaps. */
export interface ChangeTransaction {
  /** The published generation: never goes back or repeats. */
  readonly nr: number;
  readonly register: MirrorId;
  readonly atMs: number;
  readonly firstEvent: number;
  readonly events: number;
  readonly counts: readonly EntityCounts[];
  /** The log begins here with an extract instead of events; `firstEvent` is its number. */
  readonly isStart: boolean;
}

/**
 * `ulaeselig`: the object cannot be read (D143). It has not ended, and `after` is what the store
 * still has.
 */
export const OPERATIONS = ['ny', 'aendret', 'ophoert', 'ulaeselig'] as const;
export type Operation = (typeof OPERATIONS)[number];

export interface ChangeEvent {
  readonly nr: number;
  readonly transaction: number;
  readonly operation: Operation;
  readonly register: MirrorId;
  /** A table's entity, or a layer. */
  readonly entity: string;
  /** Several columns are a JSON array of texts. Empty: an unreadable row without a key. */
  readonly key: string;
  readonly before: Row | null;
  readonly after: Row | null;
  /** ISO 8601 UTC; null: unknown, or no row after. */
  readonly effectiveFrom: string | null;
}

export interface LatestChange {
  /** 0: nothing was published yet. */
  readonly transaction: number;
  readonly event: number;
  readonly atMs: number;
}

export interface TransactionRange {
  /** Inclusive. */
  readonly from?: number;
  readonly to?: number;
  readonly limit: number;
}

export interface EventRange {
  /** Absent: all. */
  readonly registers?: readonly MirrorId[];
  readonly entities?: readonly string[];
  /** Exclusive: the reader's last event. */
  readonly afterEvent?: number;
  /** Inclusive. */
  readonly fromTransaction?: number;
  readonly toTransaction?: number;
  readonly toEvent?: number;
  readonly limit?: number;
}

export interface Extract {
  readonly register: MirrorId;
  readonly entity: string;
  readonly atTransaction: number;
}

/** By the names that callers see. */
export interface ExtractRow {
  readonly entitet: string;
  readonly noegle: string;
  /** The row, if any, is an earlier one (D143). */
  readonly ulaeselig: boolean;
  /** null: unreadable, and the store has no earlier row. */
  readonly raekke: Row | null;
}

/** The rows are no longer kept: continue from an extract. */
export class ChangesGone extends Error {
  readonly register: MirrorId;
  /** 0: never mirrored. */
  readonly since: number;

  constructor(register: MirrorId, since: number) {
    super(`Changes of ${register} are kept since transaction ${since}.`);
    this.name = 'ChangesGone';
    this.register = register;
    this.since = since;
  }
}

/** The number is beyond the store's latest. */
export class ChangesAhead extends Error {
  readonly latest: LatestChange;

  constructor(latest: LatestChange) {
    super(`The latest transaction is ${latest.transaction}, the latest event ${latest.event}.`);
    this.name = 'ChangesAhead';
    this.latest = latest;
  }
}
