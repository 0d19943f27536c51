import type { FastifyReply } from 'fastify';
import { provenanceHeaders } from '../../answers/provenance.ts';
import type { AnswerFacts } from '../../answers/provenance.ts';

let last: { readonly facts: AnswerFacts; readonly headers: Record<string, string> } | null = null;

export function tellProvenance(reply: FastifyReply, facts: AnswerFacts): void {
  if (last?.facts !== facts) last = { facts, headers: provenanceHeaders(facts) };
  void reply.headers(last.headers);
}
