/** Schemas of signing in and out (D69). */
import { Type } from 'typebox';
import { BODY_STATUSES, closed, errors, nullable, query } from '../../../core/question/schemas.ts';
import { AccountRef } from '../me/schema.ts';

const time = Type.String({ format: 'date-time' });
const tags = ['me'];

const session = closed({
  account: AccountRef,
  expires_at: time,
  csrf_token: Type.String({ description: 'Goes into X-CSRF-Token of every write.' }),
});

export const signInRoute = {
  operationId: 'signIn',
  summary: 'Signs in with a one-time link; the session is a cookie',
  tags,
  security: [],
  querystring: query({}),
  body: closed({
    link: Type.String({
      maxLength: 200,
      description: 'The token of the link: what its address has behind #.',
    }),
  }),
  response: {
    200: closed({ session }),
    ...errors(...BODY_STATUSES, 401, 403, 503),
  },
};

export const sessionRoute = {
  operationId: 'session',
  summary: 'Who is signed in; null: nobody',
  tags,
  security: [{}, { session: [] }],
  querystring: query({}),
  response: { 200: closed({ session: nullable(session) }), ...errors(400, 503) },
};

export const signOutRoute = {
  operationId: 'signOut',
  summary: 'Ends the session',
  tags,
  security: [{ session: [] }],
  querystring: query({}),
  response: {
    204: { description: 'Signed out.', type: 'null' },
    ...errors(...BODY_STATUSES, 401, 403, 503),
  },
};
