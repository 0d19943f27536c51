/** A company by its number (D9, D116): 400 no number, 404 unknown, 502 unreadable, 503 until there is a copy or a login. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { companyText } from '../../../answers/company.ts';
import { sendText } from '../../wire/send-json.ts';
import { companiesNotMirrored } from '../../../lookups/company.ts';
import { answered, oneLookup } from '../../access.ts';
import type { Services } from '../../services.ts';
import { tellProvenance } from '../../wire/provenance.ts';
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
