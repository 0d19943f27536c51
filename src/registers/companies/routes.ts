/** A company by its number (D9, D116): 400 no number, 404 unknown, 502 unreadable, 503 until there is a copy or a login. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { companyText } from './answer.ts';
import { sendText } from '../../answers/json-writer.ts';
import { companiesNotMirrored } from './lookup.ts';
import { answered, oneLookup } from '../../http/access.ts';
import type { Services } from '../../http/services.ts';
import { tellProvenance } from '../../http/wire/provenance.ts';
import { companyRoute } from './schema.ts';

const ONE = oneLookup('cvr');

export function companyRoutes(app: FastifyInstance, services: Services): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const route = { schema: companyRoute, config: ONE };
  routes.get('/v1/cvr/:cvr', route, async (request, reply) => {
    if (services.companies === undefined) throw companiesNotMirrored();
    const found = await services.companies.find(request.params.cvr);
    tellProvenance(reply, found);
    answered(request, 1, found.generation);
    return sendText(reply, companyText(found));
  });
}
