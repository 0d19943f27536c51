/**
 * The cadastre property: 503 until the cadastre has a published version (D58), then what it has
 * (D90).
 */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { sendText } from '../../http/wire/send-json.ts';
import { cadastreText } from './answer.ts';
import { answered, oneLookup } from '../../http/access.ts';
import type { Cadastre } from './lookup.ts';
import { tellProvenance } from '../../http/wire/provenance.ts';
import { cadastrePropertyRoute } from './schema.ts';

export function matrikelRoutes(app: FastifyInstance, cadastre: Cadastre): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const route = { schema: cadastrePropertyRoute, config: oneLookup('bbr') };
  routes.get('/v1/matrikel/ejendom/:bfe', route, async (request, reply) => {
    const property = await cadastre.find(request.params.bfe);
    tellProvenance(reply, property);
    answered(request, 1, property.generation);
    return sendText(reply, cadastreText(property));
  });
}
