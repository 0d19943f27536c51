import { Failure } from '../kernel/failures.ts';
import { WEBHOOK_LIMITS } from './limits.ts';
import {
  deliveryStanding,
  endpointExists,
  listDeliveries,
  resendDelivery,
  summarizeEndpoints,
} from './endpoint-store.ts';
import type { WebhookDeps } from './webhooks.ts';

export type WebhookAdmin = ReturnType<typeof createWebhookAdmin>;

export function createWebhookAdmin({ store, clock }: Pick<WebhookDeps, 'store' | 'clock'>) {
  return {
    list: (accountId: string) => summarizeEndpoints(store.db, accountId),
    /** Also of a removed endpoint while its log is kept. Throws `not_found`. */
    deliveries: async (endpointId: string) => {
      if (!(await endpointExists(store.db, endpointId))) {
        throw new Failure('not_found', { error: 'There is no webhook of this id.' });
      }
      return await listDeliveries(store.db, endpointId, WEBHOOK_LIMITS.logShown);
    },
    /** null: unknown id. */
    standing: (deliveryId: string) => deliveryStanding(store.db, deliveryId),
    /**
     * A new delivery with its own id and five attempts. Throws `not_found`, or `conflict` where
     * sending is impossible.
     */
    resend: async (deliveryId: string) => {
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
