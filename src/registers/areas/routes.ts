import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Failure } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { registerCode } from './lookup.ts';
import type { Areas } from './lookup.ts';
import type { AreaAnswer } from '../../answers/answer.ts';
import { answered, manyLookups, oneLookup } from '../../http/access.ts';
import { sendJson } from '../../http/wire/send-json.ts';
import type { JsonPart } from '../../answers/json-pieces.ts';
import { deadlineOf } from '../../http/wire/deadline.ts';
import { tellProvenance } from '../../http/wire/provenance.ts';
import { areaParts, areaTag, isStale } from './geometry.ts';
import { areaBatchRoute, areaRoute } from './schema.ts';

const ONE = oneLookup('dagi');
const MANY = manyLookups(
  'dagi',
  ({ body }) => uniqueCodes((body as { readonly kode: readonly string[] }).kode).length,
);

/** `source`: `meta.kilde`. */
export function areaRoutes(
  app: FastifyInstance,
  { areas, source }: { readonly areas: Areas; readonly source: string },
): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();

  const single = { schema: areaRoute, config: ONE };
  routes.get('/v1/dagi/:tema/:kode', single, async (request, reply) => {
    const { tema, kode } = request.params;
    const { generation, value } = await areas.find(tema, [kode], deadlineOf(reply));
    const [area] = value;
    if (area === undefined) throw new Error('The lookup gave no answer for the code.');
    if (area instanceof Failure) throw area;
    tellProvenance(reply, { generation, provenance: [area.provenance] });
    answered(request, 1, generation);
    return sendJson(request, reply, {
      parts: areaParts(area, source),
      tag: areaTag(area, source),
    });
  });

  const batch = { schema: areaBatchRoute, config: MANY, bodyLimit: LIMITS.bodyBytes.codes };
  routes.post('/v1/dagi::batch', batch, async (request, reply) => {
    const { tema, kode } = request.body;
    const codes = uniqueCodes(kode);
    const read = await areas.find(tema, codes, deadlineOf(reply));
    const { generation, value, unknownTo = [] } = read;
    const { found, errors } = sortAnswers(codes, value);
    const provenance = found.map((area) => area.provenance);
    tellProvenance(reply, { generation, provenance: [...provenance, ...unknownTo] });
    answered(request, found.length, generation);
    const results = found.flatMap((area, index): JsonPart[] => [
      index === 0 ? '{"omraade":' : ',{"omraade":',
      ...areaParts(area, source),
      `,"stale":${isStale(area)}}`,
    ]);
    const tail = JSON.stringify({
      errors,
      requested: codes.length,
      succeeded: found.length,
      failed: errors.length,
    });
    return sendJson(request, reply, {
      parts: [`{"tema":${JSON.stringify(tema)},"results":[`, ...results, `],${tail.slice(1)}`],
    });
  });
}

/**
 * Counts duplicates once, however padded (D40), in the first spelling. Throws invalid_request for too many
 * distinct codes (D49).
 */
function uniqueCodes(given: readonly string[]): string[] {
  const first = new Map<string, string>();
  for (const code of given) {
    const padded = registerCode(code) ?? code;
    if (!first.has(padded)) first.set(padded, code);
  }
  if (first.size > LIMITS.dagiCodesPerBatch) throw tooManyCodes();
  return [...first.values()];
}

function tooManyCodes(): Failure {
  const { dagiCodesPerBatch: most } = LIMITS;
  return new Failure('invalid_request', {
    error: `kode may have at most ${most} different codes; duplicates are counted once.`,
    errorDa: `kode må højst have ${most} forskellige koder; gentagelser tælles én gang.`,
  });
}

interface AreaError {
  readonly kode: string;
  readonly error: string;
  readonly status: number;
}

function sortAnswers(codes: readonly string[], answers: readonly (AreaAnswer | Failure)[]) {
  const found: AreaAnswer[] = [];
  const errors: AreaError[] = [];
  codes.forEach((code, index) => {
    const answer = answers[index];
    if (answer === undefined) throw new Error(`No answer for code ${index} of a batch.`);
    if (answer instanceof Failure) {
      errors.push({ kode: code, error: answer.message, status: answer.status });
    } else {
      found.push(answer);
    }
  });
  return { found, errors };
}
