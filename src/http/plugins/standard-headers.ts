/** The headers every answer carries, errors included, and the request id they tell (D65). */
import type { FastifyInstance } from 'fastify';
import type { IncomingMessage } from 'node:http';
import type { EdgeOptions } from '../options.ts';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

export function installStandardHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(standardHeaders(request.id));
    done();
  });
}

export function standardHeaders(requestId: string): Record<string, string> {
  return {
    'x-request-id': requestId,
    'x-content-type-options': 'nosniff',
    // A query may carry a key; it must not travel on in a Referer.
    'referrer-policy': 'no-referrer',
  };
}

/** The caller's own X-Request-Id when it is 1 to 64 of `[A-Za-z0-9._-]`, else a new one (D65). */
export function requestIdOf(
  options: EdgeOptions,
): (request: Pick<IncomingMessage, 'headers'>) => string {
  return ({ headers }) => {
    const own = headers['x-request-id'];
    return typeof own === 'string' && REQUEST_ID.test(own) ? own : options.newRequestId();
  };
}
