/** Schemas of the building-lines answers (interface: Building-lines lookup result; D5). */
import { Type } from 'typebox';
import { LIMITS } from '../../kernel/limits.ts';
import { LINE_KEYS } from '../../layers/keys.ts';
import type { LineKey } from '../../layers/keys.ts';
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
  ref,
} from '../../core/question/schemas.ts';

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
    traef: nullable(ref('Traef')),
    ophaevede: Type.Array(ref('Ophaevet'), { maxItems: LIMITS.repealedPerLine }),
    kilde: closed({ lag: text, wfs: text }),
  },
  { $id: 'Linje', description: 'One line at one point.' },
);

const lines = Object.fromEntries(LINE_KEYS.map((key) => [key, ref('Linje')])) as Record<
  LineKey,
  ReturnType<typeof ref>
>;

export const BuildingLinesSchema = closed(
  {
    punkt: PointRef,
    epsg25832: Epsg25832Schema,
    soegeradius_m: Type.Number(),
    linjer: closed(lines, { description: 'Always all ten lines.' }),
    antal_i_kraft: Type.Integer({ minimum: 0 }),
    utilgaengelige: Type.Array(oneOf(LINE_KEYS)),
    meta: MetaRef,
  },
  { $id: 'Byggelinjer', description: 'Ten building lines and protected nature at a point.' },
);

/** `skov` is the line object of the ten-line answer, so the two cannot disagree. */
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

const BatchBodySchema = closed({
  punkter: Type.Array(PointItemSchema, { minItems: 1, maxItems: LIMITS.linePointsPerBatch }),
});

const BatchSchema = closed({
  results: Type.Array(
    closed({
      id: Type.Optional(text),
      punkt: PointRef,
      byggelinjer: ref('Byggelinjer'),
    }),
  ),
  errors: Type.Array(PointErrorSchema),
  ...COUNTS,
  meta: MetaRef,
});

export const NATUR_SCHEMAS = [
  HitSchema,
  RepealedSchema,
  LineSchema,
  BuildingLinesSchema,
  ForestLineSchema,
] as const;

export const buildingLinesShape = {
  key: 'byggelinjer',
  summary: 'Building lines and protected nature at a point',
  tag: 'natur',
  query: COORDINATE_PARAMETERS,
  answer: ref('Byggelinjer'),
  headers: 'lines' as const,
  failures: [400],
};

export const forestLineShape = {
  key: 'skovbyggelinje',
  summary: 'The forest building line at a point',
  tag: 'natur',
  query: COORDINATE_PARAMETERS,
  answer: ref('Skovbyggelinje'),
  headers: 'lines' as const,
  failures: [400],
};

export const buildingLinesBatchShape = {
  key: 'byggelinjerBatch',
  summary: 'Building lines at up to 50 points, from one data generation',
  tag: 'natur',
  body: BatchBodySchema,
  answer: BatchSchema,
  headers: 'lines' as const,
  failures: [],
};
