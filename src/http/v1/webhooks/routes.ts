/** Webhook administration (D12), by session only. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { isId } from '../../../account/ids.ts';
import { notSetUp } from '../../../kernel/failures.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { noSuchEndpoint } from '../../../webhooks/webhooks.ts';
import type { Webhooks } from '../../../webhooks/webhooks.ts';
import type { Services, RouteGroup } from '../../services.ts';
import { NO_STORE } from '../../wire/no-store.ts';
import { unreachable } from '../../wire/unreachable.ts';
import { sessionGate } from '../me/session-gate.ts';
import type { SessionGate } from '../me/session-gate.ts';
import { renderDelivery, renderNewWebhook, renderWebhook } from './render.ts';
import {
  changeWebhookRoute,
  registerWebhookRoute,
  removeWebhookRoute,
  renewWebhookSecretRoute,
  testWebhookRoute,
  webhookDeliveriesRoute,
  webhooksRoute,
} from './schema.ts';

export const webhookRoutes: RouteGroup = (app, services, { publicUrl }) => {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const gate = sessionGate(services, publicUrl);
  const { reads, uses, accountId } = gate;
  const webhooks = () => webhooksOf(services);

  const register = { schema: registerWebhookRoute, ...uses, bodyLimit: LIMITS.bodyBytes.webhook };
  routes.post('/v1/me/webhooks', register, async (request, reply) => {
    const { endpoint, secret } = await webhooks()
      .register(accountId(request), request.body)
      .catch(unreachable);
    request.log.info({ account: endpoint.accountId, webhook: endpoint.id }, 'webhook registered');
    return reply
      .code(201)
      .headers({ ...NO_STORE, location: `/v1/me/webhooks/${endpoint.id}` })
      .send({ webhook: renderNewWebhook(endpoint, secret) });
  });

  routes.get('/v1/me/webhooks', { schema: webhooksRoute, ...reads }, async (request, reply) => {
    const found = await webhooks().list(accountId(request)).catch(unreachable);
    return reply.headers(NO_STORE).send({ webhooks: found.map(renderWebhook) });
  });

  const change = { schema: changeWebhookRoute, ...uses, bodyLimit: LIMITS.bodyBytes.webhook };
  routes.patch('/v1/me/webhooks/:id', change, async (request, reply) => {
    const id = webhookNamed(request.params.id);
    const changed = await webhooks()
      .change(accountId(request), id, request.body)
      .catch(unreachable);
    request.log.info({ account: changed.accountId, webhook: id }, 'webhook changed');
    return reply.headers(NO_STORE).send({ webhook: renderWebhook(changed) });
  });

  const remove = { schema: removeWebhookRoute, ...uses };
  routes.delete('/v1/me/webhooks/:id', remove, async (request, reply) => {
    const id = webhookNamed(request.params.id);
    await webhooks().remove(accountId(request), id).catch(unreachable);
    request.log.info({ account: accountId(request), webhook: id }, 'webhook removed');
    return reply.code(204).headers(NO_STORE).send(null);
  });
  deedRoutes(app, services, gate);
};

function deedRoutes(
  app: FastifyInstance,
  services: Services,
  { reads, uses, accountId }: SessionGate,
): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const webhooks = () => webhooksOf(services);

  const deliveries = { schema: webhookDeliveriesRoute, ...reads };
  routes.get('/v1/me/webhooks/:id/deliveries', deliveries, async (request, reply) => {
    const id = webhookNamed(request.params.id);
    const found = await webhooks().deliveries(accountId(request), id).catch(unreachable);
    return reply.headers(NO_STORE).send({ deliveries: found.map(renderDelivery) });
  });

  const ping = { schema: testWebhookRoute, ...uses, bodyLimit: LIMITS.bodyBytes.form };
  routes.post('/v1/me/webhooks/:id/test', ping, async (request, reply) => {
    const id = webhookNamed(request.params.id);
    const delivery = await webhooks().ping(accountId(request), id).catch(unreachable);
    return reply.headers(NO_STORE).send({ delivery: renderDelivery(delivery) });
  });

  const renew = { schema: renewWebhookSecretRoute, ...uses, bodyLimit: LIMITS.bodyBytes.form };
  routes.post('/v1/me/webhooks/:id/secret', renew, async (request, reply) => {
    const id = webhookNamed(request.params.id);
    const { endpoint, secret } = await webhooks()
      .renewSecret(accountId(request), id)
      .catch(unreachable);
    request.log.info({ account: endpoint.accountId, webhook: id }, 'webhook: a new secret');
    return reply
      .code(201)
      .headers(NO_STORE)
      .send({ webhook: renderNewWebhook(endpoint, secret) });
  });
}

function webhooksOf({ webhooks }: Pick<Services, 'webhooks'>): Webhooks {
  if (webhooks !== null) return webhooks;
  throw notSetUp(
    'Webhooks are not set up in this process.',
    'Webhooks er ikke sat op i denne proces.',
  );
}

function webhookNamed(id: string): string {
  if (isId('webhook', id)) return id;
  throw noSuchEndpoint();
}
