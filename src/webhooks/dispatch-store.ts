import { instant } from '../kernel/clock.ts';
import { sql } from 'kysely';
import type { Store } from '../db/connect.ts';
import { allRows, firstValue, oneRow } from '../db/rows.ts';
import { WEBHOOK_LIMITS } from './limits.ts';
import type { DeliveredEvent } from './events.ts';

/** Notified by migration 0045: the endpoint with something new, or empty text for any. */
export const WEBHOOK_CHANNEL = 'geoopslag_webhooks';

export interface DueEndpoint {
  readonly endpointId: string;
  readonly accountId: string;
  readonly host: string;
  readonly isFailing: boolean;
}

/** null: no particular endpoint. */
export function readNotice(text: string): Pick<DueEndpoint, 'endpointId' | 'host'> | null {
  const [, endpointId, host] = /^(webhook_\w+) (\S+)$/.exec(text) ?? [];
  return endpointId === undefined || host === undefined ? null : { endpointId, host };
}

/** Longest waiting first, failing ones last. */
export async function readDueEndpoints(
  { db }: Pick<Store, 'db'>,
  nowMs: number,
): Promise<readonly DueEndpoint[]> {
  const { dueLooked, dueListed } = WEBHOOK_LIMITS;
  return await allRows<DueEndpoint>(db)`
    select d.endpoint_id as "endpointId", e.account_id as "accountId", d.host,
      e.is_failing as "isFailing"
    from due_webhook_endpoints(${instant(nowMs)}, ${dueLooked})
      with ordinality as d (endpoint_id, host, place)
    join webhook_endpoint e on e.id = d.endpoint_id
    where d.place <= ${dueListed} or e.is_failing
    order by d.place limit ${2 * dueListed}`;
}

export interface Attempt {
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly accountId: string;
  readonly event: DeliveredEvent;
  readonly body: string;
  readonly number: number;
  readonly url: string;
  readonly host: string;
  /** null: the endpoint was just removed. */
  readonly sealedSecret: Buffer | null;
  /** The previous secret, while both are valid (D147). */
  readonly sealedFormer: Buffer | null;
}

export interface Claim {
  readonly owner: string;
  readonly nowMs: number;
  readonly endpointIds: readonly string[];
  readonly wanted: number;
  readonly leaseMs: number;
}

/** Limits count all processes together (D109). */
export async function claimAttempts(
  { db }: Pick<Store, 'db'>,
  { owner, nowMs, endpointIds, wanted, leaseMs }: Claim,
): Promise<readonly Attempt[]> {
  const { inFlight } = WEBHOOK_LIMITS;
  return await allRows<Attempt>(db)`
    select c.id as "deliveryId", c.endpoint_id as "endpointId", e."accountId", c.event, c.body,
      c.attempts as number, c.url, c.host, e."sealedSecret", e."sealedFormer"
    from claim_webhook_deliveries(${owner}, ${leaseMs}, ${instant(nowMs)},
      ${endpointIds}::text[], ${wanted}, ${inFlight.total}, ${inFlight.failing},
      ${inFlight.endpoint}) c
    -- Both secrets as they are at one moment: an attempt is never signed with one that nobody was told of.
    left join lateral (
      select w.account_id as "accountId", w.sealed_secret as "sealedSecret",
        case when w.former_secret_until > ${instant(nowMs)} then w.former_secret end as "sealedFormer"
      from webhook_endpoint w where w.id = c.endpoint_id offset 0) e on true`;
}

export interface Ended {
  readonly deliveryId: string;
  readonly number: number;
  readonly isSuccess: boolean;
  readonly statusCode: number | null;
  /** null: it succeeded. */
  readonly error: string | null;
  readonly endedAtMs: number;
}

export interface Settled {
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly status: 'pending' | 'success' | 'failed';
}

/** After so many failures, the last at `failedAtMs`; null: none left. */
function nextAttempt(attempts: number, failedAtMs: number): number | null {
  const { attempts: most, waitsMs } = WEBHOOK_LIMITS;
  const waitMs = attempts >= most ? undefined : waitsMs[attempts - 1];
  return waitMs === undefined ? null : failedAtMs + waitMs;
}

/** Only for holders of their leases. */
export async function settleAttempts(
  { db }: Pick<Store, 'db'>,
  owner: string,
  ended: readonly Ended[],
): Promise<readonly Settled[]> {
  const next = ended.map(({ number, endedAtMs }) => nextAttempt(number, endedAtMs));
  const { rows } = await sql<Settled>`
    update webhook_delivery d set
      status = case when s.success then 'success'
        when s.next_at is null or d.attempts >= d.attempts_allowed then 'failed'
        else 'pending' end,
      next_attempt_at = case when s.success or d.attempts >= d.attempts_allowed then null
        else s.next_at end,
      last_status_code = s.status_code, last_error = s.error, lease_owner = null,
      lease_until = null
    from unnest(${ended.map(({ deliveryId }) => deliveryId)}::text[],
      ${ended.map(({ number }) => number)}::integer[],
      ${ended.map(({ isSuccess }) => isSuccess)}::boolean[],
      ${ended.map(({ statusCode }) => statusCode)}::smallint[],
      ${ended.map(({ error }) => error)}::text[],
      ${next.map((ms) => instant(ms))}::timestamptz[])
      as s (id, number, success, status_code, error, next_at)
    where d.id = s.id and d.attempts = s.number and d.lease_owner = ${owner}
    returning d.id as "deliveryId", d.endpoint_id as "endpointId", d.status`.execute(db);
  await noteFailing({ db }, rows);
  return rows;
}

/** Of attempts that ended together a success counts. */
async function noteFailing({ db }: Pick<Store, 'db'>, settled: readonly Settled[]): Promise<void> {
  const ids = settled.map(({ endpointId }) => endpointId);
  const well = settled.flatMap((each) => (each.status === 'success' ? [each.endpointId] : []));
  const badly = ids.filter((id) => !well.includes(id));
  await sql`
    update webhook_endpoint e set is_failing = w.failing
    from (
      select id, id = any (${badly}::text[]) as failing from webhook_endpoint
      where id = any (${ids}::text[]) and is_failing <> (id = any (${badly}::text[]))
      order by id for no key update
    ) w
    where e.id = w.id`.execute(db);
}

/** An attempt whose request never left does not count. */
export async function takeBack(
  { db }: Pick<Store, 'db'>,
  owner: string,
  { deliveryId, number, dueAtMs }: TakenBack,
): Promise<void> {
  await sql`
    update webhook_delivery d set attempts = d.attempts - 1, lease_owner = null, lease_until = null,
      status = case when e.removed_at is null then 'pending' else 'failed' end,
      last_error = case when e.removed_at is null then d.last_error else 'endpoint removed' end,
      next_attempt_at = case when e.removed_at is null then ${instant(dueAtMs)}::timestamptz end
    from webhook_endpoint e
    where d.id = ${deliveryId} and d.attempts = ${number} and d.lease_owner = ${owner}
      and e.id = d.endpoint_id`.execute(db);
}

export interface TakenBack extends Pick<Ended, 'deliveryId' | 'number'> {
  readonly dueAtMs: number;
}

/** Attempts of dead processes fail at their deadlines (D100). Returns how many. */
export async function reapInterrupted({ db }: Pick<Store, 'db'>): Promise<number> {
  const { rows } = await sql<{ deliveryId: string; number: number; atMs: number; owner: string }>`
    select id as "deliveryId", attempts as number, lease_owner as owner,
      floor(extract(epoch from attempted_at) * 1000)::float8 as "atMs"
    from webhook_delivery
    where lease_owner is not null and lease_until < now()
    limit ${WEBHOOK_LIMITS.reapedAtOnce}`.execute(db);
  const byOwner = Map.groupBy(rows, ({ owner }) => owner);
  for (const [owner, lost] of byOwner) {
    const ended = lost.map(({ deliveryId, number, atMs }) => ({
      ...{ deliveryId, number, isSuccess: false, statusCode: null, error: 'interrupted' },
      // Whenever this is noticed.
      endedAtMs: atMs + WEBHOOK_LIMITS.attemptMs,
    }));
    await settleAttempts({ db }, owner, ended);
  }
  return rows.length;
}

/** After the clock went back, due times are limited to what the schedule allows. */
export async function clampSchedule({ db }: Pick<Store, 'db'>, nowMs: number): Promise<void> {
  const { attempts } = WEBHOOK_LIMITS;
  const numbers = Array.from({ length: attempts }, (_, number) => number);
  await sql`
    update webhook_delivery d set next_attempt_at = l.latest
    from unnest(${numbers}::integer[],
      ${numbers.map((number) => instant(nextAttempt(number, nowMs) ?? nowMs))}::timestamptz[])
      as l (attempts, latest)
    where d.status = 'pending' and d.lease_owner is null and d.attempts = l.attempts
      and d.next_attempt_at > l.latest`.execute(db);
}

/** A few at a time. Returns how many. */
export async function forgetDeliveries(
  { db }: Pick<Store, 'db'>,
  beforeMs: number,
): Promise<number> {
  const { logDeletedAtOnce } = WEBHOOK_LIMITS;
  const { rows } = await sql<{ id: string }>`
    delete from webhook_delivery where id in (
      select id from webhook_delivery
      where status <> 'pending' and created_at < ${instant(beforeMs)}
      order by created_at limit ${logDeletedAtOnce})
    returning id`.execute(db);
  await sql`
    delete from webhook_endpoint e
    where e.removed_at is not null
      and not exists (select from webhook_delivery d where d.endpoint_id = e.id)`.execute(db);
  return rows.length;
}

export interface SealedSecret {
  readonly endpointId: string;
  readonly sealed: Buffer;
}

/** Of all endpoints, previous secrets included, for resealing. */
export async function readSealedSecrets({
  db,
}: Pick<Store, 'db'>): Promise<readonly SealedSecret[]> {
  return await allRows<SealedSecret>(db)`
    select e.id as "endpointId", s.sealed
    from webhook_endpoint e cross join lateral (values (e.sealed_secret), (e.former_secret)) s (sealed)
    where s.sealed is not null`;
}

export async function resealSecret(
  { db }: Pick<Store, 'db'>,
  { endpointId, sealed }: SealedSecret,
  anew: Buffer,
): Promise<void> {
  await sql`
    update webhook_endpoint set
      sealed_secret = case when sealed_secret = ${sealed} then ${anew} else sealed_secret end,
      former_secret = case when former_secret = ${sealed} then ${anew} else former_secret end
    where id = ${endpointId} and ${sealed} in (sealed_secret, former_secret)`.execute(db);
}

/** After their day of overlap (D147). */
export async function forgetFormerSecrets({ db }: Pick<Store, 'db'>, nowMs: number): Promise<void> {
  await sql`
    update webhook_endpoint set former_secret = null, former_secret_until = null
    where former_secret_until <= ${instant(nowMs)}`.execute(db);
}

export interface WebhookFacts {
  readonly endpoints: number;
  readonly failingEndpoints: number;
  /** Pending and not in progress, including disabled endpoints. */
  readonly waiting: number;
  readonly inFlight: number;
  /** Age of the oldest, of enabled endpoints; null: none. */
  readonly oldestDueS: number | null;
}

export async function readWebhookFacts(
  { db }: Pick<Store, 'db'>,
  nowMs: number,
): Promise<WebhookFacts> {
  return await oneRow<WebhookFacts>(db)`
    select w.waiting, w."inFlight", w."oldestDueS", e.endpoints, e."failingEndpoints"
    from (
      select count(*) filter (where d.lease_owner is null) as waiting,
        count(*) filter (where d.lease_owner is not null) as "inFlight",
        extract(epoch from ${instant(nowMs)}::timestamptz - min(d.next_attempt_at)
          filter (where d.lease_owner is null and o.enabled
            and d.next_attempt_at <= ${instant(nowMs)}))::float8 as "oldestDueS"
      from webhook_delivery d join webhook_endpoint o on o.id = d.endpoint_id
      where d.status = 'pending'
    ) w, (
      select count(*) as endpoints, count(*) filter (where is_failing) as "failingEndpoints"
      from webhook_endpoint where removed_at is null
    ) e`;
}

/**
 * Resends all once an endpoint answers, before that the oldest now and then (D236). Returns how
 * many.
 */
export async function repeatMissed({ db }: Pick<Store, 'db'>, nowMs: number): Promise<number> {
  const { waitMs, keptMs, atOnce } = WEBHOOK_LIMITS.missed;
  return await firstValue(db, 0)`
    select repeat_missed_watches(${instant(nowMs)}, ${waitMs} * interval '1 ms',
      ${keptMs} * interval '1 ms', ${atOnce}) as made`;
}
