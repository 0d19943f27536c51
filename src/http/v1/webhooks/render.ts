import { instant } from '../../../kernel/clock.ts';
import type { Delivery, Endpoint } from '../../../webhooks/endpoint-store.ts';

/** Without the secret, which is shown once. */
export function renderWebhook({ createdAtMs, ...endpoint }: Endpoint) {
  return { ...fieldsOf(endpoint), createdAt: instant(createdAtMs) };
}

/** The only answer with the secret. */
export function renderNewWebhook({ createdAtMs, ...endpoint }: Endpoint, secret: string) {
  return { ...fieldsOf(endpoint), secret, createdAt: instant(createdAtMs) };
}

function fieldsOf(endpoint: Omit<Endpoint, 'createdAtMs'>) {
  const { id, url, events, enabled, description, secretPrefix } = endpoint;
  return {
    ...{ id, url, events: [...events], enabled },
    ...(description !== null && { description }),
    secretPrefix,
  };
}

export function renderDelivery(delivery: Delivery) {
  const { id, event, status, attempts, lastStatusCode, lastError } = delivery;
  const { createdAtMs, nextAttemptAtMs } = delivery;
  return {
    ...{ id, event, status, attempts, lastStatusCode, lastError },
    createdAt: instant(createdAtMs),
    nextAttemptAt: instant(nextAttemptAtMs),
  };
}
