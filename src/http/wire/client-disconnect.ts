/**
 * Clients that hung up while something was looked up for them: their response has closed already, and
 * whoever waits for its close to take something back would wait for ever.
 */
import type { FastifyReply } from 'fastify';
import { Failure } from '../../kernel/failures.ts';

/** What ends the work for a client that has gone: nobody's mistake, and no line in the log. */
export function clientDisconnected(): Failure {
  return new Failure('invalid_request', {
    error: 'The connection was closed before the answer was sent.',
    errorDa: 'Forbindelsen blev lukket, før svaret blev sendt.',
  });
}

/** Call before anything is counted until the response closes. Throws where it has. */
export function refuseDisconnected({
  raw,
}: {
  readonly raw: Pick<FastifyReply['raw'], 'destroyed'>;
}) {
  if (raw.destroyed) throw clientDisconnected();
}
