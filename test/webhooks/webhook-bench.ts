/** Webhooks over a real store, to receivers on this machine, with a clock that is turned by hand. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Store } from '../../src/db/connect.ts';
import type { Clock } from '../../src/kernel/clock.ts';
import type { Log } from '../../src/kernel/log.ts';
import { composeWebhooks } from '../../src/start/webhooks.ts';
import type { WebhookNetwork } from '../../src/start/webhooks.ts';
import type { DispatcherTimes } from '../../src/webhooks/dispatcher.ts';
import { isLoopback } from '../../src/kernel/client-address.ts';
import type { WebhookEvent } from '../../src/webhooks/events.ts';
import { accountBench } from '../account/accounts-fixture.ts';
import { secretsIn } from '../support/secrets.ts';
import { until } from '../support/until.ts';

export const WEBHOOK_KEY = Buffer.alloc(32, 7).toString('base64');

export const ALL_EVENTS: readonly WebhookEvent[] = [
  'key.created',
  'key.revoked',
  'subscription.updated',
  'usage.threshold',
];

export interface DeliveryRow {
  readonly id: string;
  readonly endpoint_id: string;
  readonly event: string;
  readonly body: string;
  readonly status: string;
  readonly attempts: number;
  readonly last_status_code: number | null;
  readonly last_error: string | null;
  readonly created_at: Date;
  readonly next_attempt_at: Date | null;
  readonly lease_owner: string | null;
}

export type WebhookBench = ReturnType<typeof webhookBench>;
type WebhookSettings = Parameters<typeof composeWebhooks>[0]['config'];

export const SETTINGS = {
  ...{ webhooks: true, webhookKey: WEBHOOK_KEY, webhookKeyOld: null },
  ...{ webhookLoopback: false, webhookProxy: null },
};

export function logInto(lines: string[]): Log {
  const say = (fields: object, message: string): void => {
    lines.push(`${message} ${JSON.stringify(fields)}`);
  };
  return { info: say, warn: say, error: say };
}

/** Tells of events at an address that nobody is asked at. */
export const addEndpoint = (
  { pool }: Pick<Store, 'pool'>,
  account: string,
  events: readonly WebhookEvent[] = ['watch.changed'],
) =>
  pool.query(
    `insert into webhook_endpoint (id, account_id, url, host, events, secret_prefix, sealed_secret, created_at)
     values ('webhook_' || right($1, 20), $1, 'https://hooks.example/', 'hooks.example', $2, 'whsec_abcd', 'x', now())`,
    [account, events],
  );

/** `network.permits` is loopback unless it says otherwise. */
export function webhookBench(
  store: Store,
  network: Omit<WebhookNetwork, 'permits'> & Partial<WebhookNetwork>,
  options: {
    readonly times?: Partial<DispatcherTimes>;
    readonly settings?: Partial<WebhookSettings>;
    readonly clock?: Clock;
  } = {},
) {
  const accounts = accountBench(store);
  const dataDir = mkdtempSync(join(tmpdir(), 'geoopslag-webhooks-'));
  const logged: string[] = [];
  const composed = composeWebhooks({
    config: { databaseUrl: 'postgres://unused', dataDir, ...SETTINGS, ...options.settings },
    store,
    clock: options.clock ?? accounts.clock,
    log: logInto(logged),
    network: { permits: isLoopback, ...network },
    times: { pollMs: 20, sweepMs: 50, ...options.times },
  });
  const { clock } = accounts;
  return {
    ...composed,
    accounts,
    clock,
    logged,
    register: async (
      accountId: string,
      url: string,
      events: readonly WebhookEvent[] = ALL_EVENTS,
    ) => {
      const { endpoint, secret } = await composed.webhooks.register(accountId, { url, events });
      return { id: endpoint.id, secret };
    },
    /** Of an endpoint, in the order they were made. */
    rows: async (endpointId: string): Promise<readonly DeliveryRow[]> => {
      const { rows } = await store.pool.query<DeliveryRow>(
        'select * from webhook_delivery where endpoint_id = $1 order by created_at, event_id, id',
        [endpointId],
      );
      return rows;
    },
    /** Waits until nothing is due and nothing under way by the turned clock. */
    idle: async () => {
      await until(async () => {
        const now = new Date(clock.nowMs()).toISOString();
        const { rows } = await sql<{ count: number }>`
          select count(*) as count from webhook_delivery d join webhook_endpoint e
            on e.id = d.endpoint_id
          where d.status = 'pending' and (d.lease_owner is not null
            or (d.next_attempt_at <= ${now} and e.enabled and e.removed_at is null))`.execute(
          store.db,
        );
        return rows[0]?.count === 0;
      });
    },
    close: async () => {
      await composed.stop();
      await accounts.stop();
      rmSync(dataDir, { recursive: true, force: true });
      const found = secretsIn(logged.join('\n'));
      if (found.length > 0) throw new Error(`The log holds secrets: ${found.join(', ')}`);
    },
  };
}
