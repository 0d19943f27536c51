/** The link's token comes in a body, never in a URL (D69). */
import { Type } from 'typebox';
import { BODY_STATUSES, closed, errors, nullable, query } from '../../../core/question/schemas.ts';
import { AccountRef, EmailAddress, Name, PersonRef } from '../me/schema.ts';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify';
import { ACCOUNT_LIMITS } from '../../../account/limits.ts';
import { browserTokenOf, csrfTokenOf } from '../../../account/sessions.ts';
import { clientOf } from '../../../kernel/client-address.ts';
import { Failure, notSetUp } from '../../../kernel/failures.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { senderOfRequest } from '../../access.ts';
import type { Services, RouteGroup } from '../../services.ts';
import { NO_STORE } from '../../wire/no-store.ts';
import { refuseWhileUnavailable, unreachable } from '../../wire/unreachable.ts';
import { renderSession } from '../me/render.ts';
import {
  isLocal,
  linkCookie,
  linkTokenOf,
  noSessionCookie,
  sessionCookie,
  sessionTokenOf,
} from './cookie.ts';
import { accountsOf, keptSessions, notSignedIn, refuseOtherSites, signedInOf } from './gate.ts';

const time = Type.String({ format: 'date-time' });
const tags = ['me'];

const session = closed({
  account: AccountRef,
  person: PersonRef,
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
      description: 'The token of the link: what its address has after #.',
    }),
  }),
  response: {
    200: closed({ session }),
    ...errors(...BODY_STATUSES, 401, 403, 503),
  },
};

const askLinkRoute = {
  operationId: 'askLink',
  summary:
    'Asks for a sign-in link by e-mail; the answer does not show whether the address has an account',
  tags,
  security: [],
  querystring: query({}),
  body: closed({ email: EmailAddress }),
  response: {
    202: closed({ expires_in_s: Type.Integer({ description: 'How long a link works, seconds.' }) }),
    ...errors(...BODY_STATUSES, 403, 429, 503),
  },
};

const askAccountRoute = {
  operationId: 'askAccount',
  summary: 'Asks the operator for an account',
  tags,
  security: [],
  querystring: query({}),
  body: closed({
    name: Name,
    email: EmailAddress,
    purpose: Type.String({ maxLength: ACCOUNT_LIMITS.requests.purposeChars }),
  }),
  response: {
    202: closed({ received: Type.Literal(true) }),
    ...errors(...BODY_STATUSES, 403, 429, 503),
  },
};

export const sessionRoute = {
  operationId: 'session',
  summary: 'Who is signed in; null: no one',
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

export const sessionRoutes: RouteGroup = (app, services, { publicUrl }) => {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const local = ({ headers }: FastifyRequest) => ({ local: isLocal(publicUrl, headers.host) });
  const ownSite = fromOwnSite(publicUrl);

  routes.post(
    '/v1/me/session',
    { schema: signInRoute, onRequest: ownSite, bodyLimit: LIMITS.bodyBytes.form },
    async (request, reply) => {
      const accounts = accountsOf(services);
      refuseWhileUnavailable(accounts);
      const before = sessionTokenOf(request.headers.cookie);
      const opened = await accounts.sessions
        .signIn(request.body.link, before, linkTokenOf(request.headers.cookie))
        .catch(unreachable);
      if (opened === null) throw linkIsSpent();
      const { token, session } = opened;
      request.log.info({ account: session.account.id, session: session.id }, 'signed in');
      return reply
        .headers({ ...NO_STORE, 'set-cookie': sessionCookie(token, local(request)) })
        .send({ session: renderSession(session, csrfTokenOf(token)) });
    },
  );

  linkRoutes(app, services, publicUrl);
  routes.get('/v1/me/session', { schema: sessionRoute }, async (request, reply) => {
    const signedIn = await signedInOf(request, accountsOf(services), publicUrl);
    return reply.headers(NO_STORE).send({
      session: signedIn === null ? null : renderSession(signedIn.session, signedIn.csrfToken),
    });
  });

  const { onRequest, sessionOf } = keptSessions(async (request) => {
    const signedIn = await signedInOf(request, accountsOf(services), publicUrl);
    if (signedIn === null) throw notSignedIn(sessionTokenOf(request.headers.cookie) !== null);
    return signedIn.session;
  });
  routes.delete('/v1/me/session', { schema: signOutRoute, onRequest }, async (request, reply) => {
    const session = sessionOf(request);
    await accountsOf(services).sessions.signOut(session).catch(unreachable);
    request.log.info({ session: session.id }, 'signed out');
    const headers = { ...NO_STORE, 'set-cookie': noSessionCookie(local(request)) };
    return reply.code(204).headers(headers).send(null);
  });
};

/** Answers every address alike: only its reader learns whether it has an account (D217). */
function linkRoutes(app: FastifyInstance, services: Services, publicUrl: string | null): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const open = { onRequest: fromOwnSite(publicUrl), bodyLimit: LIMITS.bodyBytes.form };
  routes.post('/v1/me/session/link', { schema: askLinkRoute, ...open }, async (request, reply) => {
    const accounts = accountsOf(services);
    refuseWhileUnavailable(accounts);
    if (accounts.letters === null) throw settingMissing('SMTP_URL');
    const browser = publicUrl === null ? null : browserTokenOf(linkTokenOf(request.headers.cookie));
    const client = clientOf(senderOfRequest(request));
    await accounts.letters
      .askLinks({ email: request.body.email, client, browser })
      .catch(unreachable);
    const local = { local: isLocal(publicUrl, request.headers.host) };
    const headers = {
      ...NO_STORE,
      ...(browser !== null && { 'set-cookie': linkCookie(browser, local) }),
    };
    const expires_in_s = ACCOUNT_LIMITS.signInLinkMs / 1000;
    return reply.code(202).headers(headers).send({ expires_in_s });
  });

  const ask = { schema: askAccountRoute, ...open };
  routes.post('/v1/me/account-requests', ask, async (request, reply) => {
    const accounts = accountsOf(services);
    refuseWhileUnavailable(accounts);
    if (accounts.accountRequests === null) throw settingMissing('ACCOUNT_REQUESTS');
    const client = clientOf(senderOfRequest(request));
    await accounts.accountRequests.ask(request.body, client).catch(unreachable);
    return reply.code(202).headers(NO_STORE).send({ received: true });
  });
}

function settingMissing(setting: 'SMTP_URL' | 'ACCOUNT_REQUESTS'): Failure {
  return notSetUp(
    `The operator has not set ${setting}.`,
    `Den, der driver tjenesten, har ikke sat ${setting}.`,
  );
}

function fromOwnSite(publicUrl: string | null): onRequestHookHandler {
  return (request, _reply, done) => {
    try {
      refuseOtherSites(request, publicUrl);
      done();
    } catch (error) {
      done(error as Error);
    }
  };
}

/** `ended`: a cookie without an open session. */
function linkIsSpent(): Failure {
  return new Failure('unauthorized', {
    error: 'The sign-in link is unknown, used or too old: ask for a new one.',
    errorDa: 'Linket er ukendt, brugt eller for gammelt: bed om et nyt.',
    code: 'link_invalid',
  });
}
