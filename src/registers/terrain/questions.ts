/** Heights of the terrain, at one point or many (D8, D119, D120, D141). */
import { pointFromQuery } from '../../answers/coordinates.ts';
import { writeBatch } from '../../answers/batch-writer.ts';
import { JsonWriter } from '../../answers/json-writer.ts';
import { onlyAnswer, unitsOfAnswers } from '../../core/question/answers.ts';
import { pointCount, pointsOf } from '../../core/question/batch.ts';
import { question } from '../../core/question/question.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { heightsMembers, writeHeight, writeOneHeight } from './answer.ts';
import type { TerrainLookups } from './compose.ts';
import { notConfigured } from './lookup.ts';
import type { Terrain } from './lookup.ts';
import { koteBatchShape, koteShape } from './schema.ts';

const USUAL_MODEL = 'terraen';
const out = new JsonWriter();

const kote = question(koteShape, {
  path: '/v1/dhm/kote',
  area: 'dhm',
  ask: async (ground: TerrainLookups, { model = USUAL_MODEL, ...place }) => {
    const point = pointFromQuery(place);
    const { value, provenance } = await configured(ground).at(model, [point]);
    // A null is an answer too: the model has no data there (D119).
    return { value: onlyAnswer(value), facts: { generation: null, provenance }, units: 1 };
  },
  json: (height, { meta }, { model = USUAL_MODEL }) => {
    writeOneHeight(out, height, { model, meta });
    return out.take();
  },
});

const koteBatch = question(koteBatchShape, {
  path: '/v1/dhm/kote:batch',
  area: 'dhm',
  bodyLimit: LIMITS.bodyBytes.points,
  mostUnits: pointCount,
  ask: async (ground: TerrainLookups, { punkter, model = USUAL_MODEL }) => {
    const { items, points } = pointsOf(punkter);
    const { value: answers, provenance } = await configured(ground).at(model, points);
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
