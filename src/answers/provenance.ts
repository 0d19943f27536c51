/** Facts about an answer in headers, so that the body stays as documented (D19, D34, D65a). */
import type { Provenance, Rung } from './answer.ts';
import { CACHE_NAME } from '../kernel/identity.ts';

export interface AnswerFacts {
  /** null: not read from the store. */
  readonly generation: number | null;
  readonly provenance: readonly Provenance[];
  readonly staleLines?: readonly string[];
  /** D265, D282. */
  readonly isPartial?: boolean;
}

const RUNGS: readonly Rung[] = ['snapshot', 'store', 'origin', 'stale'];

type Headers = Readonly<Record<string, string>>;

let last: { readonly facts: AnswerFacts; readonly headers: Headers } | null = null;

/** Often of the same facts as the last. */
export function provenanceHeaders(facts: AnswerFacts): Headers {
  if (last?.facts !== facts) last = { facts, headers: headersOf(facts) };
  return last.headers;
}

function headersOf(facts: AnswerFacts): Headers {
  const { provenance, staleLines = [] } = facts;
  const headers: Record<string, string> = {
    ...(facts.generation !== null && { 'x-service-generation': String(facts.generation) }),
    // Answers depend on the key, so no shared cache may store them (D65a).
    'cache-control': 'private, no-cache',
  };
  if (facts.isPartial === true) headers['x-service-partial'] = 'true';
  if (provenance.length === 0) return headers;
  let oldestS = 0;
  const used = new Set<Rung>();
  for (const { rung, ageS } of provenance) {
    used.add(rung);
    if (ageS > oldestS) oldestS = ageS;
  }
  headers['x-service-data-age'] = String(Math.floor(oldestS));
  headers['cache-status'] = cacheStatus(used);
  if (used.has('stale')) headers['x-service-stale'] = 'true';
  if (staleLines.length > 0) headers['x-service-stale-lines'] = staleLines.join(',');
  return headers;
}

/** RFC 9211: fwd: the origin was queried; hit: a copy answered. */
function cacheStatus(used: ReadonlySet<Rung>): string {
  const kind = used.has('origin') ? 'fwd=miss' : 'hit';
  const rungs = RUNGS.filter((rung) => used.has(rung));
  const detail = rungs.length === 1 ? rungs.join() : `"${rungs.join(' ')}"`;
  return `${CACHE_NAME}; ${kind}; detail=${detail}`;
}
