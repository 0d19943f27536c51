/**
 * A company by its number (D9, D116): 400 invalid number, 404 unknown, 502 unreadable, 503 until
 * there is a copy or a login.
 */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { sendText } from '../../http/wire/send-json.ts';
import { answered, oneLookup } from '../../http/access.ts';
import { tellProvenance } from '../../http/wire/provenance.ts';
import { companyText } from './answer.ts';
import type { Companies } from './lookup.ts';
import { companyRoute } from './schema.ts';

export function companyRoutes(app: FastifyInstance, companies: Companies): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const route = { schema: companyRoute, config: oneLookup('cvr') };
  routes.get('/v1/cvr/:cvr', route, async (request, reply) => {
    const found = await companies.find(request.params.cvr);
    tellProvenance(reply, found);
    answered(request, 1, found.generation);
    return sendText(reply, companyText(found));
  });
}
