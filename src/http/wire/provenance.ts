/** Facts about an answer that ride in headers, so that the body stays as documented (D19, D34, D65a). */
import type { FastifyReply } from 'fastify';
import type { Provenance, Rung } from '../../lookups/answers.ts';
import { CACHE_NAME } from '../options.ts';

export interface AnswerFacts {
  readonly generation: number;
  /** One for each layer that answered; none when nothing could. */
  readonly provenance: readonly Provenance[];
  /** Keys of the lines answered by an old copy; empty where the answer has no lines. */
  readonly staleLines?: readonly string[];
}

const RUNGS: readonly Rung[] = ['snapshot', 'store', 'origin', 'stale'];

export function provenanceHeaders(facts: AnswerFacts): Record<string, string> {
  const used = RUNGS.filter((rung) => facts.provenance.some((from) => from.rung === rung));
  const stale = facts.staleLines ?? [];
  return {
    'x-service-generation': String(facts.generation),
    ...(used.length === 0 ? {} : cacheHeaders(used, facts.provenance)),
    ...(used.includes('stale') ? { 'x-service-stale': 'true' } : {}),
    ...(stale.length === 0 ? {} : { 'x-service-stale-lines': stale.join(',') }),
    // Keyed answers will depend on the key: never for a shared cache (D65a).
    'cache-control': 'private, no-cache',
  };
}

function cacheHeaders(
  used: readonly Rung[],
  provenance: readonly Provenance[],
): Record<string, string> {
  const oldestS = Math.max(...provenance.map((from) => from.ageS));
  // RFC 9211: fwd says that the request went on to the origin, hit that a copy answered.
  const kind = used.includes('origin') ? 'fwd=miss' : 'hit';
  const detail = used.length === 1 ? used.join() : `"${used.join(' ')}"`;
  return {
    'x-service-data-age': String(Math.floor(oldestS)),
    'cache-status': `${CACHE_NAME}; ${kind}; detail=${detail}`,
  };
}

export function tellProvenance(reply: FastifyReply, facts: AnswerFacts): void {
  void reply.headers(provenanceHeaders(facts));
}
