/**
 * The catalogue of events (interface: Events), and what of it an endpoint may be subscribed to; behind the
 * document's own those of jobs (D146), which the store writes where it ends them (sql/migrations/0063).
 */

/** What an endpoint can ask for, in the order of the document. */
export const WEBHOOK_EVENTS = [
  'key.created',
  'key.revoked',
  'subscription.updated',
  'usage.threshold',
  'job.completed',
  'job.failed',
] as const;

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** Only the test operation sends it: nobody subscribes to it, and it is not counted. */
export const PING = 'ping';

/** What a delivery may be of. */
export type DeliveredEvent = WebhookEvent | typeof PING;

export const DELIVERY_STATES = ['pending', 'success', 'failed'] as const;

export type DeliveryState = (typeof DELIVERY_STATES)[number];
