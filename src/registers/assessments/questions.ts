/** The assessments of a property (D10, D112): 404 none, 502 unreadable, 503 until mirrored. */
import { Type } from 'typebox';
import {
  BfeParameter,
  CodeFieldRef,
  MetaRef,
  closed,
  nullable,
  ref,
} from '../../core/question/schemas.ts';
import { question } from '../../core/question/question.ts';
import { assessmentText } from './answer.ts';
import type { AssessmentLookups } from './lookup.ts';

const numberOrNull = nullable(Type.Number());
const textOrNull = nullable(Type.String());

export const AssessmentRowSchema = closed(
  {
    aar: Type.Integer({ description: 'The year as the register has it.' }),
    ejendomsvaerdi_kr: numberOrNull,
    grundvaerdi_kr: numberOrNull,
    ejendomsvaerdi_afgiftspligtig_kr: numberOrNull,
    grundvaerdi_afgiftspligtig_kr: numberOrNull,
    vurderet_areal_m2: numberOrNull,
    benyttelse: nullable(CodeFieldRef),
    juridisk_kategori: nullable(CodeFieldRef),
    aendret: nullable(Type.String({ format: 'date' })),
  },
  {
    $id: 'VurderingsRaekke',
    description:
      'A row of the register. Both values 0 or null: no assessment, of a property that was split. ' +
      'benyttelse has the text of the published list, juridisk_kategori the one the register sends.',
  },
);

export const AssessmentsSchema = closed(
  {
    bfe_nummer: Type.Number(),
    antal_vurderingsejendomme: Type.Integer(),
    vurderingsejendomme: Type.Array(
      closed({
        id: textOrNull,
        kommunenummer: textOrNull,
        ejendomsnummer: textOrNull,
        vurderinger: Type.Array(ref('VurderingsRaekke'), {
          description: 'Every row: newest year first, of a year the latest change first.',
        }),
      }),
    ),
    meta: MetaRef,
  },
  { $id: 'Vurderinger', description: 'All public assessments of a property.' },
);

export const ASSESSMENT_SCHEMAS = [AssessmentRowSchema, AssessmentsSchema] as const;

export const ASSESSMENT_QUESTIONS = [
  question({
    key: 'vurdering',
    called: { da: 'Ejendomsvurdering', en: 'Property assessment' },
    summary: 'All public assessments of a property by BFE number',
    tag: 'vurdering',
    params: { bfe: BfeParameter },
    answer: ref('Vurderinger'),
    failures: [400, 404, 502],
    path: '/v1/vurdering/:bfe',
    area: 'vurdering',
    ask: async ({ assessments }: AssessmentLookups, { bfe }) => {
      const value = await assessments.find(bfe);
      return { value, facts: value, units: 1 };
    },
    json: assessmentText,
  }),
];
