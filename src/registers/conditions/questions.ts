/** Conditions at a point, or at up to 50 (D210). */
import { Type } from 'typebox';
import { epsg25832 } from '../../answers/numbers.ts';
import { pointFromQuery } from '../../answers/coordinates.ts';
import { ofPoints, pointsOf } from '../../core/question/batch.ts';
import { question } from '../../core/question/question.ts';
import {
  COORDINATE_PARAMETERS,
  Epsg25832Schema,
  MetaRef,
  PointRef,
  closed,
  nullable,
  oneOf,
  ref,
  stated,
} from '../../core/question/schemas.ts';
import type { Point } from '../../geo/point.ts';
import { Failure } from '../../kernel/failures.ts';
import { rowError } from '../../core/rows/row-errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { CONDITIONS } from '../../layers/conditions/index.ts';
import { LINE_KEYS } from '../../layers/keys.ts';
import { MOST_OBJECTS } from './lookup.ts';
import type { ConditionLookups, PointAnswer } from './register-lookups.ts';

const text = Type.String();
const count = Type.Integer({ minimum: 0 });
const metres = nullable(Type.Number());

export const CONDITION_KEYS: readonly string[] = [
  ...CONDITIONS.map(({ key }) => key),
  ...LINE_KEYS,
];

const STATUS = oneOf(
  ['ok', 'ikke_kortlagt', 'utilgaengelig'],
  'Read this before the rest. ikke_kortlagt: the register has not looked here, which is no "no".',
);

export const ObjectSchema = Type.Object(
  {
    objekt_id: text,
    objektets_areal_m2: metres,
    kun_naevnt_i_tekst: Type.Optional(
      Type.Boolean({ description: 'It lies beside the ground, and names a parcel of it in text.' }),
    ),
  },
  {
    $id: 'Forholdsobjekt',
    additionalProperties: true,
    description: 'An object of the register, with the fields that its layer has.',
  },
);

export const HEAD = {
  navn: text,
  hjemmel: text,
  geometri: oneOf(['flade', 'linje']),
  status: STATUS,
};

export const TAIL = {
  antal: nullable(count),
  objekter: Type.Array(ref('Forholdsobjekt'), { maxItems: MOST_OBJECTS }),
  flere: Type.Integer({ minimum: 0, description: 'Objects that are not listed.' }),
  fravaer: nullable(
    Type.String({ description: 'What it means that nothing is here, where that is so. Danish.' }),
  ),
  kilde: closed({ lag: text, wfs: text, kreditering: text }),
  alder_s: nullable(count),
};

export const ConditionSchema = closed(
  {
    ...HEAD,
    inden_for: nullable(Type.Boolean()),
    afstand_m: nullable(
      Type.Number({ description: 'To the nearest object within the radius; null: there is none.' }),
    ),
    ...TAIL,
  },
  { $id: 'Forhold', description: 'One condition at one point.' },
);

export const keyed = (schema: string, description: string) =>
  Type.Object(Object.fromEntries(CONDITION_KEYS.map((key) => [key, Type.Optional(ref(schema))])), {
    additionalProperties: false,
    description,
  });

export const UNAVAILABLE = Type.Array(oneOf(CONDITION_KEYS));

export const ConditionsSchema = closed(
  {
    punkt: PointRef,
    epsg25832: Epsg25832Schema,
    soegeradius_m: Type.Number(),
    forhold: keyed('Forhold', 'All conditions and the building lines, or those asked for.'),
    utilgaengelige: UNAVAILABLE,
    meta: MetaRef,
  },
  { $id: 'ForholdIPunkt', description: 'What applies at a point. Advisory: the registers decide.' },
);

export const CONDITION_SCHEMAS = [ObjectSchema, ConditionSchema, ConditionsSchema] as const;

const KEY = `\\s*(?:${CONDITION_KEYS.join('|')})\\s*`;

export const LAYER_PARAMETER = Type.Optional(
  stated(
    Type.String({
      maxLength: 2_000,
      description: 'Only these: their keys in forhold, separated by commas.',
    }),
    { pattern: `^${KEY}(?:,${KEY})*$` },
  ),
);

/** null: all. Throws invalid_request for an unknown key. */
export function keysOf(lag: string | readonly string[] | undefined): readonly string[] | null {
  if (lag === undefined) return null;
  const asked = (typeof lag === 'string' ? lag.split(',') : lag).map((key) => key.trim());
  const unknown = asked.filter((key) => !CONDITION_KEYS.includes(key));
  if (unknown.length === 0 && asked.length > 0) return asked;
  const named = unknown.map((key) => JSON.stringify(key.slice(0, 40))).join(', ');
  const keys = CONDITION_KEYS.join(', ');
  throw new Failure('invalid_request', rowError('noLayer', { named, keys }));
}

export const POINT_QUESTION = question({
  key: 'forhold',
  called: { da: 'Forhold i et punkt', en: 'Conditions at a point' },
  summary: 'What applies at a point',
  tag: 'forhold',
  query: { ...COORDINATE_PARAMETERS, lag: LAYER_PARAMETER },
  answer: ref('ForholdIPunkt'),
  failures: [400],
  path: '/v1/forhold',
  area: 'miljoe',
  ask: async ({ conditions }: ConditionLookups, { lag, ...given }, asker) => {
    const { answers, facts } = await conditions.at([pointFromQuery(given)], keysOf(lag), asker);
    const [value] = answers;
    if (value === undefined) throw new Error('The lookup gave no answer.');
    return { value, facts, units: unitsOf(answers) };
  },
  json: (answer, { conditions }) => JSON.stringify(shape(answer, conditions)),
});

export const BATCH_QUESTION = question({
  key: 'forholdBatch',
  called: { da: 'Forhold i flere punkter', en: 'Conditions at many points' },
  summary: 'What applies at up to 50 points',
  tag: 'forhold',
  ...ofPoints({
    most: LIMITS.linePointsPerBatch,
    asks: { lag: Type.Optional(Type.Array(oneOf(CONDITION_KEYS), { minItems: 1, maxItems: 100 })) },
    results: { punkt: PointRef, forhold: ref('ForholdIPunkt') },
  }),
  path: '/v1/forhold:batch',
  area: 'miljoe',
  bodyLimit: LIMITS.bodyBytes.fewPoints,
  ask: async ({ conditions }: ConditionLookups, { punkter, lag }, asker) => {
    const { items, points } = pointsOf(punkter);
    const { answers, facts } = await conditions.at(points, keysOf(lag), asker);
    return { value: { items, answers }, facts, units: unitsOf(answers) };
  },
  json: ({ items, answers }, { conditions }) =>
    JSON.stringify({
      results: answers.map((answer, n) => {
        const id = items[n]?.id;
        return {
          ...(id !== undefined && { id }),
          punkt: wgs84(answer.point),
          forhold: shape(answer, conditions),
        };
      }),
      errors: [],
      ...{ requested: answers.length, succeeded: answers.length, failed: 0 },
      meta: conditions.meta,
    }),
});

export function shape(
  { point, layers, unavailable }: PointAnswer,
  { meta, searchRadiusM }: ConditionLookups['conditions'],
) {
  return {
    punkt: wgs84(point),
    epsg25832: epsg25832(point),
    soegeradius_m: searchRadiusM,
    forhold: layers,
    utilgaengelige: unavailable,
    meta,
  };
}

function wgs84({ wgs84: { lon, lat } }: Point) {
  return { lon, lat };
}

/** One for each point with an answered condition (D62). */
function unitsOf(answers: readonly PointAnswer[]): number {
  return answers.filter(
    ({ layers, unavailable }) => Object.keys(layers).length > unavailable.length,
  ).length;
}
