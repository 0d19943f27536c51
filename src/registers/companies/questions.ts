/** A company by its number (D9, D116). */
import { Type } from 'typebox';
import type { Static } from 'typebox';
import {
  CodeFieldRef,
  MetaRef,
  closed,
  nullable,
  ref,
  stated,
} from '../../core/question/schemas.ts';
import { question } from '../../core/question/question.ts';
import { companyText } from './answer.ts';
import type { Companies } from './lookup.ts';

const textOrNull = nullable(Type.String());
const dayOrNull = nullable(Type.String({ format: 'date' }));
const booleanOrNull = (description: string) => nullable(Type.Boolean({ description }));

export const CompanyAddressSchema = closed(
  {
    betegnelse: textOrNull,
    vejnavn: textOrNull,
    husnr: textOrNull,
    etage: textOrNull,
    doer: textOrNull,
    postnr: textOrNull,
    postnrnavn: textOrNull,
    kommunekode: textOrNull,
    adresse_id: textOrNull,
  },
  {
    $id: 'Virksomhedsadresse',
    description: 'Where a company is, as the register of companies has it.',
  },
);

export const CompanySchema = closed(
  {
    cvr_nummer: Type.String({ description: 'Eight digits.' }),
    navn: textOrNull,
    binavne: Type.Array(Type.String()),
    virksomhedsform: nullable(CodeFieldRef),
    status: textOrNull,
    startdato: dayOrNull,
    ophoersdato: dayOrNull,
    adresse: nullable(ref<Static<typeof CompanyAddressSchema>>('Virksomhedsadresse')),
    hovedbranche: nullable(CodeFieldRef),
    bibrancher: Type.Array(CodeFieldRef),
    reklamebeskyttet: booleanOrNull(
      'Not to be used for advertising. null: not known, never to be read as false.',
    ),
    personlig: booleanOrNull('The company is one person: its data are personal. null: not known.'),
    meta: MetaRef,
  },
  { $id: 'Virksomhed', description: 'A company by its number; one that has ended as it last was.' },
);

export const COMPANY_SCHEMAS = [CompanyAddressSchema, CompanySchema] as const;

const NUMBER = stated(
  Type.String({ description: 'Eight digits, the last of which meets the modulus-11 check.' }),
  { pattern: '^[0-9]{8}$' },
);

export const COMPANY_QUESTIONS = [
  question({
    key: 'virksomhed',
    called: { da: 'Virksomhed (CVR)', en: 'Company (CVR)' },
    summary: 'A company by CVR number',
    tag: 'cvr',
    params: { cvr: NUMBER },
    answer: ref('Virksomhed'),
    failures: [400, 404, 502],
    path: '/v1/cvr/:cvr',
    area: 'cvr',
    ask: async (companies: Companies, { cvr }) => {
      const value = await companies.find(cvr);
      return { value, facts: value, units: 1 };
    },
    json: companyText,
  }),
];
