import { instant } from '../kernel/clock.ts';
import { sql } from 'kysely';
import type { Db, Trx } from '../db/connect.ts';
import { allRows, firstRow, firstValue, hasRow, oneRow } from '../db/rows.ts';
import type { DeliveredEvent, DeliveryState, WebhookEvent } from './events.ts';

/** Without the secret. */
export interface Endpoint {
  readonly id: string;
  readonly accountId: string;
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  readonly enabled: boolean;
  readonly description: string | null;
  readonly secretPrefix: string;
  readonly createdAtMs: number;
}

export interface Delivery {
  readonly id: string;
  readonly event: DeliveredEvent;
  readonly status: DeliveryState;
  readonly attempts: number;
  readonly lastStatusCode: number | null;
  readonly lastError: string | null;
  readonly createdAtMs: number;
  /** null: it has ended. */
  readonly nextAttemptAtMs: number | null;
}

const ENDPOINT_COLUMNS = sql`e.id, e.account_id as "accountId", e.url, e.events, e.enabled,
  e.description, e.secret_prefix as "secretPrefix",
  floor(extract(epoch from e.created_at) * 1000)::float8 as "createdAtMs"`;

const DELIVERY_COLUMNS = sql`d.id, d.event, d.status, d.attempts,
  d.last_status_code as "lastStatusCode", d.last_error as "lastError",
  floor(extract(epoch from d.created_at) * 1000)::float8 as "createdAtMs",
  floor(extract(epoch from d.next_attempt_at) * 1000)::float8 as "nextAttemptAtMs"`;

export interface NewEndpointRow extends Endpoint {
  readonly host: string;
  readonly sealedSecret: Buffer;
}

export async function insertEndpoint(db: Db, row: NewEndpointRow): Promise<void> {
  await sql`
    insert into webhook_endpoint (id, account_id, url, host, events, enabled, description,
      secret_prefix, sealed_secret, created_at)
    values (${row.id}, ${row.accountId}, ${row.url}, ${row.host}, ${row.events}::text[],
      ${row.enabled}, ${row.description}, ${row.secretPrefix}, ${row.sealedSecret},
      ${instant(row.createdAtMs)})`.execute(db);
}

/** Oldest first, without removed ones. */
export async function listEndpoints(db: Db, accountId: string): Promise<readonly Endpoint[]> {
  return await allRows<Endpoint>(db)`
    select ${ENDPOINT_COLUMNS} from webhook_endpoint e
    where e.account_id = ${accountId} and e.removed_at is null
    order by e.created_at, e.id`;
}

export async function countEndpoints(db: Db, accountId: string): Promise<number> {
  return await firstValue(db, 0)`
    select count(*) as count from webhook_endpoint
    where account_id = ${accountId} and removed_at is null`;
}

export interface EndpointName {
  readonly accountId: string;
  readonly endpointId: string;
}

export async function readEndpoint(
  db: Db,
  { accountId, endpointId }: EndpointName,
): Promise<Endpoint | null> {
  return await firstRow<Endpoint>(db)`
    select ${ENDPOINT_COLUMNS} from webhook_endpoint e
    where e.id = ${endpointId} and e.account_id = ${accountId} and e.removed_at is null`;
}

export interface SealedEndpoint {
  readonly url: string;
  readonly sealedSecret: Buffer;
  /** null: none is valid at that moment. */
  readonly sealedFormer: Buffer | null;
}

export async function readSealed(
  db: Db,
  endpointId: string,
  atMs: number,
): Promise<SealedEndpoint | null> {
  return await firstRow<SealedEndpoint>(db)`
    select url, sealed_secret as "sealedSecret",
      case when former_secret_until > ${instant(atMs)} then former_secret end as "sealedFormer"
    from webhook_endpoint
    where id = ${endpointId} and removed_at is null`;
}

export interface NewSecret {
  readonly sealed: Buffer;
  readonly prefix: string;
  readonly atMs: number;
  /** Validity of the previous secret. */
  readonly overlapMs: number;
  /** Minimum time between two renewals. */
  readonly pauseMs: number;
}

/** null: removed, or renewed too recently. */
export async function renewSecret(
  db: Db,
  { accountId, endpointId }: EndpointName,
  { sealed, prefix, atMs, overlapMs, pauseMs }: NewSecret,
): Promise<Endpoint | null> {
  return await firstRow<Endpoint>(db)`
    update webhook_endpoint e set former_secret = e.sealed_secret,
      former_secret_until = ${instant(atMs + overlapMs)}, sealed_secret = ${sealed},
      secret_prefix = ${prefix}
    where e.id = ${endpointId} and e.account_id = ${accountId} and e.removed_at is null
      and coalesce(e.former_secret_until <= ${instant(atMs + overlapMs - pauseMs)}, true)
    returning ${ENDPOINT_COLUMNS}`;
}

export interface EndpointChange {
  readonly url?: { readonly text: string; readonly host: string };
  readonly events?: readonly WebhookEvent[];
  readonly description?: string | null;
  readonly enabled?: boolean;
}

/** null: removed meanwhile. */
export async function updateEndpoint(
  db: Db,
  { accountId, endpointId }: EndpointName,
  { url, events, description, enabled }: EndpointChange,
): Promise<Endpoint | null> {
  const sets = [
    ...(url === undefined ? [] : [sql`url = ${url.text}`, sql`host = ${url.host}`]),
    ...(events === undefined ? [] : [sql`events = ${events}::text[]`]),
    ...(description === undefined ? [] : [sql`description = ${description}`]),
    ...(enabled === undefined ? [] : [sql`enabled = ${enabled}`]),
  ];
  return await firstRow<Endpoint>(db)`
    update webhook_endpoint e set ${sql.join(sets)}
    where e.id = ${endpointId} and e.account_id = ${accountId} and e.removed_at is null
    returning ${ENDPOINT_COLUMNS}`;
}

/** Ends its waiting deliveries (D106); false: there was none. */
export async function removeEndpoint(
  db: Trx,
  { accountId, endpointId }: EndpointName,
  atMs: number,
): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    update webhook_endpoint set removed_at = ${instant(atMs)}, sealed_secret = null,
      former_secret = null, former_secret_until = null
    where id = ${endpointId} and account_id = ${accountId} and removed_at is null
    returning id`.execute(db);
  if (rows.length === 0) return false;
  await sql`select end_webhook_deliveries(array[${endpointId}]::text[], 'endpoint removed')`.execute(
    db,
  );
  return true;
}

/** Newest first (D82). */
export async function listDeliveries(
  db: Db,
  endpointId: string,
  most: number,
): Promise<readonly Delivery[]> {
  return await allRows<Delivery>(db)`
    select ${DELIVERY_COLUMNS} from webhook_delivery d
    where d.endpoint_id = ${endpointId}
    order by d.created_at desc, d.id desc limit ${most}`;
}

export async function readDelivery(db: Db, id: string): Promise<Delivery | null> {
  return await firstRow<Delivery>(db)`
    select ${DELIVERY_COLUMNS} from webhook_delivery d where d.id = ${id}`;
}

export async function countPings(db: Db, accountId: string, sinceMs: number): Promise<number> {
  return await firstValue(db, 0)`
    select count(*) as count
    from webhook_endpoint e join webhook_delivery d on d.endpoint_id = e.id
    where e.account_id = ${accountId} and d.event = 'ping'
      and d.created_at > ${instant(sinceMs)}`;
}

export interface BegunPing {
  readonly id: string;
  readonly body: string;
}

/** A ping whose only attempt its caller makes (D104). */
export async function insertPing(
  db: Trx,
  ping: {
    readonly endpointId: string;
    readonly owner: string;
    readonly atMs: number;
    readonly leaseMs: number;
  },
): Promise<BegunPing> {
  const at = instant(ping.atMs);
  const id = await firstValue<string | null>(db, null)`
    select add_webhook_delivery(${ping.endpointId}, null, 'ping', '{}', ${at}, ${at}, 1) as id`;
  return await oneRow<BegunPing>(db)`
    update webhook_delivery d set attempts = 1, attempted_at = ${at}, lease_owner = ${ping.owner},
      lease_until = now() + ${ping.leaseMs} * interval '1 ms'
    where d.id = ${id}
    returning d.id, d.body`;
}

/** For operators, with its number of waiting deliveries. */
export interface EndpointSummary extends Endpoint {
  readonly waiting: number;
  readonly isFailing: boolean;
}

export async function summarizeEndpoints(
  db: Db,
  accountId: string,
): Promise<readonly EndpointSummary[]> {
  return await allRows<EndpointSummary>(db)`
    select ${ENDPOINT_COLUMNS}, e.is_failing as "isFailing",
      (select count(*) from webhook_delivery d
        where d.endpoint_id = e.id and d.status = 'pending') as waiting
    from webhook_endpoint e
    where e.account_id = ${accountId} and e.removed_at is null
    order by e.created_at, e.id`;
}

/** By id alone, for operators; false without endpoint or log. */
export async function endpointExists(db: Db, endpointId: string): Promise<boolean> {
  return await hasRow(db)`
    select id from webhook_endpoint where id = ${endpointId}`;
}

export async function deliveryStanding(
  db: Db,
  deliveryId: string,
): Promise<{
  readonly accountId: string;
  readonly status: string;
  readonly attempts: number;
} | null> {
  return await firstRow<{ accountId: string; status: string; attempts: number }>(db)`
    select e.account_id as "accountId", d.status, d.attempts
    from webhook_delivery d join webhook_endpoint e on e.id = d.endpoint_id
    where d.id = ${deliveryId}`;
}

/** null: none of this id; `ping`, `removed`, `closed`: cannot be resent. */
export async function resendDelivery(
  db: Trx,
  deliveryId: string,
  { atMs, attempts }: { readonly atMs: number; readonly attempts: number },
): Promise<Delivery | 'ping' | 'removed' | 'closed' | null> {
  const { rows } = await sql<{
    event: DeliveredEvent;
    removed: boolean;
    closed: boolean;
  }>`
    select d.event, e.removed_at is not null as removed, a.closed_at is not null as closed
    from webhook_delivery d join webhook_endpoint e on e.id = d.endpoint_id
    join account a on a.id = e.account_id
    where d.id = ${deliveryId} for share of e, a`.execute(db);
  const [found] = rows;
  if (found === undefined) return null;
  if (found.event === 'ping') return 'ping';
  if (found.removed) return 'removed';
  if (found.closed) return 'closed';
  const made = await sql<{ id: string }>`
    select repeat_webhook_delivery(${deliveryId}, ${instant(atMs)}, ${attempts}) as id,
      pg_notify('geoopslag_webhooks', '')`.execute(db);
  return await readDelivery(db, made.rows[0]?.id ?? '');
}
