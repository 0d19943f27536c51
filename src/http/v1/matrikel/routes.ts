/** The cadastre property: announced, and 503 until the cadastre is configured (D58). */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { FastifyInstance } from 'fastify';
import { Failure } from '../../../kernel/failures.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { oneLookup } from '../../access.ts';
import { KEYED_STATUSES, KEY_SECURITY, closed, errors, query, ref } from '../../wire/schemas.ts';

const cadastrePropertyRoute = {
  operationId: 'matrikelEjendom',
  summary: 'Cadastre property by BFE number; currently answers 503',
  tags: ['matrikel'],
  params: closed({
    bfe: Type.Integer({
      minimum: LIMITS.bfe.min,
      maximum: LIMITS.bfe.max,
      description: 'BFE number of the property.',
    }),
  }),
  querystring: query({}),
  response: { 200: ref('Ejendom'), ...errors(...KEYED_STATUSES, 400) },
  security: KEY_SECURITY,
};

export function matrikelRoutes(app: FastifyInstance): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const route = {
    schema: cadastrePropertyRoute,
    config: oneLookup('bbr'),
  };
  routes.get('/v1/matrikel/ejendom/:bfe', route, () => {
    throw new Failure('upstream_unavailable', {
      error: 'Upstream not configured: the cadastre is announced but not open yet.',
      errorDa: 'Matriklen er varslet, men kilden er endnu ikke sat op.',
      retryAfterS: LIMITS.retryAfterS.notConfigured,
    });
  });
}
