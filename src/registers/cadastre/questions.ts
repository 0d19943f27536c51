/**
 * A cadastre property (D90), 503 until a version is published (D58); parcels by point, number and
 * text (D150).
 */
import type { Static, TObject } from 'typebox';
import { pointFromQuery } from '../../answers/coordinates.ts';
import { WORDS, codesOf, codesParameter, refuseWordless } from '../../core/question/lists.ts';
import { Failure, invalidRequest } from '../../kernel/failures.ts';
import { rowError } from '../../core/rows/row-errors.ts';
import { CADASTRE_LIMITS } from './limits.ts';
import type { Parcels, ParcelsAnswer, CadastreLookups } from './parcel-lookup.ts';
import { parcelNumberOf } from '../../layers/parcel-text.ts';
import { Type } from 'typebox';
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
  stated,
  textWithin,
  wholeWithin,
} from '../../core/question/schemas.ts';
import { unitsOfFound } from '../../core/question/answers.ts';
import { question } from '../../core/question/question.ts';
import { unknownTo } from '../../core/land/covered-lands.ts';
import { cadastreText } from './answer.ts';
import { parcelsText } from './parcel-answer.ts';
import { noSuchParcel } from './parcel-lookup.ts';

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

export const ParcelSchema = closed(
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

const { districtCode, numberChars, textChars, perPage, pages } = CADASTRE_LIMITS;

const LETTERS = '[A-Za-zÆØÅæøå](?: *[A-Za-zÆØÅæøå])*';
const MATR = '(?:[Mm][Aa][Tt][Rr]?|[Mm][Tt][Rr]|[Mm][Aa][Tt][Rr][Ii][Kk][Ee][Ll])';
const NR = '(?:[Nn][Rr]|[Nn][Uu][Mm][Mm][Ee][Rr])';
const DIGITS = `(?:[0-9](?:[ ./-]*${LETTERS})?)`;
// As `parcelNumberOf` reads it.
const PARCEL_NUMBER = `^ *(?:(?:${MATR}\\.?[ -]?${NR}?\\.? *)?${DIGITS}+|${LETTERS}${DIGITS}*) *$`;

export const DistrictCode = wholeWithin(districtCode, 'Code of the district (ejerlav).');
export const ParcelNumber = stated(
  Type.String({
    minLength: numberChars.min,
    maxLength: numberChars.max,
    pattern: '^ *[0-9A-Za-zÆØÅæøå][0-9A-Za-zÆØÅæøå ./-]*$',
    description:
      'Number of the parcel within the district, such as 12bø, in any case; 12 BØ, 012bø, 12-bø and matr.nr. 12bø are the same.',
  }),
  { pattern: PARCEL_NUMBER },
);

const PARCELS_QUERY = {
  ...COORDINATE_PARAMETERS,
  ejerlav_kode: Type.Optional(DistrictCode),
  matrikelnummer: Type.Optional(ParcelNumber),
  q: Type.Optional(
    stated(
      textWithin(
        textChars,
        'The name or code of a district, or beginnings of its words, with the beginning of a number before or after it: 12a Hellerup, Hellerup matr.nr. 12 a, 12851-12a. 400 where nothing is found and a part of it was not understood.',
      ),
      WORDS,
    ),
  ),
  kommunekode: codesParameter(
    'With q: municipality codes to keep to; several with | or sent again.',
  ),
  side: Type.Optional(wholeWithin({ min: 1, max: pages }, 'With q: which page; 1 where absent.')),
  per_side: Type.Optional(
    wholeWithin(
      { min: 1, max: perPage.max },
      `With q: how many at most; ${perPage.default} where absent.`,
    ),
  ),
};

type ParcelsQuery = Static<TObject<typeof PARCELS_QUERY>>;

interface Question {
  readonly page: { readonly side: number; readonly perPage: number } | null;
  readonly ask: (parcels: Parcels) => Promise<ParcelsAnswer>;
}

/** Throws invalid_request for none or several of the three, and for parameters of another one. */
function questionOf(sent: ParcelsQuery): Question {
  const { q, kommunekode, side, per_side, ejerlav_kode, matrikelnummer } = sent;
  const { lon, lat, x, y, srid } = sent;
  const isSent = (values: object) => Object.values(values).some((value) => value !== undefined);
  const isPoint = isSent({ lon, lat, x, y, srid });
  const isNumber = isSent({ ejerlav_kode, matrikelnummer });
  if (Number(isPoint) + Number(isNumber) + Number(q !== undefined) > 1) throw notOne();
  if (q !== undefined) {
    refuseWordless(q);
    const page = { side: side ?? 1, perPage: per_side ?? CADASTRE_LIMITS.perPage.default };
    const municipalityCodes = codesOf('kommunekode', kommunekode);
    const limit = page.side * page.perPage;
    return { page, ask: (parcels) => parcels.search({ text: q, municipalityCodes, limit }) };
  }
  if (isSent({ kommunekode, side, per_side })) throw onlyWithText();
  if (isNumber) {
    if (ejerlav_kode === undefined || matrikelnummer === undefined) throw halfNumber();
    const number = numberOf(matrikelnummer);
    return { page: null, ask: (parcels) => parcels.withNumber(ejerlav_kode, number) };
  }
  if (!isPoint) throw notOne();
  const point = pointFromQuery(sent);
  return { page: null, ask: (parcels) => parcels.at(point) };
}

/** Throws invalid_request for what is no parcel number. */
export function numberOf(text: string): string {
  const number = parcelNumberOf(text);
  if (number !== null) return number;
  throw new Failure('invalid_request', rowError('noParcelNumber', { text }));
}

function notOne(): Failure {
  return invalidRequest(
    'Send a point (lon and lat, or x, y and srid), or ejerlav_kode and matrikelnummer, or q: one of them.',
    'Send et punkt (lon og lat eller x, y og srid), eller ejerlav_kode og matrikelnummer, eller q: én af dem.',
  );
}

function halfNumber(): Failure {
  return invalidRequest(
    'ejerlav_kode and matrikelnummer belong together: send both.',
    'ejerlav_kode og matrikelnummer hører sammen: send begge.',
  );
}

function onlyWithText(): Failure {
  return invalidRequest(
    'kommunekode, side and per_side belong to q.',
    'kommunekode, side og per_side hører til q.',
  );
}

const FOUND = {
  antal: Type.Integer({ minimum: 0, description: 'How many are listed.' }),
  jordstykker: Type.Array(ref('JordstykkeOpslag')),
  meta: CoveredMetaRef,
};

const property = question({
  key: 'matrikelEjendom',
  called: { da: 'Ejendommens jordstykker', en: 'Parcels of a property' },
  summary: 'Cadastre property by BFE number: its parcels with their geometry',
  tag: 'matrikel',
  params: { bfe: BfeParameter },
  answer: ref('MatrikelEjendom'),
  failures: [400, 404],
  path: '/v1/matrikel/ejendom/:bfe',
  area: 'bbr',
  ask: async ({ cadastre }: CadastreLookups, { bfe }) => {
    const value = await cadastre.find(bfe);
    return { value, facts: value, units: 1 };
  },
  json: cadastreText,
});

const parcels = question({
  key: 'jordstykker',
  called: { da: 'Søgning efter jordstykker', en: 'Search for parcels' },
  summary: 'Parcels at a point, of a number, or that fit a text',
  description:
    'One of three: a point (an edge belongs to every parcel that it borders), ejerlav_kode and matrikelnummer, or q.',
  tag: 'matrikel',
  query: PARCELS_QUERY,
  answer: closed({
    ...FOUND,
    side: Type.Optional(Type.Integer({ description: 'With q.' })),
    per_side: Type.Optional(Type.Integer({ description: 'With q.' })),
  }),
  failures: [400],
  path: '/v1/matrikel/jordstykke',
  area: 'bbr',
  ask: async (ground: CadastreLookups, given) => {
    const { page, ask } = questionOf(given);
    const answer = await ask(ground.parcels);
    const units = unitsOfFound(answer.parcels.length, ground.coverage);
    return { value: { answer, page }, facts: answer, units };
  },
  json: ({ answer, page }, { coverage }) => {
    if (page === null) return parcelsText(answer, coverage);
    const { side, perPage } = page;
    const shown = answer.parcels.slice((side - 1) * perPage, side * perPage);
    const counts = `"side":${side},"per_side":${perPage},`;
    return parcelsText({ ...answer, parcels: shown }, coverage, counts);
  },
  atOnce: {
    isReady: (ground) => ground.parcels.isReady(),
    answer: (ground, point, to) => {
      const answer = ground.parcels.tryAtSync(point);
      if (answer === null) return null;
      to.text(parcelsText(answer, ground.coverage));
      return { facts: answer, units: unitsOfFound(answer.parcels.length, ground.coverage) };
    },
  },
});

const parcel = question({
  key: 'jordstykke',
  called: { da: 'Opslag af et jordstykke', en: 'Lookup of a parcel' },
  summary: 'The parcel of a number, in its district',
  tag: 'matrikel',
  params: { ejerlav: DistrictCode, matrikelnummer: ParcelNumber },
  answer: closed(FOUND),
  failures: [400, 404],
  path: '/v1/matrikel/jordstykke/:ejerlav/:matrikelnummer',
  area: 'bbr',
  ask: async (ground: CadastreLookups, { ejerlav, matrikelnummer }) => {
    const value = await ground.parcels.withNumber(ejerlav, numberOf(matrikelnummer));
    if (value.parcels.length > 0) return { value, facts: value, units: 1 };
    throw unknownTo(ground.coverage, noSuchParcel(ejerlav, matrikelnummer));
  },
  json: (value, { coverage }) => parcelsText(value, coverage),
});

export const CADASTRE_QUESTIONS = [property, parcels, parcel];
