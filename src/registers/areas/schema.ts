import { Type } from 'typebox';
import { LIMITS } from '../../kernel/limits.ts';
import { THEMES } from '../../layers/keys.ts';
import type { Theme } from '../../layers/keys.ts';
import {
  AREA_LIST,
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
const theme = oneOf<Theme>(THEMES);
const code = Type.String({
  maxLength: LIMITS.pathParameterChars,
  description: 'Code of the area in DAGI; shorter codes are padded with zeros.',
});

/** [polygon][ring][position]: the nesting of a GeoJSON MultiPolygon (D43). */
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

const ReverseBatchSchema = closed({
  results: Type.Array(closed({ id: Type.Optional(text), ...PLACE })),
  errors: Type.Array(PointErrorSchema),
  ...COUNTS,
  meta: MetaRef,
});

const AreaBatchSchema = closed({
  tema: theme,
  results: Type.Array(closed({ omraade: ref('DagiOmraade'), stale: Type.Boolean() })),
  errors: Type.Array(closed({ kode: text, error: text, status: Type.Integer() })),
  ...COUNTS,
});

export const DAGI_SCHEMAS = [AreaSchema, ReverseSchema] as const;

export const areaShape = {
  key: 'dagiOmraade',
  summary: 'One DAGI area by theme and code',
  tag: 'dagi',
  params: { tema: oneOf<Theme>(THEMES, 'Theme of the area.'), kode: code },
  answer: ref('DagiOmraade'),
  isTagged: true,
  failures: [400, 404, 502],
};

export const areaBatchShape = {
  key: 'dagiBatch',
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
};

export const reverseShape = {
  key: 'dagiReverse',
  summary: 'The DAGI areas that cover a point',
  tag: 'dagi',
  query: COORDINATE_PARAMETERS,
  answer: ref('DagiReverse'),
  failures: [400, 502],
};

export const reverseBatchShape = {
  key: 'dagiReverseBatch',
  summary: 'The DAGI areas that cover each of up to 50 points',
  tag: 'dagi',
  body: closed({
    punkter: Type.Array(PointItemSchema, { minItems: 1, maxItems: LIMITS.dagiPointsPerBatch }),
  }),
  answer: ReverseBatchSchema,
  failures: [],
};
