import { unitsOfFound } from '../../core/question/answers.ts';
import { codesOf, codesParameter, listOf, listParameter } from '../../core/question/lists.ts';
import { question } from '../../core/question/question.ts';
import type { AddressLookups } from './lookup.ts';
import { Type } from 'typebox';
import { LIMITS } from '../../kernel/limits.ts';
import { CoveredMetaRef, closed, nullable, oneOf, ref } from '../../core/question/schemas.ts';
import { DEGREE_DECIMALS, roundTo } from '../../answers/numbers.ts';
import type { PostcodeAnswer } from './postcodes.ts';

const text = Type.String();
const bounds = (description: string) =>
  nullable(Type.Array(Type.Number(), { minItems: 4, maxItems: 4, description }));

const POSTCODE = {
  nr: text,
  navn: Type.String({ description: 'The register’s own, as `postnrnavn` of every address.' }),
  afgraensning: oneOf(
    ['distrikt', 'adresser'],
    'What `kommuner` and `bbox` are of: `distrikt`, the postal district as DAGI draws it; or, ' +
      'where there is none or none is mirrored, `adresser`: the addresses in force.',
  ),
  kommuner: Type.Array(
    closed({
      kode: text,
      navn: nullable(Type.String({ description: 'null: DAGI did not answer.' })),
    }),
    {
      description:
        'The municipalities it lies in, by code: `kommunekode` of each of its addresses is here.',
    },
  ),
  bbox: bounds('WGS84: west, south, east, north. A district may run out into the sea.'),
  epsg25832_bbox: bounds('The same in EPSG:25832, metres.'),
};

export const PostcodeSchema = closed(POSTCODE, {
  $id: 'Postnummer',
  description: 'A postcode and where it lies.',
});

const PostcodeFoundSchema = closed(
  { ...POSTCODE, meta: CoveredMetaRef },
  { $id: 'PostnummerOpslag', description: 'One postcode.' },
);

export const POSTCODE_SCHEMAS = [PostcodeSchema, PostcodeFoundSchema] as const;

export function postcodeOf(answer: PostcodeAnswer) {
  const { code, name, described, municipalities, boundsDegrees, boundsM } = answer;
  return {
    nr: code,
    navn: name,
    afgraensning: described === 'district' ? ('distrikt' as const) : ('adresser' as const),
    kommuner: municipalities.map((each) => ({ kode: each.code, navn: each.name })),
    bbox: boundsDegrees?.map((each) => roundTo(each, DEGREE_DECIMALS)) ?? null,
    epsg25832_bbox: boundsM?.map((each) => roundTo(each, 2)) ?? null,
  };
}

const postcodes = question({
  key: 'postnumre',
  called: { da: 'Liste over postnumre', en: 'List of postcodes' },
  summary: 'Postcodes, by number',
  tag: 'adresser',
  query: {
    nr: codesParameter('Postcodes; several with | or sent again.'),
    navn: listParameter('Names; several with | or sent again.'),
    kommunekode: codesParameter('Those that lie in one of these municipalities.'),
    q: Type.Optional(
      Type.String({
        maxLength: LIMITS.addressTextChars.max,
        description: 'The beginning of a number, a name or a word of one.',
      }),
    ),
  },
  answer: closed({
    antal: Type.Integer({ minimum: 0 }),
    postnumre: Type.Array(ref('Postnummer')),
    meta: CoveredMetaRef,
  }),
  failures: [400],
  area: 'adresser',
  isForPages: true,
  path: '/v1/postnumre',
  ask: async ({ addresses, coverage }: AddressLookups, { nr, navn, kommunekode, q }) => {
    const { value, ...facts } = await addresses.postcodes.list({
      codes: codesOf('nr', nr),
      names: listOf('navn', navn),
      municipalityCodes: codesOf('kommunekode', kommunekode),
      text: q ?? null,
    });
    return { value, facts, units: unitsOfFound(value.length, coverage) };
  },
  json: (found, { meta }) =>
    JSON.stringify({ antal: found.length, postnumre: found.map(postcodeOf), meta }),
});

const postcode = question({
  key: 'postnummer',
  called: { da: 'Opslag af et postnummer', en: 'Lookup of a postcode' },
  summary: 'One postcode with its municipalities and bounding box',
  tag: 'adresser',
  params: {
    nr: Type.String({ maxLength: LIMITS.pathParameterChars, description: 'Postcode.' }),
  },
  answer: ref('PostnummerOpslag'),
  failures: [400, 404],
  area: 'adresser',
  isForPages: true,
  path: '/v1/postnumre/:nr',
  ask: async ({ addresses }: AddressLookups, { nr }) => {
    const { value, ...facts } = await addresses.postcodes.find(nr);
    return { value, facts, units: 1 };
  },
  json: (found, { meta }) => JSON.stringify({ ...postcodeOf(found), meta }),
});

export const POSTCODE_QUESTIONS = [postcodes, postcode];
