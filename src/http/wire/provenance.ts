/** The headers of an answer's provenance, set on a reply. */
import type { FastifyReply } from 'fastify';
import { provenanceHeaders } from '../../answers/provenance.ts';
import type { AnswerFacts } from '../../answers/provenance.ts';

/** Told last, and of which facts: those of answers in a row may be the very same. */
let last: { readonly facts: AnswerFacts; readonly headers: Record<string, string> } | null = null;

export function tellProvenance(reply: FastifyReply, facts: AnswerFacts): void {
  if (last?.facts !== facts) last = { facts, headers: provenanceHeaders(facts) };
  void reply.headers(last.headers);
}
