import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Failure } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { answered, manyLookups, oneLookup } from '../../http/access.ts';
import { writeBatch } from '../../answers/batch-writer.ts';
import { pointCount, pointsOf } from '../../core/question/batch.ts';
import { pointFromQuery } from '../../answers/coordinates.ts';
import { JsonWriter } from '../../answers/json-writer.ts';
import { sendBytes } from '../../http/wire/send-json.ts';
import { tellProvenance } from '../../http/wire/provenance.ts';
import type { AddressRouteParts } from './route-parts.ts';
import { writeNearest } from './answer.ts';
import { reverseAddressBatchRoute, reverseAddressRoute } from './schema.ts';

const ONE = oneLookup('adresser');
const MANY = manyLookups('adresser', pointCount);

export function reverseAddressRoutes(
  app: FastifyInstance,
  { addresses, meta }: AddressRouteParts,
): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const out = new JsonWriter();

  const single = { schema: reverseAddressRoute, config: ONE };
  routes.get('/v1/adresser/reverse', single, async (request, reply) => {
    const { radius = LIMITS.addressRadiusM.default, ...place } = request.query;
    const point = pointFromQuery(place);
    const { reverse } = addresses;
    const { value, ...facts } = await reverse.at([point], radius);
    const [nearest] = value;
    if (nearest === undefined) throw new Error('The lookup gave no answer for the point.');
    if (nearest instanceof Failure) throw nearest;
    tellProvenance(reply, facts);
    answered(request, 1, facts.generation);
    out.begin().ascii(`{"punkt":{"lon":${point.wgs84.lon},"lat":${point.wgs84.lat}}`);
    writeNearest(out, nearest);
    out.text(`,"radius":${radius},"meta":${JSON.stringify(meta)}}`);
    return sendBytes(reply, out.take());
  });

  const { points: bodyLimit } = LIMITS.bodyBytes;
  const batch = { schema: reverseAddressBatchRoute, config: MANY, bodyLimit };
  routes.post('/v1/adresser/reverse::batch', batch, async (request, reply) => {
    const { punkter, radius = LIMITS.addressRadiusM.default } = request.body;
    const { items, points } = pointsOf(punkter);
    const { reverse } = addresses;
    const { value, ...facts } = await reverse.at(points, radius);
    tellProvenance(reply, facts);
    const found = value.reduce((sum, each) => (each instanceof Failure ? sum : sum + 1), 0);
    answered(request, found, facts.generation);
    const more = `,"radius":${radius}`;
    const write = writeNearest;
    const body = await writeBatch(out, { items, answers: value, write, meta, more });
    return sendBytes(reply, body);
  });
}
