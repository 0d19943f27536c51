/** The assessments of a property (D10, D112): 404 none, 502 unreadable, 503 until they are mirrored. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { sendText } from '../../http/wire/send-json.ts';
import { assessmentText } from './answer.ts';
import { assessmentsNotMirrored } from './lookup.ts';
import { answered, oneLookup } from '../../http/access.ts';
import type { Services } from '../../http/services.ts';
import { tellProvenance } from '../../http/wire/provenance.ts';
import { assessmentsRoute } from './schema.ts';

const ONE = oneLookup('vurdering');

export function assessmentRoutes(app: FastifyInstance, services: Services): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const route = { schema: assessmentsRoute, config: ONE };
  routes.get('/v1/vurdering/:bfe', route, async (request, reply) => {
    if (services.assessments === undefined) throw assessmentsNotMirrored();
    const found = await services.assessments.find(request.params.bfe);
    tellProvenance(reply, found);
    answered(request, 1, found.generation);
    return sendText(reply, assessmentText(found));
  });
}
