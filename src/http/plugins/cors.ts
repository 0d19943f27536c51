/**
 * Web pages may read answers of operations that take public keys, and of open routes. A public key is guarded
 * by its origins, not by CORS: `*` reveals no credential.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const EXPOSED =
  'RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, X-Service-Environment, ' +
  'X-Service-Generation, X-Service-Data-Age, X-Service-Stale, X-Service-Status-Source, X-Service-Units, ' +
  'ETag, Age, Cache-Status';

export const READABLE = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED,
};

/** For callers with a header key; `?token=` needs no preflight. */
const PREFLIGHT = {
  ...READABLE,
  'access-control-allow-methods': 'GET, HEAD',
  'access-control-max-age': '86400',
};

const USUAL_HEADERS =
  'Authorization, Accept-Language, X-Request-Id, X-Requested-With, Content-Type, Cache-Control, ' +
  'Pragma, If-None-Match, If-Modified-Since, Range';
/** Names of headers (RFC 9110, 5.1), as many as a request may hold. */
const NAMES = /^[\w!#$%&'*+.^`|~-]+(?:\s*,\s*[\w!#$%&'*+.^`|~-]+)*$/;

/** Those that a page asks for: no header but the key decides anything. */
function allowedHeaders({ 'access-control-request-headers': asked }: IncomingHttpHeaders): string {
  return asked !== undefined && asked.length <= 1_000 && NAMES.test(asked) ? asked : USUAL_HEADERS;
}

/** What a page asks before it asks. */
export function answerPreflight({ headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply
    .code(204)
    .headers(PREFLIGHT)
    .header('access-control-allow-headers', allowedHeaders(headers))
    .header('vary', 'Access-Control-Request-Headers')
    .header('allow', 'GET, HEAD, OPTIONS')
    .send();
}

/** Install before the routes. */
export function installCors(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { access, isReadableByPages } = route.config ?? {};
    if (access?.publicKeys !== true && isReadableByPages !== true) return;
    const before = route.onSend === undefined ? [] : [route.onSend].flat();
    route.onSend = [
      ...before,
      // Runs last: an error drops the headers of the answer it replaces.
      (_request, reply, payload, done) => {
        void reply.headers(READABLE);
        done(null, payload);
      },
    ];
    if (route.method !== 'GET') return;
    app.options(route.url, { schema: { hide: true } }, answerPreflight);
  });
}
