/** The assessments of a property (D10, D112): 404 none, 502 unreadable, 503 until mirrored. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { sendText } from '../../http/wire/send-json.ts';
import { assessmentText } from './answer.ts';
import type { Assessments } from './lookup.ts';
import { answered, oneLookup } from '../../http/access.ts';
import { tellProvenance } from '../../http/wire/provenance.ts';
import { assessmentsRoute } from './schema.ts';

export function assessmentRoutes(app: FastifyInstance, assessments: Assessments): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const route = { schema: assessmentsRoute, config: oneLookup('vurdering') };
  routes.get('/v1/vurdering/:bfe', route, async (request, reply) => {
    const found = await assessments.find(request.params.bfe);
    tellProvenance(reply, found);
    answered(request, 1, found.generation);
    return sendText(reply, assessmentText(found));
  });
}
