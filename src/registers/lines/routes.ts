import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Point } from '../../geo/point.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { LINE_KEYS } from '../../layers/keys.ts';
import type { LineKey } from '../../layers/keys.ts';
import type { BuildingLinesAnswer } from '../../answers/answer.ts';
import type { BuildingLines } from './lookup.ts';
import type { LinePages } from './pages.ts';
import { answered, manyLookups, oneLookup } from '../../http/access.ts';
import type { PlainLookups } from '../../core/question/plain-lookup.ts';
import { writeBatch } from '../../answers/batch-writer.ts';
import { idsOf, pointCount, pointsOf } from '../../core/question/batch.ts';
import { pointFromQuery } from '../../answers/coordinates.ts';
import { JsonWriter } from '../../answers/json-writer.ts';
import { sendBytes } from '../../http/wire/send-json.ts';
import { deadlineOf } from '../../http/wire/deadline.ts';
import { tellProvenance } from '../../http/wire/provenance.ts';
import { LineRenderer, factsOf, linesBatch } from './answer.ts';
import type { LineLabels } from './answer.ts';
import { buildingLinesBatchRoute, buildingLinesRoute, forestLineRoute } from './schema.ts';

const TEN_PATH = '/v1/natur/byggelinjer';
const ONE = oneLookup('natur');
const MANY = manyLookups('natur', pointCount);
/** One list for all requests: lists are memoized by identity. */
const FOREST_KEYS: readonly LineKey[] = ['skov'];

export interface LineRouteParts {
  readonly buildingLines: BuildingLines;
  /** Writes large batches in threads; absent: the request thread does. */
  readonly linePages?: LinePages;
  readonly labels: LineLabels;
}

export function naturRoutes(
  app: FastifyInstance,
  { buildingLines, linePages, labels }: LineRouteParts,
  plain: PlainLookups,
): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const renderer = new LineRenderer(labels);
  const shared = sharedText(JSON.stringify(labels));
  const out = new JsonWriter();
  const tenSync = () => buildingLines.tryAnswerSync?.(LINE_KEYS) ?? null;
  const ten = { schema: buildingLinesRoute, config: ONE };
  plain.add({
    path: TEN_PATH,
    operation: buildingLinesRoute.operationId,
    rule: ONE.access,
    isReady: () => tenSync() !== null,
    answer: (point, to) => {
      const lines = tenSync();
      if (lines === null) return null;
      const answers = [lines.at(point)];
      renderer.writeAll(to, only(answers));
      return { facts: factsOf(answers, lines.generation), units: unitsOf(answers) };
    },
  });
  routes.get(TEN_PATH, ten, async (request, reply) => {
    const asked = { point: pointFromQuery(request.query), keys: LINE_KEYS };
    const answer = await linesAt(buildingLines, asked, { request, reply });
    renderer.writeAll(out.begin(), answer);
    return sendBytes(reply, out.take());
  });

  const forest = { schema: forestLineRoute, config: ONE };
  routes.get('/v1/natur/skovbyggelinje', forest, async (request, reply) => {
    const asked = { point: pointFromQuery(request.query), keys: FOREST_KEYS };
    const answer = await linesAt(buildingLines, asked, { request, reply });
    renderer.writeForest(out.begin(), answer);
    return sendBytes(reply, out.take());
  });

  routes.post(
    '/v1/natur/byggelinjer::batch',
    { schema: buildingLinesBatchRoute, config: MANY, bodyLimit: LIMITS.bodyBytes.fewPoints },
    async (request, reply) => {
      const { items, points } = pointsOf(request.body.punkter);
      const deadline = deadlineOf(reply);
      const layout = { ids: idsOf(items), labels: shared };
      const page = (await linePages?.render(points, layout, deadline)) ?? null;
      if (page !== null) {
        tellProvenance(reply, page);
        answered(request, page.answered, page.generation);
        return sendBytes(reply, page.body);
      }
      const { generation, value } = await buildingLines.at(points, LINE_KEYS, deadline);
      tellProvenance(reply, factsOf(value, generation));
      answered(request, unitsOf(value), generation);
      const batch = linesBatch(renderer, { items, answers: value });
      return sendBytes(reply, await writeBatch(out, batch));
    },
  );
}

async function linesAt(
  buildingLines: BuildingLines,
  { point, keys }: { readonly point: Point; readonly keys: readonly LineKey[] },
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<BuildingLinesAnswer> {
  const { generation, value } = await buildingLines.at([point], keys, deadlineOf(reply));
  tellProvenance(reply, factsOf(value, generation));
  answered(request, unitsOf(value), generation);
  return only(value);
}

/** One for each point of which at least one line could be answered (D62). */
function unitsOf(answers: readonly BuildingLinesAnswer[]): number {
  return answers.filter(({ lines }) => lines.some(({ status }) => status === 'ok')).length;
}

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
