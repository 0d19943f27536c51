import type { Store } from '../db/connect.ts';
import type { Clock } from '../kernel/clock.ts';
import { Failure } from '../kernel/failures.ts';
import { WEBHOOK_LIMITS } from './limits.ts';
import {
  deliveryStanding,
  endpointExists,
  listDeliveries,
  resendDelivery,
  summarizeEndpoints,
} from './endpoint-store.ts';
import type { Delivery, EndpointSummary } from './endpoint-store.ts';

export interface WebhookAdmin {
  list(accountId: string): Promise<readonly EndpointSummary[]>;
  /** Also of a removed endpoint while its log is kept. Throws `not_found`. */
  deliveries(endpointId: string): Promise<readonly Delivery[]>;
  /** null: unknown id. */
  standing(deliveryId: string): ReturnType<typeof deliveryStanding>;
  /**
   * A new delivery with its own id and five attempts. Throws `not_found`, or `conflict` where
   * sending is impossible.
   */
  resend(deliveryId: string): Promise<Delivery>;
}

export function createWebhookAdmin({
  store,
  clock,
}: {
  readonly store: Pick<Store, 'db'>;
  readonly clock: Clock;
}): WebhookAdmin {
  return {
    list: (accountId) => summarizeEndpoints(store.db, accountId),
    deliveries: async (endpointId) => {
      if (!(await endpointExists(store.db, endpointId))) {
        throw new Failure('not_found', { error: 'There is no webhook of this id.' });
      }
      return await listDeliveries(store.db, endpointId, WEBHOOK_LIMITS.logShown);
    },
    standing: (deliveryId) => deliveryStanding(store.db, deliveryId),
    resend: async (deliveryId) => {
      const { attempts } = WEBHOOK_LIMITS;
      const made = await store.db
        .transaction()
        .execute((db) => resendDelivery(db, deliveryId, { atMs: clock.nowMs(), attempts }));
      if (made === null) {
        throw new Failure('not_found', { error: 'There is no delivery of this id.' });
      }
      if (typeof made === 'string') throw new Failure('conflict', { error: WHY_NOT[made] });
      return made;
    },
  };
}

const WHY_NOT = {
  ping: 'A ping is sent by its owner, and never again.',
  removed: 'The endpoint has been removed: nothing is sent to it.',
  closed: 'The account is closed: nothing is sent for it.',
} as const;
