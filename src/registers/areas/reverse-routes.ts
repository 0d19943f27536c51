import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Failure } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { SERVICE_VERSION } from '../../kernel/identity.ts';
import { answered, manyLookups, oneLookup } from '../../http/access.ts';
import type { PlainLookups } from '../../core/question/plain-lookup.ts';
import type { ReverseAreas } from './reverse.ts';
import type { ReverseAreasAnswer } from '../../answers/answer.ts';
import { writeBatch } from '../../answers/batch-writer.ts';
import { pointCount, pointsOf } from '../../core/question/batch.ts';
import { pointFromQuery } from '../../answers/coordinates.ts';
import { JsonWriter } from '../../answers/json-writer.ts';
import { sendBytes } from '../../http/wire/send-json.ts';
import { deadlineOf } from '../../http/wire/deadline.ts';
import { tellProvenance } from '../../http/wire/provenance.ts';
import { LastHeaders, factsOf, writeAreasAt } from './answer.ts';
import { reverseBatchRoute, reverseRoute } from './schema.ts';

const ONE = oneLookup('dagi');
const MANY = manyLookups('dagi', pointCount);

const PATH = '/v1/dagi/reverse';

/** `source`: `meta.kilde`. */
export function reverseRoutes(
  app: FastifyInstance,
  { reverseAreas, source }: { readonly reverseAreas: ReverseAreas; readonly source: string },
  plain: PlainLookups,
): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const out = new JsonWriter();
  const areasSync = () => reverseAreas.tryAnswerSync?.() ?? null;
  const lastHeaders = new LastHeaders();
  const meta = { kilde: source, service_version: SERVICE_VERSION };

  const tail = `,"meta":${JSON.stringify(meta)}}`;
  const write = (to: JsonWriter, answer: ReverseAreasAnswer): void => {
    const { lon, lat } = answer.point.wgs84;
    to.ascii(`{"punkt":{"lon":${lon},"lat":${lat}}`);
    writeAreasAt(to, answer);
    to.text(tail);
  };
  plain.add({
    path: PATH,
    operation: reverseRoute.operationId,
    rule: ONE.access,
    isReady: () => areasSync() !== null,
    answer: (point, to) => {
      const areas = areasSync();
      if (areas === null) return null;
      const answer = areas.at(point);
      // The full pipeline writes failures.
      if (answer instanceof Failure) return null;
      write(to, answer);
      return { facts: lastHeaders.of(answer, areas.generation), units: 1 };
    },
  });

  const single = { schema: reverseRoute, config: ONE };
  routes.get(PATH, single, async (request, reply) => {
    const point = pointFromQuery(request.query);
    const { generation, value } = await reverseAreas.at([point], deadlineOf(reply));
    const [answer] = value;
    if (answer === undefined) throw new Error('The lookup gave no answer for the point.');
    if (answer instanceof Failure) throw answer;
    tellProvenance(reply, factsOf(value, generation));
    answered(request, 1, generation);
    write(out.begin(), answer);
    return sendBytes(reply, out.take());
  });

  const { fewPoints: bodyLimit } = LIMITS.bodyBytes;
  const batch = { schema: reverseBatchRoute, config: MANY, bodyLimit };
  routes.post('/v1/dagi/reverse::batch', batch, async (request, reply) => {
    const { items, points } = pointsOf(request.body.punkter);
    const { generation, value } = await reverseAreas.at(points, deadlineOf(reply));
    tellProvenance(reply, factsOf(value, generation));
    answered(request, value.filter((each) => !(each instanceof Failure)).length, generation);
    const body = await writeBatch(out, { items, answers: value, write: writeAreasAt, meta });
    return sendBytes(reply, body);
  });
}
