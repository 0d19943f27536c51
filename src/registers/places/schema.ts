/** Shapes of the place names (D7, D121 to D123, D140). */
import { Type } from 'typebox';
import { LIMITS } from '../../kernel/limits.ts';
import { listParameter } from '../../core/question/lists.ts';
import {
  COORDINATE_PARAMETERS,
  Epsg25832Schema,
  CoveredMetaRef,
  PointRef,
  closed,
  nullable,
  ref,
} from '../../core/question/schemas.ts';

const text = Type.String();
const textOrNull = nullable(text);
const count = Type.Integer({ minimum: 0 });

const PLACE = {
  id: Type.String({ description: 'Of the place in the register.' }),
  navn: Type.String({ description: 'The primary spelling.' }),
  navnestatus: nullable(
    Type.String({ description: 'As the register has it: officielt, suAutoriseret, uofficielt …' }),
  ),
  andre_navne: Type.Array(
    closed({ navn: text, navnestatus: textOrNull, brugsprioritet: textOrNull }),
    { description: 'The other spellings, the official ones first.' },
  ),
  hovedtype: Type.String({ description: 'The table of the register: Bebyggelse, Soe, Vandloeb …' }),
  undertype: textOrNull,
  koordinat: PointRef,
  epsg25832: Epsg25832Schema,
  bbox: Type.Array(Type.Number(), {
    minItems: 4,
    maxItems: 4,
    description: 'WGS84: west, south, east, north.',
  }),
  kommuner: nullable(
    Type.Array(closed({ kode: text, navn: text }), {
      description:
        'The municipalities it lies in, by code; empty at sea. null: the municipalities are not mirrored.',
    }),
  ),
  indbyggertal: nullable(count),
};

export const PlaceSchema = closed(PLACE, {
  $id: 'Sted',
  description:
    'A place with its names (Danske Stednavne). koordinat is a point inside it; the middle of a line.',
});

const FoundPlaceSchema = closed(
  {
    ...PLACE,
    geometri: nullable(
      Type.Object(
        { type: text, coordinates: Type.Array(Type.Any()) },
        {
          additionalProperties: false,
          description:
            'GeoJSON in WGS84: points, lines or areas as the register has them. null: of more than ' +
            `${LIMITS.places.vertices} vertices.`,
        },
      ),
    ),
    meta: CoveredMetaRef,
  },
  { $id: 'StedOpslag', description: 'A place with its geometry.' },
);

const NearPlaceSchema = closed(
  {
    ...PLACE,
    afstand_m: Type.Number({
      minimum: 0,
      description: 'Metres in EPSG:25832, rounded to 0.1; 0 inside.',
    }),
  },
  { $id: 'StedNaer', description: 'A place that holds a point, or lies near it.' },
);

export const PLACE_SCHEMAS = [PlaceSchema, FoundPlaceSchema, NearPlaceSchema] as const;

const { textChars, typeChars, perPage, pages, radiusM, near } = LIMITS.places;

export const searchPlacesShape = {
  key: 'stednavne',
  summary: 'Places whose name fits a text, the best first',
  tag: 'stednavne',
  query: {
    q: Type.String({
      minLength: textChars.min,
      maxLength: textChars.max,
      description:
        'A name, its beginning, or one that is nearly spelt like it; 400 without a letter or a digit.',
    }),
    type: Type.Optional(
      Type.String({
        minLength: typeChars.min,
        maxLength: typeChars.max,
        description:
          'A hovedtype or an undertype to keep to, in any case; 400 where no place is of that type.',
      }),
    ),
    kommunekode: listParameter('Municipality codes to keep to; several with | or sent again.'),
    side: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: pages,
        description: 'Which page of them; 1 where absent.',
      }),
    ),
    per_side: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: perPage.max,
        description: `How many at most; ${perPage.default} where absent.`,
      }),
    ),
  },
  answer: closed({
    antal: { ...count, description: 'On this page.' },
    side: Type.Integer(),
    per_side: Type.Integer(),
    stednavne: Type.Array(ref('Sted')),
    meta: CoveredMetaRef,
  }),
  failures: [400],
};

export const placeShape = {
  key: 'sted',
  summary: 'One place by its id in the register, with its geometry',
  tag: 'stednavne',
  params: {
    id: Type.String({
      minLength: 1,
      maxLength: LIMITS.pathParameterChars,
      description: 'The id of the place.',
    }),
  },
  answer: ref('StedOpslag'),
  failures: [400, 404, 502],
};

export const reversePlacesShape = {
  key: 'stednavneReverse',
  summary: 'The places at a point, and those around it',
  tag: 'stednavne',
  query: {
    ...COORDINATE_PARAMETERS,
    radius: Type.Optional(
      Type.Integer({
        minimum: radiusM.min,
        maximum: radiusM.max,
        description: `How far a place may lie, metres; ${radiusM.default} where absent.`,
      }),
    ),
  },
  answer: closed({
    punkt: PointRef,
    epsg25832: Epsg25832Schema,
    radius: Type.Integer(),
    antal: count,
    stednavne: Type.Array(ref('StedNaer'), {
      maxItems: near,
      description: 'Areas that hold the point, the smallest first; then others by distance.',
    }),
    meta: CoveredMetaRef,
  }),
  failures: [400, 404, 502],
};
