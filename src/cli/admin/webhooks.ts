import type { WebhookAdmin } from '../../webhooks/admin.ts';
import type { Delivery, EndpointSummary } from '../../webhooks/endpoint-store.ts';
import type { WebhookCommand } from './command.ts';
import { timeOf } from './done.ts';
import type { Done } from './done.ts';

export interface WebhookCommandDeps {
  readonly webhooks: WebhookAdmin;
  /** Throws for an unknown account. */
  readonly idOf: (account: string) => Promise<string>;
}

export async function runWebhookCommand(
  deps: WebhookCommandDeps,
  command: WebhookCommand,
): Promise<Done> {
  const { webhooks } = deps;
  switch (command.do) {
    case 'webhook list': {
      const found = await webhooks.list(await deps.idOf(command.account));
      const lines = found.length === 0 ? ['The account has no webhook.'] : found.map(endpointLine);
      return { value: found, lines };
    }
    case 'webhook deliveries': {
      const found = await webhooks.deliveries(command.webhook);
      const lines = found.length === 0 ? ['Nothing was sent to it.'] : found.map(deliveryLine);
      return { value: found, lines };
    }
    case 'webhook resend': {
      const made = await webhooks.resend(command.delivery);
      return { value: made, lines: [deliveryLine(made)] };
    }
  }
}

function endpointLine(endpoint: EndpointSummary): string {
  const { id, url, events, enabled, isFailing, waiting } = endpoint;
  return [
    id,
    url,
    events.join(','),
    `${waiting} waiting`,
    ...(enabled ? [] : ['disabled']),
    ...(isFailing ? ['last attempt failed'] : []),
  ].join('  ');
}

function deliveryLine(delivery: Delivery): string {
  const { id, event, status, attempts, lastStatusCode, lastError } = delivery;
  return [
    id,
    event,
    status,
    `${attempts} attempt(s)`,
    `made ${timeOf(delivery.createdAtMs)}`,
    ...(delivery.nextAttemptAtMs === null ? [] : [`next ${timeOf(delivery.nextAttemptAtMs)}`]),
    ...(lastError === null ? [] : [lastError]),
    ...(lastStatusCode === null || lastError?.startsWith('status ')
      ? []
      : [`status ${lastStatusCode}`]),
  ].join('  ');
}
