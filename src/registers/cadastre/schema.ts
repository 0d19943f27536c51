/** D90, D150. */
import { Type } from 'typebox';
import { listParameter } from '../../core/question/lists.ts';
import {
  AREA_NAMES,
  BfeParameter,
  COORDINATE_PARAMETERS,
  CoveredMetaRef,
  Epsg25832Schema,
  MetaRef,
  PointRef,
  closed,
  nullable,
  oneOf,
  ref,
} from '../../core/question/schemas.ts';
import { CADASTRE_LIMITS } from './limits.ts';

const position = Type.Array(Type.Number(), { minItems: 2, maxItems: 2 });

const GEOMETRY = nullable(
  closed({
    type: oneOf(['MultiPolygon']),
    coordinates: Type.Array(Type.Array(Type.Array(position)), {
      description: 'WGS84, 7 decimals: the union of the faces of the parcel.',
    }),
  }),
);

export const PlacedParcelSchema = closed(
  {
    matrikelnummer: nullable(Type.String()),
    ejerlav_kode: nullable(Type.Number()),
    ejerlav_navn: nullable(Type.String()),
    geometri: GEOMETRY,
  },
  { $id: 'JordstykkeMedGeometri' },
);

export const CadastrePropertySchema = closed(
  {
    type: oneOf(['ejendom']),
    bfe_nummer: Type.Number(),
    kommunekode: nullable(Type.String()),
    dagi: AREA_NAMES,
    jordstykke: ref('JordstykkeMedGeometri'),
    jordstykker: Type.Array(ref('JordstykkeMedGeometri')),
    meta: MetaRef,
  },
  {
    $id: 'MatrikelEjendom',
    description: 'A property with what the cadastre knows of it: its parcels and where they lie.',
  },
);

const ParcelSchema = closed(
  {
    matrikelnummer: nullable(Type.String()),
    ejerlav_kode: nullable(Type.Number()),
    ejerlav_navn: nullable(Type.String()),
    bfe_nummer: nullable(Type.Number({ description: 'Of the property that it is part of.' })),
    kommune: nullable(closed({ kode: Type.String(), navn: nullable(Type.String()) })),
    registreret_areal_m2: nullable(Type.Integer({ minimum: 0 })),
    geometri: GEOMETRY,
    koordinat: nullable(PointRef),
    epsg25832: nullable(Epsg25832Schema),
  },
  {
    $id: 'JordstykkeOpslag',
    description:
      'A parcel in force. koordinat is a point inside it. Null where the cadastre has none of it.',
  },
);

export const CADASTRE_SCHEMAS = [PlacedParcelSchema, CadastrePropertySchema, ParcelSchema] as const;

export const cadastrePropertyShape = {
  key: 'matrikelEjendom',
  summary: 'Cadastre property by BFE number: its parcels with their geometry',
  tag: 'matrikel',
  params: { bfe: BfeParameter },
  answer: ref('MatrikelEjendom'),
  failures: [400, 404],
};

const { districtCode, numberChars, textChars, perPage, pages } = CADASTRE_LIMITS;

const DistrictCode = Type.Integer({
  minimum: districtCode.min,
  maximum: districtCode.max,
  description: 'Code of the district (ejerlav).',
});
const ParcelNumber = Type.String({
  minLength: numberChars.min,
  maxLength: numberChars.max,
  pattern: '^ *[0-9A-Za-zÆØÅæøå][0-9A-Za-zÆØÅæøå ./-]*$',
  description:
    'Number of the parcel within the district, such as 12bø, in any case; 12 BØ, 012bø, 12-bø and matr.nr. 12bø are the same.',
});

const FOUND = {
  antal: Type.Integer({ minimum: 0, description: 'How many are listed.' }),
  jordstykker: Type.Array(ref('JordstykkeOpslag')),
  meta: CoveredMetaRef,
};

export const parcelsShape = {
  key: 'jordstykker',
  summary: 'Parcels at a point, of a number, or that fit a text',
  description:
    'One of three: a point (an edge belongs to every parcel that it borders), ejerlav_kode and matrikelnummer, or q.',
  tag: 'matrikel',
  query: {
    ...COORDINATE_PARAMETERS,
    ejerlav_kode: Type.Optional(DistrictCode),
    matrikelnummer: Type.Optional(ParcelNumber),
    q: Type.Optional(
      Type.String({
        minLength: textChars.min,
        maxLength: textChars.max,
        description:
          'The name or code of a district, or beginnings of its words, with the beginning of a number before or after it: 12a Hellerup, Hellerup matr.nr. 12 a, 12851-12a. 400 where nothing is found and a part of it was not understood.',
      }),
    ),
    kommunekode: listParameter(
      'With q: municipality codes to keep to; several with | or sent again.',
    ),
    side: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: pages,
        description: 'With q: which page; 1 where absent.',
      }),
    ),
    per_side: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: perPage.max,
        description: `With q: how many at most; ${perPage.default} where absent.`,
      }),
    ),
  },
  answer: closed({
    ...FOUND,
    side: Type.Optional(Type.Integer({ description: 'With q.' })),
    per_side: Type.Optional(Type.Integer({ description: 'With q.' })),
  }),
  failures: [400],
};

export const parcelShape = {
  key: 'jordstykke',
  summary: 'The parcel of a number, in its district',
  tag: 'matrikel',
  params: { ejerlav: DistrictCode, matrikelnummer: ParcelNumber },
  answer: closed(FOUND),
  failures: [400, 404],
};
