import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../services.ts';
import { statusHeaders } from '../../wire/status-source.ts';
import { unreachable } from '../../wire/unreachable.ts';
import { renderStatus } from './render.ts';
import { statusRoute } from './schema.ts';

export function statusRoutes(app: FastifyInstance, services: Services): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const route = { schema: statusRoute, config: { isReadableByPages: true } };
  routes.get('/v1/status', route, async (_request, reply) => {
    const status = await services.status().catch(unreachable);
    const live = services.registers.flatMap((register) => register.status?.() ?? []);
    return reply
      .headers({ 'cache-control': 'no-cache', ...statusHeaders(status) })
      .send(renderStatus(status, services.catalogue, live));
  });
}
