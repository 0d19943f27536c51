/** The trail of operators' acts (D159): who did what, when, from where, with what was before. Appended only. */
import { userInfo } from 'node:os';
import { sql } from 'kysely';
import type { Store } from '../db/connect.ts';

export interface OperatorAct {
  /** A person's name. */
  readonly who: string;
  readonly via: 'command' | 'api';
  /** Client address, or the host of the command line. */
  readonly from: string;
  /** As `key mint` or `sync`. */
  readonly act: string;
  readonly accountId: string | null;
  /** Key, endpoint, delivery, layer or change. */
  readonly target: string | null;
  /** What it changed, as it was; null: nothing was there, or it is not kept. */
  readonly before: object | null;
  /** What was asked for. Never a secret. */
  readonly wanted: object;
  readonly requestId: string | null;
}

export type KeptAct = OperatorAct & { readonly id: number; readonly atMs: number };

/** Containers run as users that no list has. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** Throws when the store does: what cannot be recorded is not done. */
export async function recordAct({ db }: Pick<Store, 'db'>, act: OperatorAct): Promise<void> {
  const { who, via, from, accountId, target, before, wanted, requestId } = act;
  await sql`
    insert into operator_act (who, via, from_address, act, account_id, target, before, wanted, request_id)
    values (${who}, ${via}, ${from}, ${act.act}, ${accountId}, ${target},
      ${before && JSON.stringify(before)}::jsonb, ${JSON.stringify(wanted)}::jsonb, ${requestId})`.execute(
    db,
  );
}

/** The newest first. `accountId` null: of all. */
export async function readActs(
  { db }: Pick<Store, 'db'>,
  { accountId, limit }: { readonly accountId: string | null; readonly limit: number },
): Promise<readonly KeptAct[]> {
  const { rows } = await sql<KeptAct>`
    select id::float8 as id, (extract(epoch from at) * 1000)::float8 as "atMs", who, via,
      from_address as "from", act, account_id as "accountId", target, before, wanted,
      request_id as "requestId"
    from operator_act where ${accountId}::text is null or account_id = ${accountId}
    order by id desc limit ${limit}`.execute(db);
  return rows;
}

/** The number of the first act that is not as it was appended, or whose predecessor is gone; null: all are. */
export async function firstChangedAct({ db }: Pick<Store, 'db'>): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select (a).id::float8 as id from (
      select a, lag(a.hash) over (order by a.id) as previous, row_number() over (order by a.id) as n
      from operator_act a
    ) chained
    where (a).hash <> hash_of_act(a, coalesce(previous, ''::bytea)) or (a).id <> n
    order by n limit 1`.execute(db);
  return rows[0]?.id ?? null;
}
