/** The cadastre property: 503 until the cadastre has a published version (D58), then what it knows (D90). */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Failure } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { sendText } from '../../http/wire/send-json.ts';
import { cadastreText } from './answer.ts';
import { answered, oneLookup } from '../../http/access.ts';
import type { Services } from '../../http/services.ts';
import { tellProvenance } from '../../http/wire/provenance.ts';
import { cadastrePropertyRoute } from './schema.ts';

const ONE = oneLookup('bbr');

export function matrikelRoutes(app: FastifyInstance, services: Services): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const route = { schema: cadastrePropertyRoute, config: ONE };
  routes.get('/v1/matrikel/ejendom/:bfe', route, async (request, reply) => {
    if (services.cadastre === undefined) throw notConfigured();
    const property = await services.cadastre.find(request.params.bfe);
    tellProvenance(reply, property);
    answered(request, 1, property.generation);
    return sendText(reply, cadastreText(property));
  });
}

function notConfigured(): Failure {
  return new Failure('upstream_unavailable', {
    error: 'Upstream not configured: the cadastre is announced but not open yet.',
    errorDa: 'Matriklen er varslet, men kilden er endnu ikke sat op.',
    retryAfterS: LIMITS.retryAfterS.notConfigured,
  });
}
