/** Shapes of the terrain's heights (D119, D120, D141). */
import { Type } from 'typebox';
import { LIMITS } from '../../kernel/limits.ts';
import { HEIGHT_SYSTEM, TERRAIN_MODELS } from './terrain.ts';
import {
  COORDINATE_PARAMETERS,
  COUNTS,
  Epsg25832Schema,
  MetaRef,
  PointErrorSchema,
  PointItemSchema,
  PointRef,
  closed,
  nullable,
  oneOf,
} from '../../core/question/schemas.ts';

/** D148. */
const NO_GENERATION =
  'Heights come from tiles and from live sources, not from the mirrored data: X-Service-Generation is absent.';

const MODEL = oneOf(
  TERRAIN_MODELS,
  'terraen: the ground. overflade: with what stands on it. terraen where absent.',
);
const ANSWERED_MODEL = oneOf(TERRAIN_MODELS, 'The model that was asked.');
const SYSTEM = oneOf([HEIGHT_SYSTEM], 'The height system, Dansk Vertikal Reference 1990.');

const HEIGHT = {
  punkt: PointRef,
  epsg25832: Epsg25832Schema,
  kote_m: nullable(
    Type.Number({
      description:
        'Metres, 2 decimals. null: the model has nothing there, as at sea; never to be read as 0.',
    }),
  ),
  oploesning_m: Type.Number({ description: 'Metres of a cell of the raster that answered.' }),
};

const KoteSchema = closed(
  { ...HEIGHT, model: ANSWERED_MODEL, hoejdesystem: SYSTEM, meta: MetaRef },
  { $id: 'Kote', description: 'The height of the terrain at a point.' },
);

export const TERRAIN_SCHEMAS = [KoteSchema] as const;

export const koteShape = {
  key: 'dhmKote',
  summary: 'The height of the terrain at a point',
  description: NO_GENERATION,
  tag: 'dhm',
  query: { ...COORDINATE_PARAMETERS, model: Type.Optional(MODEL) },
  answer: Type.Unsafe<unknown>({ $ref: 'Kote#' }),
  headers: 'heights' as const,
  failures: [400, 502],
};

export const koteBatchShape = {
  key: 'dhmKoteBatch',
  summary: `The height of the terrain at up to ${LIMITS.terrain.pointsPerBatch} points`,
  description: NO_GENERATION,
  tag: 'dhm',
  body: closed({
    punkter: Type.Array(PointItemSchema, {
      minItems: 1,
      maxItems: LIMITS.terrain.pointsPerBatch,
      description: 'Each answered point is billed once.',
    }),
    model: Type.Optional(MODEL),
  }),
  answer: closed({
    results: Type.Array(closed({ id: Type.Optional(Type.String()), ...HEIGHT })),
    errors: Type.Array(PointErrorSchema),
    ...COUNTS,
    model: ANSWERED_MODEL,
    hoejdesystem: SYSTEM,
    meta: MetaRef,
  }),
  headers: 'heights' as const,
  failures: [],
};
