/** The public freshness page. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Failure } from '../../../kernel/failures.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import type { Services } from '../../services.ts';
import { renderStatus } from './render.ts';
import { statusRoute } from './schema.ts';

export function statusRoutes(app: FastifyInstance, services: Services): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  routes.get('/v1/status', { schema: statusRoute }, async (_request, reply) => {
    const status = await services.status().catch(unreachable);
    return reply
      .headers({ 'x-service-generation': String(status.generation), 'cache-control': 'no-cache' })
      .send(renderStatus(status));
  });
}

/** Freshness is read from the store itself: without it nothing is known, and nothing is claimed. */
function unreachable(cause: unknown): never {
  if (cause instanceof Failure) throw cause;
  throw new Failure('overloaded', {
    error: 'The store cannot be reached.',
    errorDa: 'Lageret kan ikke nås.',
    retryAfterS: LIMITS.retryAfterS.unavailable,
    cause,
  });
}
