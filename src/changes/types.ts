/** One log of changes over all registers (D225), read from the rows that each publication replaced. */
import type { MirrorId } from '../layers/keys.ts';

/** A row by the columns of its table; of a feature those of its layer. Geometry is GeoJSON, EPSG:25832. */
export type Row = Readonly<Record<string, unknown>>;

export interface EntityCounts {
  readonly entity: string;
  readonly inserted: number;
  readonly changed: number;
  readonly removed: number;
  readonly unread: number;
}

/** A publication. Its events are numbered from `firstEvent` without a gap. */
export interface ChangeTransaction {
  /** The generation it published: it never goes back, and is never used twice. */
  readonly nr: number;
  readonly register: MirrorId;
  readonly atMs: number;
  readonly firstEvent: number;
  readonly events: number;
  readonly counts: readonly EntityCounts[];
  /** The register's log begins here, by an extract: no events, but `firstEvent` is its number. */
  readonly isStart: boolean;
}

/** `ulaeselig`: the object cannot be read (D143). It has not ended, and `after` is what the store still holds of it. */
export const OPERATIONS = ['ny', 'aendret', 'ophoert', 'ulaeselig'] as const;
export type Operation = (typeof OPERATIONS)[number];

export interface ChangeEvent {
  readonly nr: number;
  readonly transaction: number;
  readonly operation: Operation;
  readonly register: MirrorId;
  /** A table's entity in its register; of a feature its layer. */
  readonly entity: string;
  /** As text; several columns are a JSON array of texts. Empty: an unreadable row that has none. */
  readonly key: string;
  readonly before: Row | null;
  readonly after: Row | null;
  /** ISO 8601, UTC: since when the row after is in effect; null: unknown, or there is none. */
  readonly effectiveFrom: string | null;
}

export interface LatestChange {
  /** 0: nothing was published yet. */
  readonly transaction: number;
  readonly event: number;
  readonly atMs: number;
}

export interface TransactionRange {
  /** Included. */
  readonly from?: number;
  readonly to?: number;
  readonly limit: number;
}

export interface EventRange {
  /** Absent: all. */
  readonly registers?: readonly MirrorId[];
  readonly entities?: readonly string[];
  /** Excluded: the last event that the reader has. */
  readonly afterEvent?: number;
  /** Included. */
  readonly fromTransaction?: number;
  readonly toTransaction?: number;
  readonly toEvent?: number;
  readonly limit?: number;
  /** What is no longer kept of the range is left out, instead of refused. */
  readonly isFromStart?: boolean;
}

export interface Extract {
  readonly register: MirrorId;
  readonly entity: string;
  readonly atTransaction: number;
}

/** A line of an extract, by the names that callers see. */
export interface ExtractRow {
  readonly entitet: string;
  readonly noegle: string;
  /** It could not be read then (D143): the row, if there is one, is of before. */
  readonly ulaeselig: boolean;
  /** null: it cannot be read, and the store holds nothing of it. */
  readonly raekke: Row | null;
}

/** The rows of the range are no longer kept: only an extract goes on from there. */
export class ChangesGone extends Error {
  readonly register: MirrorId;
  /** Of which the first extract and events exist; 0: the register was never mirrored. */
  readonly since: number;

  constructor(register: MirrorId, since: number) {
    super(`Changes of ${register} are kept since transaction ${since}.`);
    this.name = 'ChangesGone';
    this.register = register;
    this.since = since;
  }
}

/** The number is beyond the latest that this store has. */
export class ChangesAhead extends Error {
  readonly latest: LatestChange;

  constructor(latest: LatestChange) {
    super(`The latest transaction is ${latest.transaction}, the latest event ${latest.event}.`);
    this.name = 'ChangesAhead';
    this.latest = latest;
  }
}
