/**
 * Clients that hung up while something was looked up for them: their response has closed already, and
 * whoever waits for its close to take something back would wait for ever.
 */
import type { FastifyReply } from 'fastify';
import { Failure } from '../../kernel/failures.ts';

/** Call before anything is counted until the response closes. Throws where it has. */
export function refuseHungUp({ raw }: { readonly raw: Pick<FastifyReply['raw'], 'destroyed'> }) {
  if (!raw.destroyed) return;
  throw new Failure('invalid_request', {
    error: 'The connection was closed before the request was begun.',
    errorDa: 'Forbindelsen blev lukket, før forespørgslen blev påbegyndt.',
  });
}
