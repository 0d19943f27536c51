/** Publications do not change earlier transactions: each page may be a statement. */
import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';
import { allRows, firstRow } from '../db/rows.ts';
import type { MirrorId } from '../layers/keys.ts';
import { CHANGE_LIMITS } from './limits.ts';
import { ChangesGone } from './types.ts';
import type { ChangeTransaction, EntityCounts, LatestChange, TransactionRange } from './types.ts';

interface TransactionRow {
  readonly nr: number;
  readonly layer: MirrorId;
  readonly version: string;
  readonly at_ms: number;
  readonly first_event: number;
  readonly events: number;
  readonly counts: readonly EntityCounts[];
  readonly is_start: boolean;
}

/** Readers keep the numbers in four bytes. */
export const MAX_NUMBER = 2 ** 31 - 1;

/** Of events or rows (D158). */
export function unitsOf(rows: number): number {
  return Math.ceil(rows / CHANGE_LIMITS.eventsPerUnit);
}

/** Both numbers are of one publication. */
export async function latestChange(db: Db): Promise<LatestChange> {
  const latest = await firstRow<{ nr: number; event: number; at_ms: number }>(db)`
    select nr, next_event - 1 as event, (extract(epoch from at) * 1000)::float8 as at_ms
    from change_transaction order by nr desc limit 1`;
  if (latest === null) return { transaction: 0, event: 0, atMs: 0 };
  return { transaction: latest.nr, event: latest.event, atMs: Math.round(latest.at_ms) };
}

export interface LoggedTransaction extends ChangeTransaction {
  readonly version: string;
}

interface Selection extends TransactionRange {
  /** Absent: all. */
  readonly registers?: readonly MirrorId[] | undefined;
  /** Transactions with a later event. */
  readonly afterEvent?: number | undefined;
}

/** In order, at most `limit`. */
export async function readTransactions(
  db: Db,
  { registers, afterEvent = 0, from = 0, to = MAX_NUMBER, limit }: Selection,
): Promise<readonly LoggedTransaction[]> {
  const { rows } = await sql<TransactionRow>`
    select nr, layer, version::text, (extract(epoch from at) * 1000)::float8 as at_ms, first_event,
      events, counts, is_start
    from change_transaction
    where nr between ${from}::integer and ${to}::integer and next_event > ${afterEvent}::integer + 1
      and ${isOf(registers)}
    order by nr limit ${limit}::integer`.execute(db);
  return rows.map(({ layer, at_ms, first_event, is_start, ...row }) => ({
    ...row,
    register: layer,
    atMs: Math.round(at_ms),
    firstEvent: first_event,
    isStart: is_start,
  }));
}

function isOf(registers: readonly MirrorId[] | undefined) {
  return registers === undefined ? sql`true` : sql`layer = any(${registers}::text[])`;
}

/** Where a register's log begins: earlier rows are not kept. */
export interface Bound {
  readonly register: MirrorId;
  readonly nr: number;
  readonly event: number;
  /** false: they are no longer kept. */
  readonly isStart: boolean;
}

export async function readBounds(
  db: Db,
  registers?: readonly MirrorId[],
): Promise<readonly Bound[]> {
  return await allRows<Bound>(db)`
    select distinct on (layer) layer as register, nr, next_event - 1 as event,
      not is_gone as "isStart"
    from change_transaction
    where (is_start or is_gone) and ${isOf(registers)} order by layer, nr desc`;
}

export async function readBeginnings(
  db: Db,
  registers?: readonly MirrorId[],
): Promise<ReadonlyMap<MirrorId, Bound>> {
  const bounds = await readBounds(db, registers);
  return new Map(bounds.map((bound) => [bound.register, bound]));
}

/** Throws `ChangesGone` when a register's later transactions are no longer kept. */
export async function requireSince(
  db: Db,
  {
    registers,
    transaction,
    event,
  }: {
    readonly registers?: readonly MirrorId[] | undefined;
    /** The reader's last: one of the two. */
    readonly transaction?: number | undefined;
    readonly event?: number | undefined;
  },
): Promise<void> {
  for (const [register, began] of await readBeginnings(db, registers)) {
    const isKept =
      transaction === undefined ? (event ?? 0) >= began.event : transaction >= began.nr;
    if (!isKept) throw new ChangesGone(register, began.nr);
  }
}
