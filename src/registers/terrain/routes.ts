/** Heights of the terrain, at one point or many (D8, D119, D120, D141). */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { pointFromQuery } from '../../answers/coordinates.ts';
import { writeBatch } from '../../answers/batch-writer.ts';
import { heightsMembers, writeHeight, writeOneHeight } from './answer.ts';
import { JsonWriter } from '../../answers/json-writer.ts';
import { sendBytes } from '../../http/wire/send-json.ts';
import { Failure } from '../../kernel/failures.ts';
import { SERVICE_VERSION } from '../../kernel/identity.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { notConfigured } from './lookup.ts';
import type { Terrain } from './lookup.ts';
import { answered, manyLookups, oneLookup } from '../../http/access.ts';
import { pointCount, pointsOf } from '../../core/question/batch.ts';
import { tellProvenance } from '../../http/wire/provenance.ts';
import { koteBatchRoute, koteRoute } from './schema.ts';

const ONE = oneLookup('dhm');
const MANY = manyLookups('dhm', pointCount);
const USUAL_MODEL = 'terraen';

/** `terrain` null: nothing is configured. `source`: `meta.kilde`. */
export function terrainRoutes(
  app: FastifyInstance,
  { terrain, source: kilde }: { readonly terrain: Terrain | null; readonly source: string },
): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const out = new JsonWriter();
  const meta = { kilde, service_version: SERVICE_VERSION };

  const single = { schema: koteRoute, config: ONE };
  routes.get('/v1/dhm/kote', single, async (request, reply) => {
    const { model = USUAL_MODEL, ...place } = request.query;
    const point = pointFromQuery(place);
    const { value, provenance } = await configured(terrain).at(model, [point]);
    const [height] = value;
    if (height === undefined) throw new Error('The lookup gave no answer for the point.');
    if (height instanceof Failure) throw height;
    tellProvenance(reply, { generation: null, provenance });
    // A null is an answer too: the model has no data there (D119).
    answered(request, 1, null);
    writeOneHeight(out, height, { model, meta });
    return sendBytes(reply, out.take());
  });

  const { points: bodyLimit } = LIMITS.bodyBytes;
  const batch = { schema: koteBatchRoute, config: MANY, bodyLimit };
  routes.post('/v1/dhm/kote::batch', batch, async (request, reply) => {
    const { punkter, model = USUAL_MODEL } = request.body;
    const { items, points } = pointsOf(punkter);
    const { value, provenance } = await configured(terrain).at(model, points);
    tellProvenance(reply, { generation: null, provenance });
    const found = value.reduce((sum, each) => (each instanceof Failure ? sum : sum + 1), 0);
    answered(request, found, null);
    const more = heightsMembers(model);
    const body = await writeBatch(out, { items, answers: value, write: writeHeight, meta, more });
    return sendBytes(reply, body);
  });
}

function configured(terrain: Terrain | null): Terrain {
  if (terrain !== null) return terrain;
  throw notConfigured();
}
