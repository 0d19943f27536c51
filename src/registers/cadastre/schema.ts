import { Type } from 'typebox';
import {
  AREA_NAMES,
  BfeParameter,
  KEYED_STATUSES,
  KEY_SECURITY,
  MetaRef,
  closed,
  errors,
  lookupAnswer,
  nullable,
  oneOf,
  query,
  ref,
} from '../../http/wire/schemas.ts';

const position = Type.Array(Type.Number(), { minItems: 2, maxItems: 2 });

export const PlacedParcelSchema = closed(
  {
    matrikelnummer: nullable(Type.String()),
    ejerlav_kode: nullable(Type.Number()),
    ejerlav_navn: nullable(Type.String()),
    geometri: nullable(
      closed({
        type: oneOf(['MultiPolygon']),
        coordinates: Type.Array(Type.Array(Type.Array(position)), {
          description: 'WGS84, 7 decimals: the union of the faces of the parcel.',
        }),
      }),
    ),
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

export const CADASTRE_SCHEMAS = [PlacedParcelSchema, CadastrePropertySchema] as const;

export const cadastrePropertyRoute = {
  operationId: 'matrikelEjendom',
  summary: 'Cadastre property by BFE number: its parcels with their geometry',
  tags: ['matrikel'],
  params: closed({ bfe: BfeParameter }),
  querystring: query({}),
  response: {
    200: lookupAnswer(ref('MatrikelEjendom'), 'areas'),
    ...errors(...KEYED_STATUSES, 400, 404),
  },
  security: KEY_SECURITY,
};
