/** The front page's trial key (issue 21, D68). */
import { Type } from 'typebox';
import { BODY_STATUSES, closed, errors, query } from '../../../core/question/schemas.ts';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { onRequestHookHandler } from 'fastify';
import { Failure } from '../../../kernel/failures.ts';
import { notOurPage } from '../../wire/key-refusals.ts';
import { isFromOwnPage } from '../../wire/own-page.ts';
import { refuseWhileUnavailable, unreachable } from '../../wire/unreachable.ts';
import type { RouteGroup } from '../../services.ts';

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

export const trialRoutes: RouteGroup = (app, services, { publicUrl }) => {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const onRequest: onRequestHookHandler = ({ headers }, _reply, done) => {
    if (services.trial === null) done(trialIsOff());
    else if (!isFromOwnPage(headers, publicUrl)) done(notOurPage());
    else done();
  };
  routes.post('/v1/demo/noegle', { schema: trialKeyRoute, onRequest }, async (_request, reply) => {
    if (services.trial === null) throw trialIsOff();
    refuseWhileUnavailable(services);
    const { key, secret } = await services.trial.key().catch(unreachable);
    return reply.header('cache-control', 'no-store').send({
      noegle: secret,
      rettighed: key.permission,
      udloeber: new Date(key.expiresAtMs ?? 0).toISOString(),
    });
  });
};

function trialIsOff(): Failure {
  return new Failure('not_found', {
    error: 'The open trial is turned off here: sign in to make a key.',
    errorDa: 'Den åbne prøve er slået fra her: log ind, og lav en nøgle.',
  });
}
