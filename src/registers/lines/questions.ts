/** Ten lines at a point, one of them, and ten at many points (D5, D10, D20). */
import { pointFromQuery } from '../../answers/coordinates.ts';
import { writeBatch } from '../../answers/batch-writer.ts';
import type { BatchAnswer } from '../../answers/batch-writer.ts';
import type { BuildingLinesAnswer } from '../../answers/answer.ts';
import { JsonWriter } from '../../answers/json-writer.ts';
import { onlyAnswer } from '../../core/question/answers.ts';
import { idsOf, pointCount, pointsOf } from '../../core/question/batch.ts';
import { question } from '../../core/question/question.ts';
import type { Answered } from '../../core/question/question.ts';
import type { Point } from '../../geo/point.ts';
import type { Deadline } from '../../kernel/deadline.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { LINE_KEYS } from '../../layers/keys.ts';
import type { LineKey } from '../../layers/keys.ts';
import { factsOf, linesBatch } from './answer.ts';
import type { LineLookups } from './compose.ts';
import { buildingLinesBatchShape, buildingLinesShape, forestLineShape } from './schema.ts';

/** One list for all requests: lists are memoized by identity. */
const FOREST_KEYS: readonly LineKey[] = ['skov'];
const out = new JsonWriter();

const ten = question(buildingLinesShape, {
  path: '/v1/natur/byggelinjer',
  area: 'natur',
  ask: ({ buildingLines }: LineLookups, given, asker) =>
    linesAt(buildingLines, { point: pointFromQuery(given), keys: LINE_KEYS }, asker),
  json: (answer, { renderer }) => {
    renderer.writeAll(out.begin(), answer);
    return out.take();
  },
  atOnce: {
    isReady: ({ buildingLines }) => (buildingLines.tryAnswerSync?.(LINE_KEYS) ?? null) !== null,
    answer: ({ buildingLines, renderer }, point, to) => {
      const lines = buildingLines.tryAnswerSync?.(LINE_KEYS) ?? null;
      if (lines === null) return null;
      const answer = lines.at(point);
      const answers = [answer];
      renderer.writeAll(to, answer);
      return { facts: factsOf(answers, lines.generation), units: unitsOf(answers) };
    },
  },
});

const forest = question(forestLineShape, {
  path: '/v1/natur/skovbyggelinje',
  area: 'natur',
  ask: ({ buildingLines }: LineLookups, given, asker) =>
    linesAt(buildingLines, { point: pointFromQuery(given), keys: FOREST_KEYS }, asker),
  json: (answer, { renderer }) => {
    renderer.writeForest(out.begin(), answer);
    return out.take();
  },
});

type Batch = Buffer | Pick<BatchAnswer<BuildingLinesAnswer>, 'items' | 'answers'>;

const batch = question(buildingLinesBatchShape, {
  path: '/v1/natur/byggelinjer:batch',
  area: 'natur',
  bodyLimit: LIMITS.bodyBytes.fewPoints,
  mostUnits: pointCount,
  ask: async (ground: LineLookups, { punkter }, asker): Promise<Answered<Batch>> => {
    const { items, points } = pointsOf(punkter);
    const layout = { ids: idsOf(items), labels: ground.sharedLabels };
    const page = (await ground.linePages?.render(points, layout, asker)) ?? null;
    if (page !== null) return { value: page.body, facts: page, units: page.answered };
    const { generation, value } = await ground.buildingLines.at(points, LINE_KEYS, asker);
    const facts = factsOf(value, generation);
    return { value: { items, answers: value }, facts, units: unitsOf(value) };
  },
  json: (value, { renderer }) =>
    'answers' in value ? writeBatch(out, linesBatch(renderer, value)) : value,
});

export const LINE_QUESTIONS = [ten, forest, batch];

async function linesAt(
  buildingLines: LineLookups['buildingLines'],
  { point, keys }: { readonly point: Point; readonly keys: readonly LineKey[] },
  asker: Deadline,
): Promise<Answered<BuildingLinesAnswer>> {
  const { generation, value } = await buildingLines.at([point], keys, asker);
  return { value: onlyAnswer(value), facts: factsOf(value, generation), units: unitsOf(value) };
}

/** One for each point of which at least one line could be answered (D62). */
function unitsOf(answers: readonly BuildingLinesAnswer[]): number {
  return answers.filter(({ lines }) => lines.some(({ status }) => status === 'ok')).length;
}
