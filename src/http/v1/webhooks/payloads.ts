/** OpenAPI 3.1 `webhooks`: exactly the catalogue's fields (interface: Events). */
import { Type } from 'typebox';
import type { TSchema } from 'typebox';
import { TIERS } from '../../../account/plans.ts';
import type { DeliveredEvent } from '../../../webhooks/events.ts';
import { OPERATIONS } from '../../../changes/types.ts';
import { MIRROR_IDS } from '../../../layers/mirror-ids.ts';
import { WATCH_KINDS } from '../../../watch/kinds.ts';
import { WATCH_LIMITS } from '../../../watch/limits.ts';
import { KINDS } from '../../../core/rows/job-types.ts';
import { closed, nullable, oneOf } from '../../../core/question/schemas.ts';

interface Payload {
  readonly summary: string;
  readonly data: TSchema;
  readonly example: Readonly<Record<string, unknown>>;
}

const keyId = Type.String({ description: 'Prefixed key_.' });
const KEY = 'key_bqbjavg7gcubl7jj6ntj';

const count = Type.Integer({ minimum: 0 });
const jobFields = {
  job_id: Type.String({ description: 'Prefixed job_.' }),
  kind: oneOf(KINDS),
  label: nullable(Type.String()),
};
const { payload } = WATCH_LIMITS;
const row = nullable(Type.Object({}, { additionalProperties: true }));
const watchedEvent = closed({
  nr: Type.Integer(),
  operation: oneOf(OPERATIONS),
  entitet: Type.String(),
  noegle: Type.String(),
  foer: row,
  efter: row,
  virkning_fra: nullable(Type.String({ format: 'date-time' })),
  udeladt: Type.Array(Type.String(), {
    description: 'Columns of foer and efter that are too long to be sent: long geometries.',
  }),
  objekter: Type.Array(Type.Any(), {
    maxItems: WATCH_LIMITS.namedObjects,
    description: 'Objects of the list that it concerns; of polygons their places from 0.',
  }),
});

const JOB = { job_id: 'job_7m2qxk4vd3hbn5zcw6ta', kind: 'miljoe', label: 'Ejendomme i Nord' };

export const PAYLOADS: Readonly<Record<DeliveredEvent, Payload>> = {
  'key.created': {
    summary: 'An API key was created',
    data: closed({
      key_id: keyId,
      name: Type.String(),
      permission: Type.String({ description: '`read`, `jobs` or `restricted:<area,…>`.' }),
      prefix: Type.String({ description: 'What a person knows the key by: its first characters.' }),
    }),
    example: { key_id: KEY, name: 'Kortside', permission: 'read', prefix: 'svc_test_9aZk' },
  },
  'key.revoked': {
    summary: 'An API key was revoked',
    data: closed({ key_id: keyId }),
    example: { key_id: KEY },
  },
  'subscription.updated': {
    summary: 'The plan of the subscription changed',
    data: closed({ tier: oneOf(TIERS) }),
    example: { tier: 'pro' },
  },
  'usage.threshold': {
    summary: 'Monthly usage crossed 80% or 100% of the plan’s quota, once per month and threshold',
    data: closed({
      tier: oneOf(TIERS),
      threshold_pct: Type.Unsafe<80 | 100>({ type: 'integer', enum: [80, 100] }),
      used: Type.Integer({ minimum: 0, description: 'Units used in the month.' }),
      allowance: Type.Integer({ minimum: 0, description: 'Units of the plan in a month.' }),
      month: Type.String({ description: 'YYYY-MM, of Europe/Copenhagen.' }),
    }),
    example: { tier: 'pro', threshold_pct: 80, used: 40_012, allowance: 50_000, month: '2026-11' },
  },
  'job.completed': {
    summary: 'Every row of a job has an answer or an error',
    data: closed({
      ...jobFields,
      total_rows: count,
      succeeded: count,
      failed: count,
      billed_units: Type.Integer({ minimum: 0, description: '0 for a job of a test key.' }),
    }),
    example: { ...JOB, total_rows: 20_000, succeeded: 19_987, failed: 13, billed_units: 19_987 },
  },
  'job.failed': {
    summary: 'A job could not go on; the rows answered before stay',
    data: closed({
      ...jobFields,
      error: Type.String({ description: 'Why: the error of the job.' }),
    }),
    example: { ...JOB, error: 'A row ended the process that answered it, five times.' },
  },
  'watch.changed': {
    summary: 'A publication changed objects of a watch-list, or a test of one was asked for',
    data: closed({
      liste: Type.String({ description: 'Prefixed watch_.' }),
      navn: Type.String(),
      type: oneOf(WATCH_KINDS),
      proeve: Type.Boolean({ description: 'A test: of no transaction, and nothing changed.' }),
      transaktion: nullable(
        Type.Integer({ description: 'Of the change log; with liste the same only once.' }),
      ),
      register: nullable(oneOf(MIRROR_IDS)),
      tidspunkt: Type.String({ format: 'date-time', description: 'Of the publication, UTC.' }),
      antal: nullable(
        Type.Integer({
          minimum: 0,
          description:
            'Events that concern the list; null: not known, because the transaction was no longer kept when it was compared.',
        }),
      ),
      optalt: Type.Array(
        closed({
          entitet: Type.String(),
          ny: count,
          aendret: count,
          ophoert: count,
          ulaeselig: count,
        }),
      ),
      numre: Type.Array(Type.Integer(), {
        description: `Numbers of the events, the first ${payload.numbers}.`,
      }),
      haendelser: Type.Array(watchedEvent, {
        maxItems: payload.events,
        description: 'The first events, without a gap; the others by GET /v1/aendringer.',
      }),
    }),
    example: {
      ...{
        liste: 'watch_7m2qxk4vd3hbn5zcw6ta',
        navn: 'Vores ejendomme',
        type: 'bfe',
        proeve: false,
      },
      ...{ transaktion: 812, register: 'bbr', tidspunkt: '2026-11-21T03:12:00.000Z', antal: 1 },
      optalt: [{ entitet: 'Etage', ny: 0, aendret: 1, ophoert: 0, ulaeselig: 0 }],
      numre: [40_112],
      haendelser: [
        {
          ...{ nr: 40_112, operation: 'aendret', entitet: 'Etage' },
          noegle: '0a3f50b4-2737-32b8-e044-0003ba298018',
          foer: { eta020: 120 },
          efter: { eta020: 132 },
          ...{ virkning_fra: '2026-11-20T23:00:00.000Z', udeladt: [], objekter: [100_453] },
        },
      ],
    },
  },
  ping: {
    summary: 'The test operation was asked for',
    data: closed({}),
    example: {},
  },
};

const DELIVERY = 'webhookDelivery_7m2qxk4vd3hbn5zcw6ta';

const HEADERS = [
  ['X-Service-Event', 'The name of the event.', null],
  ['X-Service-Delivery', 'The id of the delivery, the same on every attempt.', DELIVERY],
  [
    'X-Service-Signature',
    'sha256= and the hexadecimal HMAC-SHA256 of the raw body, keyed with the whole secret.',
    `sha256=${'0'.repeat(64)}`,
  ],
  ['webhook-id', 'Standard Webhooks: the id of the delivery.', DELIVERY],
  ['webhook-timestamp', 'Standard Webhooks: the second of the attempt.', '1795262400'],
  [
    'webhook-signature',
    'Standard Webhooks: v1, and the base64 HMAC-SHA256 of id.timestamp.body, keyed with the bytes of the secret; ' +
      'two with a space between them for a day after a new secret.',
    `v1,${'0'.repeat(43)}=`,
  ],
] as const;

export function publishedWebhooks(): Record<string, { post: object }> {
  return Object.fromEntries(
    Object.entries(PAYLOADS).map(([event, payload]) => [
      event,
      { post: operationOf(event, payload) },
    ]),
  );
}

function operationOf(event: string, { summary, data, example }: Payload): object {
  const schema = closed({
    id: Type.String({ description: 'Prefixed webhookDelivery_; equals X-Service-Delivery.' }),
    event: Type.Unsafe<string>({ type: 'string', enum: [event] }),
    created: Type.String({ format: 'date-time', description: 'When it happened, UTC.' }),
    data,
  });
  const value = { id: DELIVERY, event, created: '2026-11-21T12:00:00.000Z', data: example };
  const named = event.replace(/[^a-z]+(.)/g, (_, next: string) => next.toUpperCase());
  return {
    operationId: `${named}Webhook`,
    summary,
    tags: ['me'],
    security: [],
    parameters: HEADERS.map(([name, description, shown]) => ({
      name,
      in: 'header',
      required: true,
      description,
      schema: { type: 'string' },
      example: shown ?? event,
    })),
    requestBody: {
      required: true,
      // Plain JSON, without the schema library's markers.
      content: {
        'application/json': {
          schema: JSON.parse(JSON.stringify(schema)) as object,
          example: value,
        },
      },
    },
    responses: {
      '2XX': {
        description: 'Received. Anything else is tried again, at most five attempts in all.',
      },
    },
  };
}
