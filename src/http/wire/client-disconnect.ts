/**
 * A client that hung up during a lookup has closed its response: waiting for that would never end.
 */
import type { FastifyReply } from 'fastify';
import { Failure } from '../../kernel/failures.ts';

/** Not logged. */
export function clientDisconnected(): Failure {
  return new Failure('invalid_request', {
    error: 'The connection was closed before the answer was sent.',
    errorDa: 'Forbindelsen blev lukket, før svaret blev sendt.',
  });
}

/** Call before counting until the response closes. Throws if it has. */
export function refuseDisconnected({ raw }: Pick<FastifyReply, 'raw'>): void {
  if (raw.destroyed) throw clientDisconnected();
}
