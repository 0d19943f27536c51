/** All lines at a point, one of them, and all at many points (D5, D10, D20). */
import * as jobs from './job.ts';
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { LIMITS } from '../../kernel/limits.ts';
import { LINE_KEYS } from '../../layers/keys.ts';
import type { LineKey } from '../../layers/keys.ts';
import {
  COORDINATE_PARAMETERS,
  Epsg25832Schema,
  MetaRef,
  PointRef,
  closed,
  nullable,
  oneOf,
  ref,
} from '../../core/question/schemas.ts';
import { pointFromQuery } from '../../answers/coordinates.ts';
import { writeBatch } from '../../answers/batch-writer.ts';
import type { BatchAnswer } from '../../answers/batch-writer.ts';
import type { BuildingLinesAnswer } from '../../answers/answer.ts';
import { JsonWriter } from '../../answers/json-writer.ts';
import { onlyAnswer } from '../../core/question/answers.ts';
import { idsOf, ofPoints, pointsOf } from '../../core/question/batch.ts';
import { question } from '../../core/question/question.ts';
import type { Answered } from '../../core/question/question.ts';
import type { Point } from '../../geo/point.ts';
import type { Deadline } from '../../kernel/deadline.ts';
import { factsOf, linesBatch } from './answer.ts';
import type { LineLookups } from './pages.ts';

const text = Type.String();
const textOrNull = nullable(text);
const instantOrNull = nullable(Type.String({ format: 'date-time' }));

const HIT = {
  objekt_id: text,
  i_kraft: Type.Boolean(),
  status: closed({ kode: textOrNull, navn: text }),
  kategori: textOrNull,
  naturtype: textOrNull,
  beskyttelsesaarsag: textOrNull,
  anlaegstype: textOrNull,
  datering: textOrNull,
  fredningsstatus: textOrNull,
  digetype: textOrNull,
  dokument_url: textOrNull,
  areal_m2: nullable(Type.Number()),
  gaeldende_fra: instantOrNull,
  registreret: instantOrNull,
  kommune: closed({ navn: textOrNull, cvr_kode: textOrNull }),
};

export const HitSchema = closed(HIT, {
  $id: 'Traef',
  description: 'The registered feature that puts a line in force.',
});

export const RepealedSchema = closed(
  { ...HIT, afstand_m: Type.Number() },
  { $id: 'Ophaevet', description: 'A repealed feature within the radius.' },
);

export const LineSchema = closed(
  {
    navn: text,
    hjemmel: text,
    geometri: oneOf(['flade', 'linje']),
    status: oneOf(['ok', 'utilgaengelig'], 'Read this before inden_for.'),
    inden_for: nullable(Type.Boolean()),
    usikker: Type.Boolean(),
    afstand_m: nullable(Type.Number()),
    antal: Type.Integer({ minimum: 0 }),
    traef: nullable(ref<Static<typeof HitSchema>>('Traef')),
    ophaevede: Type.Array(ref<Static<typeof RepealedSchema>>('Ophaevet'), {
      maxItems: LIMITS.repealedPerLine,
    }),
    kilde: closed({ lag: text, wfs: text }),
  },
  { $id: 'Linje', description: 'One line at one point.' },
);

const line = ref<Static<typeof LineSchema>>('Linje');
const lines = Object.fromEntries(LINE_KEYS.map((key) => [key, line])) as Record<
  LineKey,
  typeof line
>;

export const BuildingLinesSchema = closed(
  {
    punkt: PointRef,
    epsg25832: Epsg25832Schema,
    soegeradius_m: Type.Number(),
    linjer: closed(lines, { description: 'Always all lines.' }),
    antal_i_kraft: Type.Integer({ minimum: 0 }),
    utilgaengelige: Type.Array(oneOf(LINE_KEYS)),
    meta: MetaRef,
  },
  { $id: 'Byggelinjer', description: 'Building lines and protected nature at a point.' },
);

/** The line object of the answer with all, so the two cannot disagree. */
export const ForestLineSchema = closed(
  {
    punkt: PointRef,
    epsg25832: Epsg25832Schema,
    soegeradius_m: Type.Number(),
    skov: ref('Linje'),
    meta: MetaRef,
  },
  { $id: 'Skovbyggelinje', description: 'The forest building line at a point.' },
);

export const NATUR_SCHEMAS = [
  HitSchema,
  RepealedSchema,
  LineSchema,
  BuildingLinesSchema,
  ForestLineSchema,
] as const;

/** Lists are memoized by identity. */
const FOREST_KEYS: readonly LineKey[] = ['skov'];
const out = new JsonWriter();

const ten = question({
  key: 'byggelinjer',
  called: { da: 'Byggelinjer', en: 'Building lines' },
  summary: 'Building lines and protected nature at a point',
  tag: 'natur',
  query: COORDINATE_PARAMETERS,
  answer: ref('Byggelinjer'),
  headers: 'lines' as const,
  failures: [400],
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
  jobKinds: Object.values(jobs),
});

const forest = question({
  key: 'skovbyggelinje',
  called: { da: 'Skovbyggelinje', en: 'Forest building line' },
  summary: 'The forest building line at a point',
  tag: 'natur',
  query: COORDINATE_PARAMETERS,
  answer: ref('Skovbyggelinje'),
  headers: 'lines' as const,
  failures: [400],
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

const batch = question({
  key: 'byggelinjerBatch',
  called: { da: 'Byggelinjer, flere punkter', en: 'Building lines, many points' },
  summary: 'Building lines at up to 50 points, from one data generation',
  tag: 'natur',
  ...ofPoints({
    most: LIMITS.linePointsPerBatch,
    results: { punkt: PointRef, byggelinjer: ref('Byggelinjer') },
  }),
  headers: 'lines' as const,
  path: '/v1/natur/byggelinjer:batch',
  area: 'natur',
  bodyLimit: LIMITS.bodyBytes.fewPoints,
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

/** One for each point with an answered line (D62). */
function unitsOf(answers: readonly BuildingLinesAnswer[]): number {
  return answers.filter(({ lines }) => lines.some(({ status }) => status === 'ok')).length;
}
