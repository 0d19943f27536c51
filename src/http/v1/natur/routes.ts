/** Building lines at one point, the forest line alone, and a batch of points. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Point } from '../../../geo/point.ts';
import { Failure } from '../../../kernel/failures.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { LINE_KEYS } from '../../../layers/keys.ts';
import type { LineKey } from '../../../layers/keys.ts';
import type { BuildingLinesAnswer } from '../../../answers/answer.ts';
import type { BuildingLines } from '../../../lookups/building-lines.ts';
import { answered, manyLookups, oneLookup } from '../../access.ts';
import type { Services } from '../../services.ts';
import type { FastPath } from '../../fast-path/fast-path.ts';
import { writeBatch } from '../../../answers/batch-writer.ts';
import { idsOf, pointCount, pointsOf } from '../../wire/batch.ts';
import { pointFromQuery } from '../../../answers/coordinates.ts';
import { JsonWriter, sendBytes } from '../../../answers/json-writer.ts';
import { deadlineOf } from '../../wire/deadline.ts';
import { tellProvenance } from '../../wire/provenance.ts';
import { LineRenderer, factsOf, lineLabels, linesBatch } from '../../../answers/lines.ts';
import { buildingLinesBatchRoute, buildingLinesRoute, forestLineRoute } from './schema.ts';

const TEN_PATH = '/v1/natur/byggelinjer';
const ONE = oneLookup('natur');
const MANY = manyLookups('natur', pointCount);
/** One list for all requests: what is known of a list of lines is found by the list itself. */
const FOREST_KEYS: readonly LineKey[] = ['skov'];

export function naturRoutes(app: FastifyInstance, services: Services, fastPath: FastPath): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const labels = lineLabels(services.catalogue, services.sourceNames.lines);
  const renderer = new LineRenderer(labels);
  const shared = sharedText(JSON.stringify(labels));
  const out = new JsonWriter();

  const tenSync = () => services.buildingLines?.tryAnswerSync?.(LINE_KEYS) ?? null;
  const ten = { schema: buildingLinesRoute, config: ONE };
  fastPath.add({
    path: TEN_PATH,
    operation: buildingLinesRoute.operationId,
    rule: ONE.access,
    isReady: () => tenSync() !== null,
    answer: (point, to) => {
      const lines = tenSync();
      if (lines === null) return null;
      const answer = lines.at(point);
      renderer.writeAll(to, answer);
      const answers = [answer];
      return { facts: factsOf(answers, lines.generation), units: unitsOf(answers) };
    },
  });
  routes.get(TEN_PATH, ten, async (request, reply) => {
    const point = pointFromQuery(request.query);
    const answer = await linesAt(services, { request, reply }, { point, keys: LINE_KEYS });
    renderer.writeAll(out.begin(), answer);
    return sendBytes(reply, out.take());
  });

  const forest = { schema: forestLineRoute, config: ONE };
  routes.get('/v1/natur/skovbyggelinje', forest, async (request, reply) => {
    const point = pointFromQuery(request.query);
    const answer = await linesAt(services, { request, reply }, { point, keys: FOREST_KEYS });
    renderer.writeForest(out.begin(), answer);
    return sendBytes(reply, out.take());
  });

  routes.post(
    '/v1/natur/byggelinjer::batch',
    { schema: buildingLinesBatchRoute, config: MANY, bodyLimit: LIMITS.bodyBytes.fewPoints },
    async (request, reply) => {
      const { items, points } = pointsOf(request.body.punkter);
      const lookup = configured(services);
      const deadline = deadlineOf(reply);
      const layout = { ids: idsOf(items), labels: shared };
      const page = (await services.linePages?.render(points, layout, deadline)) ?? null;
      if (page !== null) {
        tellProvenance(reply, page);
        answered(request, page.answered, page.generation);
        return sendBytes(reply, page.body);
      }
      const { generation, value } = await lookup.at(points, LINE_KEYS, deadline);
      tellProvenance(reply, factsOf(value, generation));
      answered(request, unitsOf(value), generation);
      const batch = linesBatch(renderer, { items, answers: value });
      return sendBytes(reply, await writeBatch(out, batch));
    },
  );
}

async function linesAt(
  services: Services,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { point, keys }: { readonly point: Point; readonly keys: readonly LineKey[] },
): Promise<BuildingLinesAnswer> {
  const { generation, value } = await configured(services).at([point], keys, deadlineOf(reply));
  tellProvenance(reply, factsOf(value, generation));
  answered(request, unitsOf(value), generation);
  return only(value);
}

function configured({ buildingLines }: Services): BuildingLines {
  if (buildingLines !== null) return buildingLines;
  throw new Failure('upstream_unavailable', {
    error: 'The line sources are not configured in this environment.',
    errorDa: 'Kilderne til linjerne er ikke sat op i dette miljø.',
    retryAfterS: LIMITS.retryAfterS.notConfigured,
  });
}

/** One for each point of which at least one line could be answered (D62). */
function unitsOf(answers: readonly BuildingLinesAnswer[]): number {
  return answers.filter(({ lines }) => lines.some(({ status }) => status === 'ok')).length;
}

/** A text that threads read without a copy. */
function sharedText(text: string): Uint8Array<SharedArrayBuffer> {
  const bytes = Buffer.from(text, 'utf8');
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return shared;
}

function only<T>(values: readonly T[]): T {
  const [value] = values;
  if (value === undefined) throw new Error('The lookup gave no answer for the point.');
  return value;
}
