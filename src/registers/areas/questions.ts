/** Areas by theme and code, and those that cover a point; one or many (D4). */
import { pointFromQuery } from '../../answers/coordinates.ts';
import { writeBatch } from '../../answers/batch-writer.ts';
import type { ReverseAreasAnswer } from '../../answers/answer.ts';
import { JsonWriter } from '../../answers/json-writer.ts';
import type { JsonPart } from '../../answers/json-pieces.ts';
import { onlyAnswer, unitsOfAnswers } from '../../core/question/answers.ts';
import { pointCount, pointsOf } from '../../core/question/batch.ts';
import { question } from '../../core/question/question.ts';
import { Failure } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { LastHeaders, factsOf, writeAreasAt } from './answer.ts';
import { sortAnswers, uniqueCodes } from './batch-of-codes.ts';
import type { AreaLookups } from './compose.ts';
import { areaParts, areaTag, isStale } from './geometry.ts';
import { areaBatchShape, areaShape, reverseBatchShape, reverseShape } from './schema.ts';

const out = new JsonWriter();
const lastHeaders = new LastHeaders();

const area = question(areaShape, {
  path: '/v1/dagi/:tema/:kode',
  area: 'dagi',
  ask: async ({ areas }: AreaLookups, { tema, kode }, asker) => {
    const { generation, value } = await areas.find(tema, [kode], asker);
    const found = onlyAnswer(value);
    return { value: found, facts: { generation, provenance: [found.provenance] }, units: 1 };
  },
  json: (found, { meta }) => ({
    parts: areaParts(found, meta.kilde),
    tag: areaTag(found, meta.kilde),
  }),
});

const batch = question(areaBatchShape, {
  path: '/v1/dagi:batch',
  area: 'dagi',
  bodyLimit: LIMITS.bodyBytes.codes,
  mostUnits: ({ kode }) => uniqueCodes(kode).length,
  ask: async ({ areas }: AreaLookups, { tema, kode }, asker) => {
    const codes = uniqueCodes(kode);
    const { generation, value, unknownTo = [] } = await areas.find(tema, codes, asker);
    const { found, errors } = sortAnswers(codes, value);
    const provenance = [...found.map((each) => each.provenance), ...unknownTo];
    const facts = { generation, provenance };
    return { value: { codes, found, errors }, facts, units: found.length };
  },
  json: ({ codes, found, errors }, { meta }, { tema }) => {
    const results = found.flatMap((each, index): JsonPart[] => [
      index === 0 ? '{"omraade":' : ',{"omraade":',
      ...areaParts(each, meta.kilde),
      `,"stale":${isStale(each)}}`,
    ]);
    const tail = JSON.stringify({
      errors,
      requested: codes.length,
      succeeded: found.length,
      failed: errors.length,
    });
    return {
      parts: [`{"tema":${JSON.stringify(tema)},"results":[`, ...results, `],${tail.slice(1)}`],
    };
  },
});

const reverse = question(reverseShape, {
  path: '/v1/dagi/reverse',
  area: 'dagi',
  ask: async ({ reverseAreas }: AreaLookups, given, asker) => {
    const point = pointFromQuery(given);
    const { generation, value } = await reverseAreas.at([point], asker);
    return { value: onlyAnswer(value), facts: factsOf(value, generation), units: 1 };
  },
  json: (answer, ground) => {
    writeOne(out.begin(), answer, ground);
    return out.take();
  },
  atOnce: {
    isReady: ({ reverseAreas }) => (reverseAreas.tryAnswerSync?.() ?? null) !== null,
    answer: (ground, point, to) => {
      const areas = ground.reverseAreas.tryAnswerSync?.() ?? null;
      const answer = areas?.at(point) ?? null;
      // The full pipeline writes failures.
      if (areas === null || answer === null || answer instanceof Failure) return null;
      writeOne(to, answer, ground);
      return { facts: lastHeaders.of(answer, areas.generation), units: 1 };
    },
  },
});

function writeOne(
  to: JsonWriter,
  answer: ReverseAreasAnswer,
  { tail }: Pick<AreaLookups, 'tail'>,
): void {
  const { lon, lat } = answer.point.wgs84;
  to.ascii(`{"punkt":{"lon":${lon},"lat":${lat}}`);
  writeAreasAt(to, answer);
  to.text(tail);
}

const reverseBatch = question(reverseBatchShape, {
  path: '/v1/dagi/reverse:batch',
  area: 'dagi',
  bodyLimit: LIMITS.bodyBytes.fewPoints,
  mostUnits: pointCount,
  ask: async ({ reverseAreas }: AreaLookups, { punkter }, asker) => {
    const { items, points } = pointsOf(punkter);
    const { generation, value: answers } = await reverseAreas.at(points, asker);
    const facts = factsOf(answers, generation);
    return { value: { items, answers }, facts, units: unitsOfAnswers(answers) };
  },
  json: (found, { meta }) => writeBatch(out, { ...found, write: writeAreasAt, meta }),
});

export const AREA_QUESTIONS = [area, batch, reverse, reverseBatch];
