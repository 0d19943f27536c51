/** Provenance headers. */
import type { FastifyReply } from 'fastify';
import { provenanceHeaders } from '../../answers/provenance.ts';
import type { AnswerFacts } from '../../answers/provenance.ts';

/** Consecutive answers may share their facts, so the last headers are memoized. */
let last: { readonly facts: AnswerFacts; readonly headers: Record<string, string> } | null = null;

export function tellProvenance(reply: FastifyReply, facts: AnswerFacts): void {
  if (last?.facts !== facts) last = { facts, headers: provenanceHeaders(facts) };
  void reply.headers(last.headers);
}
