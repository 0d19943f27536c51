import { randomBytes } from 'node:crypto';
import { withAccount } from '../account/accounts.ts';
import { newId } from '../account/ids.ts';
import type { Store, Trx } from '../db/connect.ts';
import type { Clock } from '../kernel/clock.ts';
import { Failure, upstreamUnavailable } from '../kernel/failures.ts';
import { LIMITS } from '../kernel/limits.ts';
import { WEBHOOK_LIMITS } from './limits.ts';
import { storableText } from '../kernel/text.ts';
import { within } from '../kernel/within.ts';
import type { AddressGuard, Judged, Target } from './address-guard.ts';
import type { Deliverer } from './deliver.ts';
import { settleAttempts } from './dispatch-store.ts';
import type { Attempt, Ended } from './dispatch-store.ts';
import {
  countEndpoints,
  countPings,
  insertEndpoint,
  insertPing,
  listDeliveries,
  listEndpoints,
  readDelivery,
  readEndpoint,
  readSealed,
  removeEndpoint,
  renewSecret,
  updateEndpoint,
} from './endpoint-store.ts';
import type { Delivery, Endpoint, EndpointName } from './endpoint-store.ts';
import { PING } from './events.ts';
import type { WebhookEvent } from './events.ts';
import type { Sealer } from './seal.ts';
import { newWebhookSecret, secretPrefixOf } from './sign.ts';

export interface NewEndpoint {
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  readonly description?: string;
}

export interface ChangedEndpoint {
  readonly url?: string;
  readonly events?: readonly WebhookEvent[];
  readonly description?: string | null;
  readonly enabled?: boolean;
}

export interface WebhookDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly guard: AddressGuard;
  /** null: no key to seal secrets (D102). */
  readonly sealing: { readonly sealer: Sealer; readonly deliverer: Deliverer } | null;
  readonly onDue: () => void;
}

interface WithSecret {
  readonly endpoint: Endpoint;
  /** Returned only here. */
  readonly secret: string;
}

export type Webhooks = ReturnType<typeof createWebhooks>;

/** Throws `not_found` for another account's endpoint. */
export function createWebhooks(deps: WebhookDeps) {
  const { store } = deps;
  const found = async (accountId: string, endpointId: string): Promise<Endpoint> => {
    const endpoint = await readEndpoint(store.db, { accountId, endpointId });
    if (endpoint === null) throw noSuchEndpoint();
    return endpoint;
  };
  return {
    /** Throws `conflict` when the account has too many. */
    register: (accountId: string, wanted: NewEndpoint) => register(deps, accountId, wanted),
    list: (accountId: string) => listEndpoints(store.db, accountId),
    change: async (accountId: string, endpointId: string, { url, ...change }: ChangedEndpoint) => {
      // Another account learns nothing about the URL.
      const before = await found(accountId, endpointId);
      const target = url === undefined ? null : await allowed(deps.guard, url);
      const sets = {
        ...change,
        ...(typeof change.description === 'string' && {
          description: storableText(change.description),
        }),
        ...(url !== undefined && target !== null && { url: { text: url, host: target.host } }),
      };
      if (Object.keys(sets).length === 0) return before;
      const after = await updateEndpoint(store.db, { accountId, endpointId }, sets);
      if (after === null) throw noSuchEndpoint();
      if (change.enabled === true) deps.onDue();
      return after;
    },
    remove: async (accountId: string, endpointId: string) => {
      const atMs = deps.clock.nowMs();
      const removed = await store.db
        .transaction()
        .execute((db) => removeEndpoint(db, { accountId, endpointId }, atMs));
      if (!removed) throw noSuchEndpoint();
    },
    deliveries: async (accountId: string, endpointId: string) => {
      await found(accountId, endpointId);
      return await listDeliveries(store.db, endpointId, WEBHOOK_LIMITS.logShown);
    },
    /** One attempt (D104). Throws `rate_limited` past ten a minute. */
    ping: async (accountId: string, endpointId: string) => {
      await found(accountId, endpointId);
      return await ping(deps, { accountId, endpointId });
    },
    /**
     * The previous one stays valid for a day, an earlier one does not (D147). Throws `rate_limited`
     * within a minute: a double click would replace the known secret.
     */
    renewSecret: async (accountId: string, endpointId: string) => {
      await found(accountId, endpointId);
      return await withNewSecret(deps, { accountId, endpointId });
    },
  };
}

async function register(
  { store, clock, guard, sealing }: WebhookDeps,
  accountId: string,
  { url, events, description }: NewEndpoint,
): Promise<WithSecret> {
  const { sealer } = sealing ?? refuseUnsealed();
  const { host } = await allowed(guard, url);
  const secret = newWebhookSecret();
  const endpoint: Endpoint = {
    id: newId('webhook'),
    accountId,
    url,
    events,
    enabled: true,
    description: description === undefined ? null : storableText(description),
    secretPrefix: secretPrefixOf(secret),
    createdAtMs: clock.nowMs(),
  };
  const sealedSecret = sealer.seal(secret, endpoint.id);
  await withAccount(store, accountId, async (db) => {
    await refuseTooMany(db, accountId);
    await insertEndpoint(db, { ...endpoint, host, sealedSecret });
  });
  return { endpoint, secret };
}

/** D147. */
export const NEW_SECRET = { overlapMs: 24 * 3_600_000, pauseMs: 60_000 } as const;

async function withNewSecret(
  { store, clock, sealing }: WebhookDeps,
  name: EndpointName,
): Promise<WithSecret> {
  const { sealer } = sealing ?? refuseUnsealed();
  const { overlapMs, pauseMs } = NEW_SECRET;
  const secret = newWebhookSecret();
  const endpoint = await renewSecret(store.db, name, {
    sealed: sealer.seal(secret, name.endpointId),
    prefix: secretPrefixOf(secret),
    atMs: clock.nowMs(),
    overlapMs,
    pauseMs,
  });
  if (endpoint !== null) return { endpoint, secret };
  throw new Failure('rate_limited', {
    error: `A webhook has a new secret at most once in ${pauseMs / 1000} seconds.`,
    errorDa: `En webhook får højst en ny hemmelighed på ${pauseMs / 1000} sekunder.`,
    retryAfterS: pauseMs / 1000,
  });
}

async function ping(
  { store, clock, sealing }: WebhookDeps,
  { accountId, endpointId }: EndpointName,
): Promise<Delivery> {
  const { deliverer } = sealing ?? refuseUnsealed();
  const atMs = clock.nowMs();
  const owner = `ping-${process.pid}-${randomBytes(6).toString('hex')}`;
  const { leaseMs } = WEBHOOK_LIMITS;
  const begun = await withAccount(store, accountId, async (db) => {
    await refuseManyPings(db, accountId, atMs);
    const sealed = await readSealed(db, endpointId, atMs);
    if (sealed === null) throw noSuchEndpoint();
    return { ...sealed, ...(await insertPing(db, { endpointId, owner, atMs, leaseMs })) };
  });
  const { id: deliveryId, body, url, sealedSecret, sealedFormer } = begun;
  const attempt: Attempt = {
    ...{ deliveryId, endpointId, accountId, event: PING, body, number: 1 },
    ...{ url, host: '', sealedSecret, sealedFormer },
  };
  const outcome = await deliverer.deliver(attempt);
  const notBegun = (): Ended => ({
    ...{ deliveryId, number: 1, isSuccess: false, statusCode: null, endedAtMs: clock.nowMs() },
    error: outcome.kind === 'not begun' ? outcome.why : null,
  });
  await settleAttempts(store, owner, [outcome.kind === 'ended' ? outcome.ended : notBegun()]);
  const delivery = await readDelivery(store.db, deliveryId);
  if (delivery === null) throw new Error('A ping was sent and has no record.');
  return delivery;
}

async function allowed(guard: AddressGuard, url: string): Promise<Target> {
  const judged = await within<Judged, Judged>(WEBHOOK_LIMITS.checkMs, guard.judge(url), () => ({
    kind: 'unknown',
  }));
  switch (judged.kind) {
    case 'allowed':
      return judged.target;
    case 'refused':
      throw new Failure('invalid_request', { error: judged.why.en, errorDa: judged.why.da });
    case 'unknown':
      throw upstreamUnavailable(
        'The name in url could not be resolved right now.',
        'Navnet i url kunne ikke slås op lige nu.',
      );
  }
}

async function refuseTooMany(db: Trx, accountId: string): Promise<void> {
  const { perAccount } = WEBHOOK_LIMITS;
  if ((await countEndpoints(db, accountId)) < perAccount) return;
  throw new Failure('conflict', {
    code: 'webhook_limit',
    error: `An account has at most ${perAccount} webhooks: remove one first.`,
    errorDa: `En konto har højst ${perAccount} webhooks: fjern en først.`,
  });
}

async function refuseManyPings(db: Trx, accountId: string, nowMs: number): Promise<void> {
  const { limit, windowMs } = WEBHOOK_LIMITS.pings;
  if ((await countPings(db, accountId, nowMs - windowMs)) < limit) return;
  throw new Failure('rate_limited', {
    error: `At most ${limit} test pings of an account in ${windowMs / 1000} seconds.`,
    errorDa: `Højst ${limit} test-ping fra en konto på ${windowMs / 1000} sekunder.`,
    retryAfterS: windowMs / 1000,
  });
}

/** Names the setting, which is no secret (D102). */
function refuseUnsealed(): never {
  throw new Failure('upstream_unavailable', {
    code: 'webhook_key_missing',
    error: 'Webhooks are not set up in this environment: WEBHOOK_KEY is not set.',
    errorDa: 'Webhooks er ikke sat op i dette miljø: WEBHOOK_KEY er ikke sat.',
    retryAfterS: LIMITS.retryAfterS.notConfigured,
  });
}

export function noSuchEndpoint(): Failure {
  return new Failure('not_found', {
    error: 'The account has no such webhook.',
    errorDa: 'Kontoen har ingen sådan webhook.',
  });
}
