/** Place names by text, by point and by id (D7, D121 to D123, D140). */
import { Type } from 'typebox';
import { LIMITS } from '../../kernel/limits.ts';
import { WORDS, codesOf, codesParameter, refuseWordless } from '../../core/question/lists.ts';
import {
  COORDINATE_PARAMETERS,
  Epsg25832Schema,
  CoveredMetaRef,
  PointRef,
  closed,
  nullable,
  ref,
  stated,
  textWithin,
  wholeWithin,
} from '../../core/question/schemas.ts';
import { pointFromQuery } from '../../answers/coordinates.ts';
import { distanceText, epsg25832 } from '../../answers/numbers.ts';
import { unitsOfFound } from '../../core/question/answers.ts';
import { question } from '../../core/question/question.ts';
import { geometryJson } from '../../geo/rings-text.ts';
import { placeMembers } from './answer.ts';
import type { PlaceLookups } from './lookup.ts';

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

const { perPage: PER_PAGE, radiusM: RADIUS_M } = LIMITS.places;
const NONE = Buffer.from('null');

const search = question({
  key: 'stednavne',
  called: { da: 'Søgning efter stednavne', en: 'Search for place names' },
  summary: 'Places whose name fits a text, the best first',
  tag: 'stednavne',
  query: {
    q: stated(
      textWithin(
        textChars,
        'A name, its beginning, or one that is nearly spelt like it; 400 without a letter or a digit.',
      ),
      WORDS,
    ),
    type: Type.Optional(
      textWithin(
        typeChars,
        'A hovedtype or an undertype to keep to, in any case; 400 where no place is of that type.',
      ),
    ),
    kommunekode: codesParameter('Municipality codes to keep to; several with | or sent again.'),
    side: Type.Optional(wholeWithin({ min: 1, max: pages }, 'Which page of them; 1 where absent.')),
    per_side: Type.Optional(
      wholeWithin(
        { min: 1, max: perPage.max },
        `How many at most; ${perPage.default} where absent.`,
      ),
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
  path: '/v1/stednavne',
  area: 'stednavne',
  ask: ({ places, coverage }: PlaceLookups, given) => {
    const { q, type = null, kommunekode, side = 1, per_side: perPage = PER_PAGE.default } = given;
    refuseWordless(q);
    const { value, ...facts } = places.search({
      ...{ text: q, type, limit: side * perPage },
      municipalityCodes: codesOf('kommunekode', kommunekode),
    });
    const page = value.slice((side - 1) * perPage, side * perPage);
    return { value: page, facts, units: unitsOfFound(value.length, coverage) };
  },
  json: (page, { tail }, { side = 1, per_side: perPage = PER_PAGE.default }) => {
    const found = page.map((place) => `{${placeMembers(place)}}`).join();
    const counts = `"antal":${page.length},"side":${side},"per_side":${perPage}`;
    return `{${counts},"stednavne":[${found}]${tail}`;
  },
});

const around = question({
  key: 'stednavneReverse',
  called: { da: 'Stednavne om et punkt', en: 'Place names around a point' },
  summary: 'The places at a point, and those around it',
  tag: 'stednavne',
  query: {
    ...COORDINATE_PARAMETERS,
    radius: Type.Optional(
      wholeWithin(radiusM, `How far a place may lie, metres; ${radiusM.default} where absent.`),
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
  path: '/v1/stednavne/reverse',
  area: 'stednavne',
  ask: async ({ places }: PlaceLookups, { radius = RADIUS_M.default, ...place }) => {
    const point = pointFromQuery(place);
    const { value: found, ...facts } = await places.near(point, radius);
    return { value: { point, found }, facts, units: 1 };
  },
  json: ({ point, found }, { tail }, { radius = RADIUS_M.default }) => {
    const { lon, lat } = point.wgs84;
    const at = `"punkt":{"lon":${lon},"lat":${lat}},"epsg25832":[${epsg25832(point).join()}]`;
    const shown = found.map(
      (each) => `{${placeMembers(each.place)},"afstand_m":${distanceText(each.distanceM)}}`,
    );
    const counts = `"radius":${radius},"antal":${shown.length}`;
    return `{${at},${counts},"stednavne":[${shown.join()}]${tail}`;
  },
});

const one = question({
  key: 'sted',
  called: { da: 'Opslag af et stednavn', en: 'Lookup of a place name' },
  summary: 'One place by its id in the register, with its geometry',
  tag: 'stednavne',
  params: {
    id: textWithin({ min: 1, max: LIMITS.pathParameterChars }, 'The id of the place.'),
  },
  answer: ref('StedOpslag'),
  failures: [400, 404, 502],
  path: '/v1/stednavne/:id',
  area: 'stednavne',
  ask: async ({ places }: PlaceLookups, { id }) => {
    const { value, ...facts } = await places.find(id);
    return { value, facts, units: 1 };
  },
  json: ({ place, wkb }, { tail }) => {
    const geometry = wkb === null ? NONE : geometryJson(wkb);
    const before = Buffer.from(`{${placeMembers(place)},"geometri":`);
    return Buffer.concat([before, geometry, Buffer.from(tail)]);
  },
});

export const PLACE_QUESTIONS = [search, around, one];
