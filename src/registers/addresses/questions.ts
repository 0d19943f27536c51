/**
 * Addresses near points, by text, by id, and as written; postcodes (D3, D6; registers-geo.md 3).
 */
import * as jobs from './reverse-job.ts';
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { DECIMAL } from '../../kernel/number-texts.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { codesParameter } from '../../core/question/lists.ts';
import {
  AREA_LIST,
  COORDINATE_PARAMETERS,
  Epsg25832Schema,
  CoveredMetaRef,
  PointRef,
  closed,
  nullable,
  oneOf,
  ref,
  stated,
  textWithin,
  wholeWithin,
} from '../../core/question/schemas.ts';
import { pointFromQuery } from '../../answers/coordinates.ts';
import { writeBatch } from '../../answers/batch-writer.ts';
import { JsonWriter } from '../../answers/json-writer.ts';
import { onlyAnswer, unitsOfAnswers, unitsOfFound } from '../../core/question/answers.ts';
import { ofPoints, pointsOf } from '../../core/question/batch.ts';
import { question } from '../../core/question/question.ts';
import {
  addressMembers,
  areasMember,
  listText,
  successorsMember,
  suggestionText,
  writeNearest,
} from './answer.ts';
import type { AddressLookups } from './lookup.ts';
import { datavask } from './datavask-question.ts';
import { filterOf } from './filter.ts';
import { POSTCODE_QUESTIONS } from './postcode-questions.ts';

const text = Type.String();
const textOrNull = nullable(text);
const bfe = nullable(wholeWithin(LIMITS.bfe));
const count = Type.Integer({ minimum: 0 });

/** Exactly the documented fields. */
export const NearestAddressSchema = closed(
  {
    betegnelse: text,
    adgangsadresse_id: text,
    bfe_nummer: bfe,
    vejnavn: textOrNull,
    husnr: textOrNull,
    postnr: textOrNull,
    postnrnavn: textOrNull,
    kommunekode: textOrNull,
    koordinat: nullable(PointRef),
    afstand_m: Type.Number({ minimum: 0, description: 'Metres in EPSG:25832, rounded to 0.1.' }),
  },
  { $id: 'NaermesteAdresse', description: 'The access address in force nearest to a point.' },
);

const ADDRESS = {
  type: oneOf(['adgangsadresse', 'adresse'], 'A door to the street, or a unit behind it.'),
  id: text,
  status: { ...ref('Kodefelt'), description: "DAR's own: 2, 3 (in force), 4 or 5." },
  betegnelse: text,
  adgangsadresse_id: text,
  vejnavn: text,
  vejkode: textOrNull,
  husnr: text,
  etage: textOrNull,
  doer: textOrNull,
  supplerende_bynavn: textOrNull,
  postnr: textOrNull,
  postnrnavn: textOrNull,
  kommunekode: text,
  bfe_nummer: {
    ...bfe,
    description:
      'Of a unit that is a property of its own (EBR), that; else of the parcel it stands on; else the one that EBR has at the house number. null: none is known, also where X-Service-Partial says so because the cadastre is not here yet.',
  },
  koordinat: nullable(PointRef),
  epsg25832: nullable(Epsg25832Schema),
};

export const AddressSchema = closed(ADDRESS, {
  $id: 'Adresse',
  description: 'A unit address or an access address of DAR.',
});

const SUCCESSORS = Type.Optional(
  Type.Array(ref('Adresse'), {
    maxItems: LIMITS.successors,
    description:
      'Of an address that is gone, those that took its place on the same road, the nearest first; ' +
      'empty where none is known. Absent for an address that is in force or provisional.',
  }),
);

const PresentAddressSchema = closed(
  { ...ADDRESS, efterfoelgere: SUCCESSORS },
  { $id: 'AktuelAdresse', description: 'An address as it is now, with what took its place.' },
);

const FoundAddressSchema = closed(
  {
    ...ADDRESS,
    efterfoelgere: SUCCESSORS,
    omraader: Type.Optional(nullable(AREA_LIST)),
    meta: CoveredMetaRef,
  },
  {
    $id: 'AdresseOpslag',
    description:
      'An address and the areas it lies in. omraader is null where DAGI could not be read, and ' +
      'absent where the address has no point to ask for.',
  },
);

export const ReverseAddressSchema = closed(
  {
    punkt: PointRef,
    adresse: ref<Static<typeof NearestAddressSchema>>('NaermesteAdresse'),
    radius: Type.Integer(),
    meta: CoveredMetaRef,
  },
  { $id: 'AdresseReverse', description: 'The nearest access address of a point.' },
);

const RADIUS = wholeWithin(
  LIMITS.addressRadiusM,
  `How far the address may lie, metres; ${LIMITS.addressRadiusM.default} where absent.`,
);

const SearchSchema = closed({
  antal: count,
  side: Type.Integer(),
  per_side: Type.Integer(),
  adresser: Type.Array(ref('Adresse')),
  meta: CoveredMetaRef,
});

export const SuggestionsSchema = closed({
  antal: count,
  forslag: Type.Array(
    closed({
      type: oneOf(['vejnavn', 'adgangsadresse', 'adresse']),
      tekst: Type.String({ description: 'What the field holds once this is chosen.' }),
      forslagstekst: Type.String({ description: 'What is shown in the list.' }),
      caretpos: Type.Integer({ minimum: 0, description: 'Where the caret goes in tekst.' }),
      data: Type.Union([
        closed({ id: text, vejnavn: text }),
        ref<Static<typeof AddressSchema>>('Adresse'),
      ]),
    }),
  ),
  meta: CoveredMetaRef,
});

export const ADDRESS_SCHEMAS = [
  NearestAddressSchema,
  AddressSchema,
  PresentAddressSchema,
  FoundAddressSchema,
  ReverseAddressSchema,
] as const;

function numbersParameter(count: number, description: string) {
  const text = Type.String({ maxLength: LIMITS.addressPlaceChars, description });
  const number = `\\s*${DECIMAL.source.slice(1, -1)}\\s*`;
  return stated(text, { pattern: `^${number}(?:,${number}){${count - 1}}$` });
}

const SOUGHT = {
  q: textWithin(LIMITS.addressTextChars, 'What is looked for, as people write addresses.'),
  kommunekode: codesParameter('Municipality codes to keep to; several with | or sent again.'),
  postnr: codesParameter('Postcodes to keep to; several with | or sent again.'),
  naer: Type.Optional(
    numbersParameter(
      2,
      'Longitude,latitude (or x,y with srid=25832): of equally good matches the nearest first.',
    ),
  ),
  bbox: Type.Optional(
    numbersParameter(4, 'West,south,east,north: only addresses with a point in it.'),
  ),
  srid: Type.Optional(oneOf(['4326', '25832'], 'Of naer and bbox; 4326 where absent.')),
  status: Type.Optional(
    oneOf(
      ['gaeldende', 'foreloebig'],
      'Addresses in force, or provisional ones (DAR 3 and 2); both where absent.',
    ),
  ),
  per_side: Type.Optional(
    wholeWithin(
      { min: 1, max: LIMITS.addressesPerPage.max },
      `How many at most; ${LIMITS.addressesPerPage.default} where absent.`,
    ),
  ),
};

const DEPTHS = { vejnavn: 'road', adgangsadresse: 'access', adresse: 'unit' } as const;
const PER_PAGE = LIMITS.addressesPerPage.default;
const RADIUS_M = LIMITS.addressRadiusM.default;
const out = new JsonWriter();

const reverse = question({
  key: 'adresseReverse',
  called: { da: 'Nærmeste adresse', en: 'Nearest address' },
  summary: 'The access address nearest to a point',
  tag: 'adresser',
  query: { ...COORDINATE_PARAMETERS, radius: Type.Optional(RADIUS) },
  answer: ref('AdresseReverse'),
  failures: [400, 404],
  path: '/v1/adresser/reverse',
  area: 'adresser',
  ask: async ({ addresses }: AddressLookups, { radius = RADIUS_M, ...place }) => {
    const point = pointFromQuery(place);
    const { value, ...facts } = await addresses.reverse.at([point], radius);
    return { value: { point, nearest: onlyAnswer(value) }, facts, units: 1 };
  },
  json: ({ point, nearest }, { tail }, { radius = RADIUS_M }) => {
    out.begin().ascii(`{"punkt":{"lon":${point.wgs84.lon},"lat":${point.wgs84.lat}}`);
    writeNearest(out, nearest);
    out.text(`,"radius":${radius}${tail}`);
    return out.take();
  },
  jobKinds: Object.values(jobs),
});

const reverseBatch = question({
  key: 'adresseReverseBatch',
  called: { da: 'Nærmeste adresse, flere punkter', en: 'Nearest address, many points' },
  summary: 'The access address nearest to each of up to 150 points',
  tag: 'adresser',
  ...ofPoints({
    most: LIMITS.addressPointsPerBatch,
    asks: { radius: Type.Optional(RADIUS) },
    results: { punkt: PointRef, adresse: ref('NaermesteAdresse') },
    more: { radius: Type.Integer() },
    meta: CoveredMetaRef,
  }),
  path: '/v1/adresser/reverse:batch',
  area: 'adresser',
  bodyLimit: LIMITS.bodyBytes.points,
  ask: async ({ addresses }: AddressLookups, { punkter, radius = RADIUS_M }) => {
    const { items, points } = pointsOf(punkter);
    const { value: answers, ...facts } = await addresses.reverse.at(points, radius);
    return { value: { items, answers }, facts, units: unitsOfAnswers(answers) };
  },
  json: (batch, { meta }, { radius = RADIUS_M }) =>
    writeBatch(out, { ...batch, write: writeNearest, meta, more: `,"radius":${radius}` }),
});

const search = question({
  key: 'adresser',
  called: { da: 'Søgning efter adresser', en: 'Search for addresses' },
  summary: 'Addresses that fit a text, the best first',
  tag: 'adresser',
  query: {
    ...SOUGHT,
    side: Type.Optional(
      wholeWithin({ min: 1, max: LIMITS.addressPages }, 'Which page of them; 1 where absent.'),
    ),
  },
  answer: SearchSchema,
  failures: [400],
  area: 'adresser',
  isForPages: true,
  path: '/v1/adresser',
  ask: ({ addresses, coverage }: AddressLookups, given) => {
    const { q, side = 1, per_side: perPage = PER_PAGE } = given;
    const asked = { text: q, limit: side * perPage, ...filterOf(given) };
    const { value, ...facts } = addresses.search.search(asked);
    const page = value.slice((side - 1) * perPage, side * perPage);
    return { value: page, facts, units: unitsOfFound(value.length, coverage) };
  },
  json: (page, ground, { side = 1, per_side: perPage = PER_PAGE }) => {
    const head = `{"antal":${page.length},"side":${side},"per_side":${perPage},"adresser":[`;
    return listText(
      head,
      page.map((hit) => `{${addressMembers(hit)}}`),
      ground,
    );
  },
});

const autocomplete = question({
  key: 'adresseAutocomplete',
  called: { da: 'Forslag til adresser', en: 'Suggestions of addresses' },
  summary: 'What the text being typed may become: a road, a house, a unit',
  tag: 'adresser',
  query: {
    ...SOUGHT,
    caretpos: Type.Optional(
      wholeWithin(
        { min: 0, max: LIMITS.addressTextChars.max },
        'Position of the caret in q; its end where absent.',
      ),
    ),
    type: Type.Optional(
      oneOf(
        ['vejnavn', 'adgangsadresse', 'adresse'],
        'How deep to go; to units (adresse) where absent.',
      ),
    ),
  },
  answer: SuggestionsSchema,
  failures: [400],
  area: 'adresser',
  isForPages: true,
  typing: 'suggest',
  headers: 'typed',
  path: '/v1/adresser/autocomplete',
  ask: ({ addresses, coverage }: AddressLookups, given) => {
    const { q, caretpos, type = 'adresse', per_side: most } = given;
    const { value, ...facts } = addresses.search.suggest({
      text: q,
      caret: Math.min(caretpos ?? q.length, q.length),
      depth: DEPTHS[type],
      limit: most ?? PER_PAGE,
      ...filterOf(given),
    });
    return { value, facts, units: unitsOfFound(value.length, coverage) };
  },
  json: (found, ground) =>
    listText(`{"antal":${found.length},"forslag":[`, found.map(suggestionText), ground),
});

const one = question({
  key: 'adresse',
  called: { da: 'Opslag af en adresse', en: 'Lookup of an address' },
  summary: 'One unit or access address by its id in DAR',
  tag: 'adresser',
  params: {
    id: Type.String({
      maxLength: LIMITS.pathParameterChars,
      description: 'The id (UUID) of the address in DAR.',
    }),
  },
  answer: ref('AdresseOpslag'),
  failures: [400, 404],
  area: 'adresser',
  isForPages: true,
  typing: 'choose',
  headers: 'typed',
  path: '/v1/adresser/:id',
  ask: async ({ addresses }: AddressLookups, { id }, asker) => {
    const { value, ...facts } = await addresses.search.find(id, asker);
    return { value, facts, units: 1 };
  },
  json: ({ hit, areas, successors }, { tail }) => {
    const members = addressMembers(hit) + successorsMember(successors) + areasMember(areas);
    out.begin().text(`{${members}${tail}`);
    return out.take();
  },
});

export const ADDRESS_QUESTIONS = [
  ...[reverse, reverseBatch, search, autocomplete, one],
  ...[datavask, ...POSTCODE_QUESTIONS],
];
