/**
 * Reads the log of changes. Every page is one statement, so one state of the store; a later publication changes
 * nothing of what an earlier one is read as.
 */
import { sql } from 'kysely';
import type { Store } from '../db/connect.ts';
import type { MirrorId } from '../layers/keys.ts';
import type { ChangeTransaction, EntityCounts, LatestChange, TransactionRange } from './types.ts';

type Db = Store['db'];

interface TransactionRow {
  readonly nr: number;
  readonly layer: MirrorId;
  readonly at_ms: number;
  readonly first_event: number;
  readonly events: number;
  readonly counts: readonly EntityCounts[];
  readonly is_start: boolean;
}

const COLUMNS = sql`nr, layer, (extract(epoch from at) * 1000)::float8 as at_ms, first_event, events, counts,
  is_start`;

/** Throws when the store does. */
export async function latestChange(db: Db): Promise<LatestChange> {
  const { rows } = await sql<TransactionRow>`
    select ${COLUMNS} from change_transaction order by nr desc limit 1`.execute(db);
  const [latest] = rows;
  if (latest === undefined) return { transaction: 0, event: 0, atMs: 0 };
  const taken = Math.max(latest.events, latest.is_start ? 1 : 0);
  return {
    transaction: latest.nr,
    event: latest.first_event + taken - 1,
    atMs: Math.round(latest.at_ms),
  };
}

/** In their order, at most `limit`. */
export async function readTransactions(
  db: Db,
  { from = 0, to = MAX_NUMBER, limit }: TransactionRange,
): Promise<readonly ChangeTransaction[]> {
  const { rows } = await sql<TransactionRow>`
    select ${COLUMNS} from change_transaction
    where nr between ${from}::integer and ${to}::integer order by nr limit ${limit}::integer`.execute(
    db,
  );
  return rows.map(transaction);
}

export const MAX_NUMBER = 2 ** 31 - 1;

function transaction(row: TransactionRow): ChangeTransaction {
  const { nr, layer: register, events, counts } = row;
  return {
    ...{ nr, register, events, counts },
    atMs: Math.round(row.at_ms),
    firstEvent: row.first_event,
    isStart: row.is_start,
  };
}
