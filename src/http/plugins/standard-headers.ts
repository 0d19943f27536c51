/** Headers of every answer, errors included (D65). */
import type { FastifyInstance } from 'fastify';
import type { IncomingMessage } from 'node:http';
import type { EdgeOptions } from '../options.ts';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

export function installStandardHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(standardHeaders(request.id, request.raw));
    done();
  });
}

/** `request` null: it could not be read. */
export function standardHeaders(
  requestId: string,
  request: Pick<IncomingMessage, 'headers' | 'url'> | null = null,
): Record<string, string> {
  const headers: Record<string, string> = {
    'x-request-id': requestId,
    'x-content-type-options': 'nosniff',
    // A query may carry a key.
    'referrer-policy': 'no-referrer',
  };
  if (request !== null && carriesTestKey(request)) headers['x-service-environment'] = 'test';
  return headers;
}

const TEST_HEADER = /^Bearer +svc_(?:pub_)?test_/i;
const TEST_QUERY = /[?&]token=svc_(?:pub_)?test_/;

/** Answers to test keys say so (interface: Authentication). */
function carriesTestKey({ headers, url = '' }: Pick<IncomingMessage, 'headers' | 'url'>): boolean {
  // The header wins over the parameter.
  if (headers.authorization !== undefined) return TEST_HEADER.test(headers.authorization);
  return url.includes('token=') && TEST_QUERY.test(url);
}

/** The caller's id if 1 to 64 of `[A-Za-z0-9._-]`, else a new one (D65). */
export function requestIdOf(
  options: Pick<EdgeOptions, 'newRequestId'>,
): (request: Pick<IncomingMessage, 'headers'>) => string {
  return ({ headers }) => {
    const own = headers['x-request-id'];
    return typeof own === 'string' && REQUEST_ID.test(own) ? own : options.newRequestId();
  };
}
