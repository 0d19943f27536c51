/** Areas by theme and code, and those that cover a point; one or many (D4). */
import * as jobs from './job.ts';
import { Type } from 'typebox';
import { Last } from '../../kernel/last.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { THEMES } from '../../layers/keys.ts';
import type { Theme } from '../../layers/keys.ts';
import {
  AREA_LIST,
  COORDINATE_PARAMETERS,
  COUNTS,
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
import type { ReverseAreasAnswer, AreaAnswer } from '../../answers/answer.ts';
import { JsonWriter } from '../../answers/json-writer.ts';
import type { AnswerFacts } from '../../answers/provenance.ts';
import type { JsonPart } from '../../answers/json-pieces.ts';
import { onlyAnswer, unitsOfAnswers } from '../../core/question/answers.ts';
import { ofPoints, pointsOf } from '../../core/question/batch.ts';
import { question } from '../../core/question/question.ts';
import { Failure } from '../../kernel/failures.ts';
import { factsOf, writeAreasAt } from './answer.ts';
import type { AreaLookups } from './lookup.ts';
import { areaParts, areaTag, isStale } from './geometry.ts';
import { registerCode } from './lookup.ts';

/**
 * Duplicates count once, however padded (D40), in the first spelling. Throws invalid_request for
 * too many distinct codes (D49).
 */
function uniqueCodes(given: readonly string[]): string[] {
  const first = new Map<string, string>();
  for (const code of given) {
    const padded = registerCode(code) ?? code;
    if (!first.has(padded)) first.set(padded, code);
  }
  if (first.size > LIMITS.dagiCodesPerBatch) throw tooManyCodes();
  return [...first.values()];
}

function tooManyCodes(): Failure {
  const { dagiCodesPerBatch: most } = LIMITS;
  return new Failure('invalid_request', {
    error: `kode may have at most ${most} different codes; duplicates are counted once.`,
    errorDa: `kode må højst have ${most} forskellige koder; gentagelser tælles én gang.`,
  });
}

interface AreaError {
  readonly kode: string;
  readonly error: string;
  readonly status: number;
}

function sortAnswers(codes: readonly string[], answers: readonly (AreaAnswer | Failure)[]) {
  const found: AreaAnswer[] = [];
  const errors: AreaError[] = [];
  codes.forEach((code, index) => {
    const answer = answers[index];
    if (answer === undefined) throw new Error(`No answer for code ${index} of a batch.`);
    if (answer instanceof Failure) {
      errors.push({ kode: code, error: answer.message, status: answer.status });
    } else {
      found.push(answer);
    }
  });
  return { found, errors };
}

const text = Type.String();
const theme = oneOf<Theme>(THEMES);
const code = Type.String({
  maxLength: LIMITS.pathParameterChars,
  description: 'Code of the area in DAGI; shorter codes are padded with zeros.',
});

/** [polygon][ring][position], as a GeoJSON MultiPolygon (D43). */
const rings = (description: string) =>
  Type.Array(
    Type.Array(
      Type.Array(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }), { minItems: 4 }),
    ),
    { description },
  );

export const AreaSchema = closed(
  {
    tema: theme,
    kode: text,
    navn: text,
    regionskode: Type.String({
      description:
        'Code of the region that most of the area lies in. Empty until the regions are read.',
    }),
    geometri: nullable(
      closed({
        type: oneOf(['MultiPolygon']),
        coordinates: rings('WGS84, [lon, lat], right-hand rule, 7 decimals.'),
        epsg25832_rings: rings('The same rings in EPSG:25832, metres, 2 decimals.'),
      }),
    ),
    meta: closed({
      kilde: text,
      service_version: text,
      geometri_status: oneOf(
        ['live', 'stale', 'utilgaengelig'],
        '`live`: from a fresh copy or the register itself. `stale`: from an older copy. `utilgaengelig`: `geometri` is null.',
      ),
    }),
  },
  { $id: 'DagiOmraade', description: 'An administrative area.' },
);

const PLACE = {
  punkt: PointRef,
  epsg25832: Epsg25832Schema,
  antal: Type.Integer({ minimum: 0 }),
  omraader: AREA_LIST,
};

export const ReverseSchema = closed(
  { ...PLACE, meta: MetaRef },
  { $id: 'DagiReverse', description: 'The areas that cover a point; none at sea.' },
);

const AreaBatchSchema = closed({
  tema: theme,
  results: Type.Array(closed({ omraade: ref('DagiOmraade'), stale: Type.Boolean() })),
  errors: Type.Array(closed({ kode: text, error: text, status: Type.Integer() })),
  ...COUNTS,
});

export const DAGI_SCHEMAS = [AreaSchema, ReverseSchema] as const;

const out = new JsonWriter();
const lastFacts = new Last<AnswerFacts>();

const area = question({
  key: 'dagiOmraade',
  called: { da: 'Områder (DAGI)', en: 'Areas (DAGI)' },
  summary: 'One DAGI area by theme and code',
  tag: 'dagi',
  params: { tema: oneOf<Theme>(THEMES, 'Theme of the area.'), kode: code },
  answer: ref('DagiOmraade'),
  isTagged: true,
  failures: [400, 404, 502],
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

const batch = question({
  key: 'dagiBatch',
  called: { da: 'Områder (DAGI), flere ad gangen', en: 'Areas (DAGI), many at a time' },
  summary: `Up to ${LIMITS.dagiCodesPerBatch} DAGI areas of one theme`,
  tag: 'dagi',
  body: closed({
    tema: theme,
    kode: Type.Array(code, {
      minItems: 1,
      maxItems: LIMITS.dagiCodeItemsPerBatch,
      description:
        `At most ${LIMITS.dagiCodesPerBatch} different codes: duplicates are counted once, however ` +
        'they are padded.',
    }),
  }),
  answer: AreaBatchSchema,
  failures: [],
  path: '/v1/dagi:batch',
  area: 'dagi',
  bodyLimit: LIMITS.bodyBytes.codes,
  mostUnits: ({ kode }) => uniqueCodes(kode).length,
  ask: async ({ areas }: AreaLookups, { tema, kode }, asker) => {
    const codes = uniqueCodes(kode);
    const { generation, value, unknownBy = [] } = await areas.find(tema, codes, asker);
    const { found, errors } = sortAnswers(codes, value);
    const provenance = [...found.map((each) => each.provenance), ...unknownBy];
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

const reverse = question({
  key: 'dagiReverse',
  called: { da: 'Områder om et punkt', en: 'Areas around a point' },
  summary: 'The DAGI areas that cover a point',
  tag: 'dagi',
  query: COORDINATE_PARAMETERS,
  answer: ref('DagiReverse'),
  failures: [400, 502],
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
      const { generation } = areas;
      const facts = () => factsOf([answer], generation);
      return { facts: lastFacts.of([answer.provenance, generation], facts), units: 1 };
    },
  },
  jobKinds: Object.values(jobs),
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

const reverseBatch = question({
  key: 'dagiReverseBatch',
  called: { da: 'Områder om flere punkter', en: 'Areas around many points' },
  summary: 'The DAGI areas that cover each of up to 50 points',
  tag: 'dagi',
  ...ofPoints({ most: LIMITS.dagiPointsPerBatch, results: PLACE }),
  path: '/v1/dagi/reverse:batch',
  area: 'dagi',
  bodyLimit: LIMITS.bodyBytes.fewPoints,
  ask: async ({ reverseAreas }: AreaLookups, { punkter }, asker) => {
    const { items, points } = pointsOf(punkter);
    const { generation, value: answers } = await reverseAreas.at(points, asker);
    const facts = factsOf(answers, generation);
    return { value: { items, answers }, facts, units: unitsOfAnswers(answers) };
  },
  json: (found, { meta }) => writeBatch(out, { ...found, write: writeAreasAt, meta }),
});

export const AREA_QUESTIONS = [area, batch, reverse, reverseBatch];
