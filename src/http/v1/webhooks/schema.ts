/** English, as events are (interface: Webhook endpoint record; D82). */
import { Type } from 'typebox';
import { WEBHOOK_LIMITS } from '../../../webhooks/limits.ts';
import { DELIVERY_STATES, PING, WEBHOOK_EVENTS } from '../../../webhooks/events.ts';
import {
  BODY_STATUSES,
  closed,
  errors,
  idOf,
  nullable,
  oneOf,
  query,
  ref,
  stated,
  textWithin,
  wholeWithin,
} from '../../../core/question/schemas.ts';

const { urlChars, descriptionChars, perAccount, pings, logShown } = WEBHOOK_LIMITS;
const time = Type.String({ format: 'date-time' });

const url = stated(textWithin(urlChars, 'Public https address, port 443 or one above 1023.'), {
  pattern: '^[Hh][Tt][Tt][Pp][Ss]://[^\\s/?#@\\\\]+[^\\s#\\\\]*$',
});
const events = Type.Array(oneOf(WEBHOOK_EVENTS), {
  minItems: 1,
  maxItems: WEBHOOK_EVENTS.length,
  uniqueItems: true,
  description: 'Names from the event catalogue, each once.',
});
const description = Type.String({ maxLength: descriptionChars });

const before = {
  id: Type.String({ description: 'Prefixed webhook_.' }),
  url: Type.String({ description: 'Public https address.' }),
  events: Type.Array(oneOf(WEBHOOK_EVENTS), {
    description: 'Names from the event catalogue.',
  }),
  enabled: Type.Boolean({ description: 'Off: nothing new is sent, and what waits is kept.' }),
  description: Type.Optional(description),
  secretPrefix: Type.String({ description: 'Leading characters of the secret.' }),
};
const after = { createdAt: time };

const WebhookSchema = closed(
  { ...before, ...after },
  { $id: 'Webhook', description: 'An endpoint that events are sent to, without its secret.' },
);

export const NewWebhookSchema = closed(
  {
    ...before,
    secret: Type.String({ description: 'Prefixed whsec_. Told this once.' }),
    ...after,
  },
  { $id: 'NewWebhook', description: 'A fresh endpoint with its secret.' },
);

export const WebhookDeliverySchema = closed(
  {
    id: Type.String({
      description: 'Prefixed webhookDelivery_; X-Service-Delivery of each attempt.',
    }),
    event: oneOf([...WEBHOOK_EVENTS, PING]),
    status: oneOf(DELIVERY_STATES),
    attempts: wholeWithin(
      { min: 0, max: WEBHOOK_LIMITS.attempts },
      'Attempts begun, the one under way with them.',
    ),
    lastStatusCode: nullable(
      Type.Integer({ description: 'HTTP status of the last attempt; null: none came.' }),
    ),
    lastError: nullable(
      Type.String({ description: 'Why the last attempt failed; null: it did not.' }),
    ),
    createdAt: time,
    nextAttemptAt: nullable(
      Type.String({ format: 'date-time', description: 'null: the delivery has ended.' }),
    ),
  },
  { $id: 'WebhookDelivery', description: 'An event on its way to an endpoint.' },
);

export const WEBHOOK_SCHEMAS = [WebhookSchema, NewWebhookSchema, WebhookDeliverySchema] as const;

const WebhookRef = ref('Webhook');
const NewWebhookRef = ref('NewWebhook');
const WebhookDeliveryRef = ref('WebhookDelivery');

const common = { tags: ['me'], security: [{ session: [] }], querystring: query({}) };

const params = idOf('webhook');

export const registerWebhookRoute = {
  operationId: 'registerWebhook',
  summary: 'Registers an endpoint; its secret is in this answer and in no later one',
  description: `An account has at most ${perAccount} webhooks.`,
  ...common,
  body: closed({ url, events, description: Type.Optional(description) }),
  response: {
    201: closed({ webhook: NewWebhookRef }),
    ...errors(...BODY_STATUSES, 401, 403, 409, 503),
  },
};

export const webhooksRoute = {
  operationId: 'webhooks',
  summary: "The account's webhooks, without their secrets, oldest first",
  ...common,
  response: { 200: closed({ webhooks: Type.Array(WebhookRef) }), ...errors(400, 401, 403, 503) },
};

export const changeWebhookRoute = {
  operationId: 'changeWebhook',
  summary: 'Changes an endpoint: any of its fields; the secret stays',
  ...common,
  params,
  body: closed({
    url: Type.Optional(url),
    events: Type.Optional(events),
    description: Type.Optional(nullable(description)),
    enabled: Type.Optional(Type.Boolean()),
  }),
  response: {
    200: closed({ webhook: WebhookRef }),
    ...errors(...BODY_STATUSES, 401, 403, 404, 503),
  },
};

export const removeWebhookRoute = {
  operationId: 'removeWebhook',
  summary: 'Removes an endpoint and ends what waits for it',
  ...common,
  params,
  response: {
    204: { description: 'The webhook is removed.', type: 'null' },
    ...errors(...BODY_STATUSES, 401, 403, 404, 503),
  },
};

export const webhookDeliveriesRoute = {
  operationId: 'webhookDeliveries',
  summary: `The latest deliveries of an endpoint, newest first, at most ${logShown}`,
  ...common,
  params,
  response: {
    200: closed({ deliveries: Type.Array(WebhookDeliveryRef) }),
    ...errors(400, 401, 403, 404, 503),
  },
};

export const testWebhookRoute = {
  operationId: 'testWebhook',
  summary: 'Sends a signed ping at once, one attempt, and reports the result',
  description: `At most ${pings.limit} a minute of an account.`,
  ...common,
  params,
  body: nullable(closed({})),
  response: {
    200: closed({ delivery: WebhookDeliveryRef }),
    ...errors(...BODY_STATUSES, 401, 403, 404, 429, 503),
  },
};

export const renewWebhookSecretRoute = {
  operationId: 'renewWebhookSecret',
  summary: 'Gives an endpoint another secret, which is in this answer and in no later one',
  description:
    'For 24 hours webhook-signature lists a signature by each of the two, the new one first; ' +
    'X-Service-Signature is by the new one at once. A second call within them ends the older of the two. ' +
    'At most once a minute.',
  ...common,
  params,
  body: nullable(closed({})),
  response: {
    201: closed({ webhook: NewWebhookRef }),
    ...errors(...BODY_STATUSES, 401, 403, 404, 429, 503),
  },
};
