/** Shared answers are named, so the document refers to them. */
import { Type } from 'typebox';
import type { TSchema } from 'typebox';
import { FAILURES } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { THEMES } from '../../layers/keys.ts';
import type { Theme } from '../../layers/keys.ts';
import type { CoordinateQuery, PointSrid } from '../../answers/coordinates.ts';
import { DENMARK_BOUNDS } from '../../geo/point.ts';

const CLOSED = { additionalProperties: false } as const;

export function closed<P extends Record<string, TSchema>>(
  properties: P,
  options: { readonly $id?: string; readonly description?: string } = {},
) {
  return Type.Object(properties, { ...CLOSED, ...options });
}

export function nullable<S extends TSchema>(schema: S) {
  return Type.Union([schema, Type.Null()]);
}

export function oneOf<T extends string>(values: readonly T[], description?: string) {
  return Type.Unsafe<T>({
    type: 'string',
    enum: [...values],
    ...(description === undefined ? {} : { description }),
  });
}

export const STATED = 'stated';

/** Keywords of the document alone: what reads the value says more than Ajv. */
export function stated<S extends TSchema>(schema: S, keywords: object): S {
  return { ...schema, [STATED]: keywords };
}

interface Bounds {
  readonly min: number;
  readonly max: number;
}

export function wholeWithin({ min, max }: Bounds, description?: string) {
  return Type.Integer({ minimum: min, maximum: max, ...(description && { description }) });
}

export function textWithin({ min, max }: Bounds, description?: string) {
  return Type.String({ minLength: min, maxLength: max, ...(description && { description }) });
}

export const AREA_LIST = Type.Array(
  closed({
    tema: oneOf<Theme>(THEMES),
    navn: Type.String(),
    kode: Type.Union([Type.String(), Type.Null()]),
  }),
);

const areaName = Type.Union([
  closed({ kode: Type.String(), navn: Type.Union([Type.String(), Type.Null()]) }),
  Type.Null(),
]);

export const AREA_NAMES = closed({ kommune: areaName, region: areaName });

export const BfeParameter = wholeWithin(LIMITS.bfe, 'BFE number of the property.');

export function ref<T = unknown>(id: string) {
  return Type.Unsafe<T>({ $ref: `${id}#` });
}

/** A text, not a pattern: an unknown one is 404. */
export function idOf(what: string) {
  return closed({
    id: Type.String({ maxLength: LIMITS.pathParameterChars, description: `Id of a ${what}.` }),
  });
}

export const ErrorSchema = closed(
  {
    error: Type.String({ description: 'What went wrong, in English; stable for display.' }),
    type: oneOf(Object.keys(FAILURES), 'The failure class; clients branch on this.'),
    code: Type.String({ description: 'The specific cause where known, else equal to type.' }),
    message: Type.String({ description: 'Short text in the language of Accept-Language.' }),
    request_id: nullable(Type.String({ description: 'The X-Request-Id of the call.' })),
    doc_url: Type.String({ format: 'uri', description: 'The page of this failure class.' }),
  },
  { $id: 'Error', description: 'The error object of every answer that is not 2xx.' },
);

export const MetaSchema = closed(
  { kilde: Type.String(), service_version: Type.String() },
  { $id: 'Meta', description: 'Where the answer comes from.' },
);

const CoveredMetaSchema = closed(
  {
    kilde: Type.String(),
    service_version: Type.String(),
    daekning: Type.Optional(
      Type.String({
        description:
          'All that the copy covers, where that is not the country. What is not found may exist elsewhere.',
      }),
    ),
  },
  { $id: 'MetaMedDaekning', description: 'Where the answer comes from, and what is covered.' },
);

export const PointSchema = closed(
  { lon: Type.Number(), lat: Type.Number() },
  { $id: 'Punkt', description: 'WGS84, decimal degrees.' },
);

export const Epsg25832Schema = Type.Array(Type.Number(), {
  minItems: 2,
  maxItems: 2,
  description: '[x, y] in EPSG:25832, metres.',
});

export const CodeFieldSchema = closed(
  { kode: Type.String(), tekst: Type.String() },
  { $id: 'Kodefelt', description: 'A register code and its Danish label.' },
);

export const SHARED_SCHEMAS = [
  ErrorSchema,
  MetaSchema,
  CoveredMetaSchema,
  PointSchema,
  CodeFieldSchema,
] as const;

export const PointRef = ref<{ lon: number; lat: number }>('Punkt');
export const CodeFieldRef = ref<{ kode: string; tekst: string }>('Kodefelt');
export const MetaRef = ref<{ kilde: string; service_version: string }>('Meta');
export const CoveredMetaRef = ref<{ kilde: string; service_version: string; daekning?: string }>(
  'MetaMedDaekning',
);

const PointId = Type.Optional(textWithin(LIMITS.pointIdChars));

/** lon and lat, or x, y and srid (D36a). */
export interface SentPoint extends CoordinateQuery {
  readonly id?: string;
}

const [west, south, east, north] = DENMARK_BOUNDS;
/** Each by itself (D35); x and y may be degrees. */
const LIMITS_OF = { lon: [west, east], lat: [south, north], x: [west, 1e6], y: [south, 6.6e6] };

function coordinate(name: keyof typeof LIMITS_OF, description?: string) {
  const [minimum, maximum] = LIMITS_OF[name];
  return stated(Type.Number({ ...(description && { description }) }), { minimum, maximum });
}

/** Generators of clients name each value of an enum. */
const SRID_OF_POINT = stated(
  Type.Unsafe<PointSrid>({
    enum: [4326, 25832, '4326', '25832'],
    description: 'Coordinate system of x and y.',
  }),
  {
    enum: undefined,
    anyOf: [
      { type: 'integer', enum: [4326, 25832] },
      { type: 'string', pattern: '^(4326|25832)$', maxLength: 5 },
    ],
  },
);

/** D36a. Degrees are the first alternative, because every point is validated. */
export const PointItemSchema = Type.Unsafe<SentPoint>({
  description: 'Either { lon, lat, id? } or { x, y, srid, id? }, never both.',
  anyOf: [
    closed({ lon: coordinate('lon'), lat: coordinate('lat'), id: PointId }),
    closed({
      x: coordinate('x', 'Easting or longitude; with y and srid.'),
      y: coordinate('y', 'Northing or latitude; with x and srid.'),
      srid: SRID_OF_POINT,
      id: PointId,
    }),
  ],
});

/** Exactly these parameters (D18) and `token`. */
export function query<P extends Record<string, TSchema>>(properties: P) {
  return closed({
    ...properties,
    token: Type.Optional(
      Type.String({ description: 'API key, for clients that cannot send a header.' }),
    ),
  });
}

/** D36. answers/coordinates.ts decides which are needed. */
export const COORDINATE_PARAMETERS = {
  lon: Type.Optional(
    coordinate('lon', 'WGS84 longitude in decimal degrees. Required unless x and y.'),
  ),
  lat: Type.Optional(
    coordinate('lat', 'WGS84 latitude in decimal degrees. Required unless x and y.'),
  ),
  x: Type.Optional(coordinate('x', 'Easting or longitude; with y and srid.')),
  y: Type.Optional(coordinate('y', 'Northing or latitude; with x and srid.')),
  srid: Type.Optional(oneOf(['4326', '25832'], 'Coordinate system of x and y.')),
};

const STATUS_TEXTS: Readonly<Record<number, string>> = {
  400: 'The request is invalid; the text names the field and the limit.',
  401: 'The key or token is missing or invalid.',
  402: 'The plan does not cover batches.',
  403: 'The operation is off, or not for this key.',
  404: 'Nothing exists under this code or path.',
  409: 'The action does not fit the current state; the text says why.',
  410: 'The changes are no longer kept: begin anew with the extract that the text and Link name.',
  412: 'The file is another than that of If-Match.',
  413: 'The body is too large.',
  429: 'The burst limit or the monthly quota is reached; see Retry-After.',
  416: 'The Range begins past the end of the file, whose length is in Content-Range.',
  415: 'The body is not application/json in UTF-8.',
  500: 'An internal error.',
  502: 'The register could not be read.',
  503: 'The register is not available or not configured, or the service is overloaded.',
};

/** Any route may refuse how it is asked, and any of a service that stops. */
const OF_ANY_ROUTE = [400, 500, 503];

const RETRY_AFTER = {
  headers: { 'Retry-After': { type: 'integer', description: 'Seconds until a new try may help.' } },
};

export const NOT_MODIFIED = {
  type: 'null',
  description: 'The caller has this answer (If-None-Match).',
};

export function errors(...statuses: readonly number[]) {
  return Object.fromEntries(
    [...statuses, ...OF_ANY_ROUTE].map((status) => [
      status,
      {
        ...ref('Error'),
        description: STATUS_TEXTS[status] ?? 'An error.',
        ...(WAITING.includes(status) && RETRY_AFTER),
      },
    ]),
  );
}

const WAITING: readonly number[] = Object.values(FAILURES).flatMap((each) =>
  'retryAfterS' in each ? each.status : [],
);

/** interface: Authentication; names as in openapi.ts. */
export const KEY_SECURITY = [{ apiKey: [] }, { queryToken: [] }];
export const PAGE_SECURITY = [...KEY_SECURITY, { publicKey: [] }];

export const KEYED_STATUSES = [401, 403, 429, 503] as const;
export const KEYED_BATCH_STATUSES = [...KEYED_STATUSES, 402] as const;

const header = (description: string) => ({ type: 'string', description });

/** D34, D65, D65a. */
const COMMON_HEADERS = {
  'X-Service-Data-Age': header('Seconds of the oldest layer used; absent when none answered.'),
  'Cache-Status': header('RFC 9211: the rung that answered: snapshot, store, origin, stale.'),
  'X-Service-Stale': header('true when an old copy answered; absent otherwise.'),
  'X-Service-Partial': header('true where another register left a null; absent otherwise.'),
  RateLimit: header('What is left of the burst and the month (IETF draft): never overstated.'),
  'RateLimit-Policy': header('The limits of the key (IETF draft).'),
  'X-Service-Environment': header('test for test keys; absent otherwise.'),
  'X-Request-Id': header('The id of this call, the own one of the caller where it sent one.'),
};

/** For mirrored data (D19); not for heights (D148). */
const GENERATION = {
  'X-Service-Generation': header('The data generation the answer was read from.'),
};

const STALE_LINES = { 'X-Service-Stale-Lines': header('Keys of the lines an old copy answered.') };

const HEADERS = {
  lines: { ...GENERATION, ...COMMON_HEADERS, ...STALE_LINES },
  areas: { ...GENERATION, ...COMMON_HEADERS },
  heights: COMMON_HEADERS,
  typed: {
    ...{ ...GENERATION, ...COMMON_HEADERS },
    'X-Service-Units': header('Units of this answer; 0 for what typing has paid already.'),
  },
};

export type AnswerHeaders = keyof typeof HEADERS;

export function lookupAnswer<S extends object>(schema: S, of: AnswerHeaders): S {
  return { ...schema, headers: HEADERS[of] };
}

export const BODY_STATUSES = [400, 413, 415] as const;

export const PointErrorSchema = closed({
  id: Type.Optional(Type.String()),
  punkt: PointRef,
  error: Type.String(),
  status: Type.Integer(),
});

/** Results and errors partition the input. */
export const COUNTS = {
  requested: Type.Integer(),
  succeeded: Type.Integer(),
  failed: Type.Integer(),
};
