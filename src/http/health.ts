/** Liveness and readiness for whoever runs the process (D16). */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Failure } from '../kernel/failures.ts';
import { LIMITS } from '../kernel/limits.ts';
import type { Services } from './services.ts';
import { closed, errors, oneOf, query } from './wire/schemas.ts';

const OkSchema = closed({ status: oneOf(['ok']) });
const tags = ['drift'];

const healthRoute = {
  operationId: 'healthz',
  summary: 'Whether the process answers',
  tags,
  querystring: query({}),
  response: { 200: OkSchema, ...errors(400) },
};

const readyRoute = {
  operationId: 'readyz',
  summary: 'Whether the store can be reached',
  tags,
  querystring: query({}),
  response: { 200: OkSchema, ...errors(400, 503) },
};

export function healthRoutes(app: FastifyInstance, services: Services): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();

  routes.get('/healthz', { schema: healthRoute }, (_request, reply) => {
    void reply.header('cache-control', 'no-store').send({ status: 'ok' });
  });

  routes.get('/readyz', { schema: readyRoute }, async (_request, reply) => {
    if (!(await services.isReady())) {
      throw new Failure('overloaded', {
        error: 'The store cannot be reached.',
        errorDa: 'Lageret kan ikke nås.',
        retryAfterS: LIMITS.retryAfterS.unavailable,
      });
    }
    return reply.header('cache-control', 'no-store').send({ status: 'ok' });
  });
}
