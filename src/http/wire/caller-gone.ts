/**
 * When nobody waits for an answer any more. The framework's own `request.signal` tells it too early
 * where there is a body: a request that has been read to its end is closed, its caller still there.
 */
import type { FastifyReply } from 'fastify';

/** Aborted when the connection closes before the answer is out. */
export function callerGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort();
  });
  return gone.signal;
}
