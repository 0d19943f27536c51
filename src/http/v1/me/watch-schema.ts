import { Type } from 'typebox';
import {
  BODY_STATUSES,
  STATED,
  closed,
  errors,
  idOf,
  nullable,
  oneOf,
  query,
} from '../../../core/question/schemas.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { MIRROR_IDS } from '../../../layers/mirror-ids.ts';
import { WATCH_KINDS } from '../../../watch/kinds.ts';
import { WATCH_LIMITS } from '../../../watch/limits.ts';
import type { SentObject } from '../../../watch/lists.ts';
import { ref } from '../../../core/question/schemas.ts';

const { nameChars, objects: most, polygons, objectChars, page, perAccount, tests } = WATCH_LIMITS;
const time = Type.String({ format: 'date-time' });
const navn = Type.String({
  minLength: nameChars.min,
  maxLength: nameChars.max,
  description: 'Name of the list.',
  examples: ['Vores ejendomme'],
});
const type = oneOf(
  WATCH_KINDS,
  'What the objects are: `adresse`, addresses or house numbers by UUID; `bfe`, properties by BFE number; ' +
    '`jordstykke`, parcels as `<ejerlav_kode>-<matrikelnummer>`; `polygon`, areas.',
);
const typeParameter = { ...type, examples: ['bfe'] };
const objekter = Type.Array(
  Type.Unsafe<SentObject>({
    anyOf: [
      { type: 'string', minLength: 1, maxLength: objectChars },
      { type: 'integer', minimum: LIMITS.bfe.min, maximum: LIMITS.bfe.max },
      {
        type: 'object',
        required: ['type', 'coordinates'],
        additionalProperties: false,
        properties: {
          type: { type: 'string', maxLength: 20, [STATED]: { enum: ['Polygon', 'MultiPolygon'] } },
          coordinates: { type: 'array' },
        },
      },
    ],
  }),
  {
    minItems: 1,
    maxItems: most,
    description: `At most ${most} objects of the list's type, ${polygons} polygons: GeoJSON in degrees, or WKT, which may begin with SRID=25832;.`,
  },
);
const paa_pause = Type.Boolean({ description: 'On: nothing is compared, and nothing is sent.' });

export const WatchListSchema = closed(
  {
    id: Type.String({ description: 'Prefixed watch_.' }),
    ...{ navn, type },
    antal: Type.Integer({ description: 'Objects.' }),
    paa_pause,
    registre: Type.Array(oneOf(MIRROR_IDS), {
      description:
        'What is compared: registers that such objects change with and a secret key of the account may read.',
    }),
    modtagere: Type.Integer({
      description: 'Enabled webhooks of the account with the event watch.changed.',
    }),
    sammenlignet_til: Type.Integer({
      description: 'The last transaction of the change log that the list was compared with.',
    }),
    seneste_fund: nullable(
      closed({
        transaktion: Type.Integer(),
        antal: nullable(Type.Integer({ description: 'Events; null: they were no longer kept.' })),
        tidspunkt: time,
      }),
    ),
    ...{ oprettet: time, aendret: time },
  },
  { $id: 'Overvaagningsliste', description: 'Objects whose changes are sent by webhook.' },
);
const WatchListRef = ref('Overvaagningsliste');

const session = { tags: ['me'], security: [{ session: [] }] };
const common = { ...session, querystring: query({}) };
const params = idOf('watch-list');
const statuses = [...BODY_STATUSES, 401, 403, 503] as const;
const csv = {
  'text/csv': {
    schema: Type.String({
      description:
        'An object a line: of parcels the two columns ejerlav_kode and matrikelnummer, of polygons WKT. A first line without a digit is a heading.',
    }),
  },
};
const liste = closed({ liste: WatchListRef });

export const createWatchRoute = {
  ...session,
  operationId: 'opretOvervaagning',
  summary: 'Makes a watch-list: changes of its objects are sent as the event watch.changed',
  description:
    `An account has at most ${perAccount} lists. It begins with the next publication. As CSV the body is the ` +
    'objects, and navn and type are parameters.',
  querystring: query({ navn: Type.Optional(navn), type: Type.Optional(typeParameter) }),
  body: { content: { 'application/json': { schema: closed({ navn, type, objekter }) }, ...csv } },
  response: { 201: liste, ...errors(...statuses, 409, 429) },
};

export const watchesRoute = {
  ...common,
  operationId: 'overvaagninger',
  summary: "The account's watch-lists, without their objects, oldest first",
  response: { 200: closed({ lister: Type.Array(WatchListRef) }), ...errors(400, 401, 403, 503) },
};

export const watchRoute = {
  ...session,
  operationId: 'overvaagning',
  summary: 'A watch-list and a page of its objects',
  params,
  querystring: query({
    fra: Type.Optional(
      Type.Integer({
        ...{ minimum: 0, maximum: most, default: 0, examples: [0] },
        description: 'Objects to pass over.',
      }),
    ),
    antal: Type.Optional(
      Type.Integer({
        ...{ minimum: 1, maximum: page.max, default: page.default, examples: [page.default] },
        description: 'Objects in the answer, at most.',
      }),
    ),
  }),
  response: {
    200: closed({
      liste: WatchListRef,
      objekter: Type.Array(Type.Any(), {
        description: 'In an order of their own, polygons as they were sent.',
      }),
    }),
    ...errors(400, 401, 403, 404, 503),
  },
};

export const changeWatchRoute = {
  ...session,
  operationId: 'aendrOvervaagning',
  summary: 'Changes a watch-list: its name, its objects as a whole, or whether it is paused',
  description: 'What is published during a pause is not sent later.',
  params,
  querystring: query({}),
  body: {
    content: {
      'application/json': {
        schema: closed({
          navn: Type.Optional(navn),
          paa_pause: Type.Optional(paa_pause),
          objekter: Type.Optional(objekter),
        }),
      },
      ...csv,
    },
  },
  response: { 200: liste, ...errors(...statuses, 404, 429) },
};

export const removeWatchRoute = {
  ...common,
  operationId: 'sletOvervaagning',
  summary: 'Removes a watch-list; what waits for delivery is still sent',
  params,
  response: {
    204: { description: 'The list is removed.', type: 'null' },
    ...errors(...statuses, 404),
  },
};

export const testWatchRoute = {
  ...common,
  operationId: 'proevOvervaagning',
  summary: 'Sends a test of the list to the webhooks with watch.changed',
  description: `At most ${tests.limit} a minute of an account.`,
  params,
  body: nullable(closed({})),
  response: {
    202: closed({ modtagere: Type.Integer({ description: 'Webhooks that it is sent to.' }) }),
    ...errors(...statuses, 404, 409, 429),
  },
};
