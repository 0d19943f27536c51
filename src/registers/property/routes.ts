/** Properties by number, one or many (D1, D2). */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Properties } from './lookup.ts';
import { sendBuffer, sendBytes, sendText } from '../../http/wire/send-json.ts';
import { propertyBatchBody, recordText } from './record/batch.ts';
import { answered, manyLookups, oneLookup } from '../../http/access.ts';
import type { PropertyBatches } from './batches.ts';
import { asOfMs } from '../../core/question/as-of.ts';
import { deadlineOf } from '../../http/wire/deadline.ts';
import { tellProvenance } from '../../http/wire/provenance.ts';
import { propertyBatchRoute, propertyRoute } from './schema.ts';

const ONE = oneLookup('bbr');
const MANY = manyLookups('bbr', (request) => distinctOf(request).length);

export interface PropertyRouteParts {
  readonly properties: Properties;
  /** Writes batches in threads; absent: the request thread does. */
  readonly propertyBatches?: PropertyBatches;
}

export function propertyRoutes(
  app: FastifyInstance,
  { properties, propertyBatches }: PropertyRouteParts,
): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();

  const single = { schema: propertyRoute, config: ONE };
  routes.get('/v1/bbr/ejendom/:bfe', single, async (request, reply) => {
    const asOf = asOfMs(request.query.asOf);
    const { value, ...facts } = await properties.find([request.params.bfe], asOf);
    const [answer] = value;
    if (answer === undefined) throw new Error('The lookup gave no answer for the number.');
    if (answer instanceof Failure) throw answer;
    tellProvenance(reply, facts);
    answered(request, 1, facts.generation);
    return sendText(reply, recordText(answer));
  });

  const batch = { schema: propertyBatchRoute, config: MANY, bodyLimit: LIMITS.bodyBytes.numbers };
  routes.post('/v1/bbr/ejendom::batch', batch, async (request, reply) => {
    const asOf = asOfMs(request.query.asOf);
    const bfes = distinctOf(request);
    const threads = asOf === null ? propertyBatches : undefined;
    const batch = (await threads?.render(bfes, deadlineOf(reply))) ?? null;
    if (batch !== null) {
      tellProvenance(reply, batch);
      answered(request, batch.found, batch.generation);
      return sendBytes(reply, batch.body);
    }
    const { value, ...facts } = await properties.find(bfes, asOf);
    tellProvenance(reply, facts);
    const found = value.reduce((sum, each) => (each instanceof Failure ? sum : sum + 1), 0);
    answered(request, found, facts.generation);
    return sendBuffer(reply, await propertyBatchBody(bfes, value));
  });
}

/** In the order of first mention (D49); each is answered and billed once. */
function distinctOf({ body }: Pick<FastifyRequest, 'body'>): number[] {
  return [...new Set((body as { readonly bfe: readonly number[] }).bfe)];
}
