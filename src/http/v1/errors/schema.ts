/** The failure catalogue (D66). */
import { Type } from 'typebox';
import { FAILURES } from '../../../kernel/failures.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { closed, errors, oneOf, query, ref, wholeWithin } from '../../../core/question/schemas.ts';

export const FailureClassSchema = closed(
  {
    type: oneOf(Object.keys(FAILURES)),
    status: wholeWithin({ min: 400, max: 599 }),
    retryable: Type.Boolean(),
    codes: Type.Array(Type.String()),
    beskrivelse: Type.String(),
    description: Type.String(),
  },
  { $id: 'Fejlklasse', description: 'A failure class: what `type` of an error may be.' },
);

const tags = ['errors'];

export const failureClassesRoute = {
  operationId: 'errors',
  summary: 'Every failure class the service may answer with',
  tags,
  querystring: query({}),
  response: { 200: closed({ errors: Type.Array(ref('Fejlklasse')) }), ...errors(400) },
};

export const failureClassRoute = {
  operationId: 'error',
  summary: 'One failure class; doc_url of an error points here',
  tags,
  params: closed({
    type: Type.String({
      maxLength: LIMITS.pathParameterChars,
      description: 'Name of the failure class.',
    }),
  }),
  querystring: query({}),
  response: { 200: ref('Fejlklasse'), ...errors(400, 404) },
};
