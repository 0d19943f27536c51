import { Type } from 'typebox';
import { LIMITS } from '../../kernel/limits.ts';
import { THEMES } from '../../layers/keys.ts';
import type { Theme } from '../../layers/keys.ts';
import {
  AREA_LIST,
  BODY_STATUSES,
  COORDINATE_PARAMETERS,
  COUNTS,
  Epsg25832Schema,
  KEYED_BATCH_STATUSES,
  KEYED_STATUSES,
  KEY_SECURITY,
  MetaRef,
  PointErrorSchema,
  PointItemSchema,
  PointRef,
  closed,
  errors,
  lookupAnswer,
  nullable,
  oneOf,
  query,
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

const NOT_MODIFIED = { type: 'null', description: 'The caller has this answer (If-None-Match).' };

const tags = ['dagi'];

export const areaRoute = {
  operationId: 'dagiOmraade',
  summary: 'One DAGI area by theme and code',
  tags,
  params: closed({ tema: oneOf<Theme>(THEMES, 'Theme of the area.'), kode: code }),
  querystring: query({}),
  response: {
    200: lookupAnswer(ref('DagiOmraade'), 'areas'),
    304: NOT_MODIFIED,
    ...errors(...KEYED_STATUSES, 400, 404, 502),
  },
  security: KEY_SECURITY,
};

export const areaBatchRoute = {
  operationId: 'dagiBatch',
  summary: `Up to ${LIMITS.dagiCodesPerBatch} DAGI areas of one theme`,
  tags,
  querystring: query({}),
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
  response: {
    200: lookupAnswer(AreaBatchSchema, 'areas'),
    ...errors(...KEYED_BATCH_STATUSES, ...BODY_STATUSES),
  },
  security: KEY_SECURITY,
};

export const reverseRoute = {
  operationId: 'dagiReverse',
  summary: 'The DAGI areas that cover a point',
  tags,
  querystring: query(COORDINATE_PARAMETERS),
  response: {
    200: lookupAnswer(ref('DagiReverse'), 'areas'),
    ...errors(...KEYED_STATUSES, 400, 502),
  },
  security: KEY_SECURITY,
};

export const reverseBatchRoute = {
  operationId: 'dagiReverseBatch',
  summary: 'The DAGI areas that cover each of up to 50 points',
  tags,
  querystring: query({}),
  body: closed({
    punkter: Type.Array(PointItemSchema, { minItems: 1, maxItems: LIMITS.dagiPointsPerBatch }),
  }),
  response: {
    200: lookupAnswer(ReverseBatchSchema, 'areas'),
    ...errors(...KEYED_BATCH_STATUSES, ...BODY_STATUSES),
  },
  security: KEY_SECURITY,
};
