/** An invented property record (D59), without key or bill. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { errors, query, ref } from '../../core/question/schemas.ts';
import { demoProperty } from './demo.ts';

const demoRoute = {
  operationId: 'demoEjendom',
  summary: 'A complete, invented property record',
  tags: ['demo'],
  querystring: query({}),
  response: { 200: ref('Ejendom'), ...errors(400) },
};

export function demoRoutes(app: FastifyInstance): void {
  app
    .withTypeProvider<TypeBoxTypeProvider>()
    .get('/v1/demo/ejendom', { schema: demoRoute }, (_request, reply) => {
      void reply.send(demoProperty());
    });
}
