/** Heights at one point or many (D8, D119, D120, D141). */
import { Type } from 'typebox';
import { LIMITS } from '../../kernel/limits.ts';
import { HEIGHT_SYSTEM, TERRAIN_MODELS } from './terrain.ts';
import {
  COORDINATE_PARAMETERS,
  Epsg25832Schema,
  MetaRef,
  PointRef,
  closed,
  nullable,
  oneOf,
} from '../../core/question/schemas.ts';
import { pointFromQuery } from '../../answers/coordinates.ts';
import { writeBatch } from '../../answers/batch-writer.ts';
import { JsonWriter } from '../../answers/json-writer.ts';
import { onlyAnswer, unitsOfAnswers } from '../../core/question/answers.ts';
import { ofPoints, pointsOf } from '../../core/question/batch.ts';
import { question } from '../../core/question/question.ts';
import { heightsMembers, writeHeight, writeOneHeight } from './answer.ts';
import type { TerrainLookups, Terrain } from './lookup.ts';
import { notConfigured } from './lookup.ts';

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

export const KoteSchema = closed(
  { ...HEIGHT, model: ANSWERED_MODEL, hoejdesystem: SYSTEM, meta: MetaRef },
  { $id: 'Kote', description: 'The height of the terrain at a point.' },
);

export const TERRAIN_SCHEMAS = [KoteSchema] as const;

const USUAL_MODEL = 'terraen';
const out = new JsonWriter();

const kote = question({
  key: 'dhmKote',
  called: { da: 'Terrænhøjde', en: 'Terrain height' },
  summary: 'The height of the terrain at a point',
  description: NO_GENERATION,
  tag: 'dhm',
  query: { ...COORDINATE_PARAMETERS, model: Type.Optional(MODEL) },
  answer: Type.Unsafe<unknown>({ $ref: 'Kote#' }),
  headers: 'heights' as const,
  failures: [400, 502],
  path: '/v1/dhm/kote',
  area: 'dhm',
  ask: async (ground: TerrainLookups, { model = USUAL_MODEL, ...place }, asker) => {
    const point = pointFromQuery(place);
    const { value, provenance } = await configured(ground).at(model, [point], asker);
    // A null is an answer too: the model has no data there (D119).
    return { value: onlyAnswer(value), facts: { generation: null, provenance }, units: 1 };
  },
  json: (height, { meta }, { model = USUAL_MODEL }) => {
    writeOneHeight(out, height, { model, meta });
    return out.take();
  },
});

const koteBatch = question({
  key: 'dhmKoteBatch',
  called: { da: 'Terrænhøjde, flere punkter', en: 'Terrain height, many points' },
  summary: `The height of the terrain at up to ${LIMITS.terrain.pointsPerBatch} points`,
  description: NO_GENERATION,
  tag: 'dhm',
  ...ofPoints({
    most: LIMITS.terrain.pointsPerBatch,
    description: 'Each answered point is billed once.',
    asks: { model: Type.Optional(MODEL) },
    results: HEIGHT,
    more: { model: ANSWERED_MODEL, hoejdesystem: SYSTEM },
  }),
  headers: 'heights' as const,
  path: '/v1/dhm/kote:batch',
  area: 'dhm',
  bodyLimit: LIMITS.bodyBytes.points,
  ask: async (ground: TerrainLookups, { punkter, model = USUAL_MODEL }, asker) => {
    const { items, points } = pointsOf(punkter);
    const { value: answers, provenance } = await configured(ground).at(model, points, asker);
    const facts = { generation: null, provenance };
    return { value: { items, answers }, facts, units: unitsOfAnswers(answers) };
  },
  json: (batch, { meta }, { model = USUAL_MODEL }) =>
    writeBatch(out, { ...batch, write: writeHeight, meta, more: heightsMembers(model) }),
});

export const TERRAIN_QUESTIONS = [kote, koteBatch];

function configured({ terrain }: TerrainLookups): Terrain {
  if (terrain !== null) return terrain;
  throw notConfigured();
}
