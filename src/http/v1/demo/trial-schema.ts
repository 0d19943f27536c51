import { Type } from 'typebox';
import { BODY_STATUSES, closed, errors, query } from '../../../core/question/schemas.ts';

export const trialKeyRoute = {
  operationId: 'demoNoegle',
  summary: "A short-lived test key for this service's own pages",
  description:
    'Answers the pages of this service alone, each client address as seldom as with a public key. ' +
    '404 where the operator has turned the open trial off.',
  tags: ['demo'],
  security: [],
  querystring: query({}),
  response: {
    200: closed({
      noegle: Type.String({ description: 'A test key, never billed.' }),
      rettighed: Type.String({ description: 'What it may ask.' }),
      udloeber: Type.String({ format: 'date-time' }),
    }),
    ...errors(...BODY_STATUSES, 403, 404, 409, 429, 503),
  },
};
