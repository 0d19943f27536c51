/** Schemas of the past as operators see it (D15): a layer's history, two versions, days. */
import { Type } from 'typebox';
import { OPS_LIMITS } from '../../../ops/limits.ts';
import { FEATURE_IDS, MIRROR_IDS } from '../../../layers/mirror-ids.ts';
import type { Shape } from '../../../ops/version-difference.ts';
import { closed, errors, nullable, oneOf, query, ref } from '../../../core/question/schemas.ts';
import { DIFFERENCE_NAMES, RUN_KINDS, RUN_STATES } from './names.ts';
import { common, count, layerParams, time } from './schema-parts.ts';

const ENDED = Object.values(RUN_STATES).filter((state) => state !== RUN_STATES.running);

export const EndedRunSchema = closed(
  {
    id: Type.String(),
    slags: oneOf(Object.values(RUN_KINDS)),
    tilstand: oneOf(ENDED),
    sluttet: time,
    varighed_ms: count,
    synket: nullable(
      Type.String({
        format: 'date-time',
        description: 'When the copy behind it had been proved; null: not on record.',
      }),
    ),
    version: nullable(count),
    antal: nullable(count),
    areal_m2: nullable(
      Type.Number({ minimum: 0, description: 'Null: not on record, or a register of tables.' }),
    ),
    afvist_af: Type.Array(Type.String(), { description: 'The guards that refused it.' }),
    frigivet: Type.Array(Type.String()),
    bedt_af: nullable(Type.String()),
  },
  { $id: 'AfsluttetKoersel', description: 'A run that has ended, and what it led to.' },
);

const knownVersion = closed({ version: count, udgivet: time });

const days = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: OPS_LIMITS.historyDays.max,
    default: OPS_LIMITS.historyDays.default,
    description: 'How many days back.',
  }),
);

export const historyRoute = {
  operationId: 'driftHistorik',
  summary: 'What a layer went through: its age, runs and versions over the last days',
  ...common,
  params: layerParams,
  querystring: query({ dage: days }),
  response: {
    200: closed({
      lag: oneOf(MIRROR_IDS),
      fra: Type.String({
        format: 'date-time',
        description: 'From when on `koersler` are whole; later than asked for where they are many.',
      }),
      til: time,
      frist_s: count,
      yderste_frist_s: count,
      synket_foer: nullable(
        Type.String({
          format: 'date-time',
          description:
            'When the copy that answered at `fra` had been proved; null: there was none, or it is ' +
            'not on record. The age at an instant counts from `synket` of the latest run that had ' +
            'ended well by then.',
        }),
      ),
      koersler: Type.Array(ref('AfsluttetKoersel'), {
        maxItems: OPS_LIMITS.historyRuns,
        description: 'Oldest first.',
      }),
      versioner: Type.Array(ref('AfsluttetKoersel'), {
        maxItems: OPS_LIMITS.historyVersionsShown,
        description: 'The runs that published the latest versions, newest first.',
      }),
      kan_sammenlignes: Type.Array(knownVersion, {
        description: 'Versions whose content is kept, newest first; of a register none.',
      }),
    }),
    ...errors(400, 401, 403, 404, 503),
  },
};

const version = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: OPS_LIMITS.versionMax, description }));

const shape = nullable(
  Type.Unsafe<Shape>({
    type: 'object',
    required: ['type', 'coordinates'],
    properties: { type: { type: 'string' }, coordinates: { type: 'array', items: {} } },
    description: 'As GeoJSON has it, but in metres of EPSG:25832.',
  }),
);

export const differenceRoute = {
  operationId: 'driftForskel',
  summary: 'What differs between two versions of a layer, with the shapes',
  ...common,
  params: layerParams,
  querystring: query({
    fra: version('The earlier version; the one before `til` unless told.'),
    til: version('The later version; the one in service unless told.'),
  }),
  response: {
    200: closed({
      lag: oneOf(FEATURE_IDS),
      fra: knownVersion,
      til: knownVersion,
      tal: closed(
        Object.fromEntries(Object.values(DIFFERENCE_NAMES).map((name) => [name, count])),
        {
          description: 'Of all features that differ, also those that are too many to be shown.',
        },
      ),
      objekter: Type.Array(
        closed({
          noegle: Type.String(),
          objekt_id: Type.String(),
          art: oneOf(Object.values(DIFFERENCE_NAMES)),
          foer: shape,
          efter: shape,
        }),
        {
          maxItems: OPS_LIMITS.differenceFeatures,
          description: 'Those with the fewest vertices first, as many as are shown.',
        },
      ),
    }),
    ...errors(400, 401, 403, 404, 409, 503),
  },
};

export const daysRoute = {
  operationId: 'driftDage',
  summary: 'The self-audit and jobs by day',
  ...common,
  querystring: query({ dage: days }),
  response: {
    200: closed({
      dage: Type.Array(
        closed({
          dag: Type.String({ format: 'date', description: 'A day in Denmark.' }),
          kontrol: nullable(
            closed(
              { sammenlignet: count, afvigelser: count, alarmer: count, sprunget_over: count },
              { description: 'Memory held against the store; null: nothing is on record.' },
            ),
          ),
          job: closed(
            {
              faerdige: count,
              fejlede: count,
              annullerede: count,
              raekker: count,
              raekker_med_fejl: count,
            },
            { description: 'Jobs that ended that day and were not deleted since.' },
          ),
        }),
        { maxItems: OPS_LIMITS.historyDays.max, description: 'Oldest first; today is the last.' },
      ),
    }),
    ...errors(400, 401, 403, 503),
  },
};
