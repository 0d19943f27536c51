/** D6; registers-geo.md 3.6. */
import { Type } from 'typebox';
import { LIMITS } from '../../kernel/limits.ts';
import { listParameter } from '../../core/question/lists.ts';
import { CoveredMetaRef, closed, nullable, oneOf, ref } from '../../core/question/schemas.ts';

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
      navn: nullable(Type.String({ description: 'null: DAGI did not tell.' })),
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

export const postcodesShape = {
  key: 'postnumre',
  summary: 'Postcodes, by number',
  tag: 'adresser',
  query: {
    nr: listParameter('Postcodes; several with | or sent again.'),
    navn: listParameter('Names; several with | or sent again.'),
    kommunekode: listParameter('Those that lie in one of these municipalities.'),
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
};

export const postcodeShape = {
  key: 'postnummer',
  summary: 'One postcode with its municipalities and bounding box',
  tag: 'adresser',
  params: {
    nr: Type.String({ maxLength: LIMITS.pathParameterChars, description: 'Postcode.' }),
  },
  answer: ref('PostnummerOpslag'),
  failures: [400, 404],
};
