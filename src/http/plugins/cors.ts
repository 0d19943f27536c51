/**
 * Pages of other sites may read what D276 names. Origins guard a public key, not CORS: `*` reveals
 * no credential.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendAllowed } from './route-table.ts';
import type { RouteTable } from './route-table.ts';

const EXPOSED =
  'RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, X-Service-Environment, ' +
  'X-Service-Generation, X-Service-Data-Age, X-Service-Stale, X-Service-Partial, X-Service-Status-Source, X-Service-Units, ' +
  'ETag, Age, Cache-Status';

export const READABLE = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED,
};

/** For header keys; `?token=` needs no preflight. */
const PREFLIGHT = {
  ...READABLE,
  'access-control-allow-methods': 'GET, HEAD',
  'access-control-max-age': '86400',
};

const USUAL_HEADERS =
  'Authorization, Accept-Language, X-Request-Id, X-Requested-With, Content-Type, Cache-Control, ' +
  'Pragma, If-None-Match, If-Modified-Since, Range';
/** RFC 9110, 5.1. */
const NAMES = /^[\w!#$%&'*+.^`|~-]+(?:\s*,\s*[\w!#$%&'*+.^`|~-]+)*$/;

/** Only the key has an effect, so all are allowed. */
function allowedHeaders({ 'access-control-request-headers': asked }: IncomingHttpHeaders): string {
  return asked !== undefined && asked.length <= 1_000 && NAMES.test(asked) ? asked : USUAL_HEADERS;
}

export function answerPreflight({ headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply
    .code(204)
    .headers(PREFLIGHT)
    .header('access-control-allow-headers', allowedHeaders(headers))
    .header('vary', 'Access-Control-Request-Headers')
    .header('allow', 'GET, HEAD, OPTIONS')
    .send();
}

export function installCors(app: FastifyInstance, table: RouteTable): void {
  const answerOptions = ({ url }: FastifyRequest, reply: FastifyReply): FastifyReply =>
    sendAllowed(reply, table.methodsAt(url));
  app.addHook('onRoute', (route) => {
    if (route.method === 'OPTIONS') return;
    const { access, isReadableByPages } = route.config ?? {};
    const isReadable = access?.publicKeys === true || isReadableByPages === true;
    // Each path its own: that of `/v1/adresser/:id` would answer for `/v1/adresser/reverse`.
    if (!app.hasRoute({ method: 'OPTIONS', url: route.url })) {
      const handler = isReadable ? answerPreflight : answerOptions;
      const config = { isReadableByPages: isReadable };
      app.options(route.url, { schema: { hide: true }, config }, handler);
    }
    if (!isReadable) return;
    const before = route.onSend === undefined ? [] : [route.onSend].flat();
    route.onSend = [
      ...before,
      // Runs last, because an error drops earlier headers.
      (_request, reply, payload, done) => {
        void reply.headers(READABLE);
        done(null, payload);
      },
    ];
  });
}
