/**
 * Events of the interface, of jobs (D146; written by sql/migrations/0063), and of watch-lists
 * (D235).
 */

/** In document order. */
export const WEBHOOK_EVENTS = [
  'key.created',
  'key.revoked',
  'subscription.updated',
  'usage.threshold',
  'job.completed',
  'job.failed',
  'watch.changed',
] as const;

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** A test: no subscription, not counted. */
export const PING = 'ping';

export type DeliveredEvent = WebhookEvent | typeof PING;

export const DELIVERY_STATES = ['pending', 'success', 'failed'] as const;

export type DeliveryState = (typeof DELIVERY_STATES)[number];
