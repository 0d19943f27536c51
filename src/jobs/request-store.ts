/** An answer is stored in the transaction of the change (D76). */
import { sql } from 'kysely';
import type { Db, Trx } from '../db/connect.ts';
import { firstRow, hasRow } from '../db/rows.ts';
import { JOB_LIMITS } from './limits.ts';

export interface IdempotentRequest {
  readonly accountId: string;
  readonly operation: string;
  readonly key: string;
  readonly bodyHash: Buffer;
}

export interface RenderedResponse {
  readonly status: number;
  readonly body: string;
}

/** null: the key is new or expired. */
export async function readRequest(
  db: Db,
  { accountId, operation, key }: Omit<IdempotentRequest, 'bodyHash'>,
  nowMs: number,
) {
  return await firstRow<RenderedResponse & Pick<IdempotentRequest, 'bodyHash'>>(db)`
    select body_hash as "bodyHash", status, response #>> '{}' as body from job_request
    where account_id = ${accountId} and operation = ${operation} and key = ${key}
      and created_at > ${sinceOf(nowMs)}`;
}

/** Holds the key until the transaction ends; concurrent requests wait. `false`: already taken. */
export async function takeKey(
  db: Trx,
  { accountId, operation, key, bodyHash }: IdempotentRequest,
  nowMs: number,
): Promise<boolean> {
  return await hasRow(db)`
    insert into job_request as r (account_id, operation, key, body_hash, status, response, created_at)
    values (${accountId}, ${operation}, ${key}, ${bodyHash}, 0, 'null', ${new Date(nowMs)})
    on conflict (account_id, operation, key) do update
      set body_hash = excluded.body_hash, created_at = excluded.created_at
      where r.created_at <= ${sinceOf(nowMs)}
    returning key`;
}

export async function rememberAnswer(
  db: Trx,
  { accountId, operation, key }: IdempotentRequest,
  { status, body }: RenderedResponse,
): Promise<void> {
  await sql`
    update job_request set status = ${status}, response = to_jsonb(${body}::text)
    where account_id = ${accountId} and operation = ${operation} and key = ${key}`.execute(db);
}

function sinceOf(nowMs: number): Date {
  return new Date(nowMs - JOB_LIMITS.idempotencyMs);
}
