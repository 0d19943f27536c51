import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import { OPS_LIMITS } from '../../../ops/limits.ts';
import { MIRROR_IDS } from '../../../layers/mirror-ids.ts';
import { DATED_CHANGE } from './change-schema.ts';
import { ENDED_RUN } from './history-schema.ts';
import { closed, errors, nullable, oneOf, query } from '../../../core/question/schemas.ts';
import { GUARD, LAYER, RUN, RUN_WITH_ISSUES, UNREAD } from './layer-answer.ts';
import { OVERVIEW, RUNS } from './overview-answer.ts';
import { common, count, layerParams, whoActs } from './schema-parts.ts';

export const DRIFT_SCHEMAS = [
  GUARD,
  RUN,
  RUN_WITH_ISSUES,
  UNREAD,
  LAYER,
  DATED_CHANGE,
  ENDED_RUN,
].map(({ schema }) => schema);

export const overviewRoute = {
  operationId: 'driftLag',
  summary: 'The state of every layer, with its runs, refusals and fallbacks',
  ...common,
  response: {
    200: OVERVIEW.schema,
    ...errors(400, 401, 403, 503),
  },
};

export const runsRoute = {
  operationId: 'driftKoersler',
  summary: 'The runs of a layer, newest first',
  ...common,
  params: layerParams,
  querystring: query({
    antal: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: OPS_LIMITS.runsPerPage.max,
        default: OPS_LIMITS.runsPerPage.default,
        description: 'How many runs.',
      }),
    ),
    foer: Type.Optional(
      Type.String({ pattern: '^[1-9][0-9]{0,17}$', description: '`naeste` of the page before.' }),
    ),
  }),
  response: {
    200: RUNS.schema,
    ...errors(400, 401, 403, 404, 503),
  },
};

const who = whoActs('Who does it, for the record.');

export const syncRoute = {
  operationId: 'driftSynk',
  summary: 'Asks for a run of a layer, which may publish over released guards, once',
  ...common,
  params: layerParams,
  body: nullable(
    closed({
      frigiv: Type.Optional(
        Type.Array(Type.String({ maxLength: OPS_LIMITS.guardNameChars }), {
          maxItems: OPS_LIMITS.guardsPerRelease,
          description: 'Guards to release for this run.',
        }),
      ),
      af: who,
    }),
  ),
  response: {
    202: closed({
      lag: oneOf(MIRROR_IDS),
      svar: oneOf(['i_koe', 'koerer_allerede']),
      frigivet: Type.Array(Type.String()),
    }),
    ...errors(400, 401, 403, 404, 409, 413, 415, 503),
  },
};

export const revertRoute = {
  operationId: 'driftFortryd',
  summary: 'Publishes the version before `version` (absent: before the present one) again',
  ...common,
  params: layerParams,
  body: nullable(closed({ af: who, version: Type.Optional(count) })),
  response: {
    200: closed({ lag: oneOf(MIRROR_IDS), version: count, generation: count, antal: count }),
    ...errors(400, 401, 403, 404, 409, 413, 415, 503),
  },
};

export const snapshotRoute = {
  operationId: 'driftSnapshot',
  summary: 'The published version of a layer as FlatGeobuf',
  ...common,
  params: layerParams,
  response: {
    200: {
      description: 'The file.',
      content: {
        'application/octet-stream': {
          schema: Type.Unsafe<Readable>({ type: 'string', format: 'binary' }),
        },
      },
    },
    ...errors(400, 401, 403, 404, 503),
  },
};
