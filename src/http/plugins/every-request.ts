/** Before every route: id, headers, and what HTTP refuses. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { Failure } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { EdgeOptions } from '../options.ts';
import { sendAllowed, unknownRoute } from './route-table.ts';
import type { RouteTable } from './route-table.ts';

export function installEveryRequest(app: FastifyInstance, routes: RouteTable): void {
  let closing = false;
  app.addHook('preClose', (done) => {
    closing = true;
    done();
  });
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers(standardHeaders(request.id, request.raw));
    const { host } = request.headers;
    if (request.raw.httpVersion === '1.1' && host === undefined) {
      const error = 'The Host header is missing.';
      done(new Failure('invalid_request', { error, errorDa: 'Headeren Host mangler.' }));
    } else if (host !== undefined && !isOneHost(host)) {
      const error = 'The Host header must be one host.';
      done(new Failure('invalid_request', { error, errorDa: 'Headeren Host skal være én vært.' }));
    } else if (closing) {
      // New requests on a kept connection must go elsewhere.
      void reply.header('connection', 'close');
      done(
        new Failure('overloaded', {
          error: 'The service is closing.',
          errorDa: 'Tjenesten er ved at lukke.',
          retryAfterS: LIMITS.retryAfterS.closing,
        }),
      );
    } else if (request.url.startsWith('*')) {
      answerOfServer(routes, { request, reply, done });
    } else {
      done();
    }
  });
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly done: (error?: Error) => void;
}

// The router treats `*` as `/`.
/** OPTIONS alone addresses the server as a whole (RFC 9112, 3.2.4). */
function answerOfServer(routes: RouteTable, { request, reply, done }: Exchange): void {
  if (request.method !== 'OPTIONS') {
    done(
      new Failure('invalid_request', {
        error: 'The address * is for OPTIONS alone; the address of anything else begins with /.',
        errorDa: 'Adressen * er kun til OPTIONS; adressen på alt andet begynder med /.',
      }),
    );
    return;
  }
  const allowed = routes.methodsAt(request.url);
  if (allowed.length > 0) sendAllowed(reply, allowed);
  else done(unknownRoute([]));
}

/** Two Host headers arrive joined by a comma (RFC 9112, 3.2: refuse). */
export function isOneHost(host: string): boolean {
  return !host.includes(',');
}

/** Of every answer, errors included (D65). `request` null: it could not be read. */
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

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** The caller's id if 1 to 64 of `[A-Za-z0-9._-]`, else a new one (D65). */
export function requestIdOf(
  options: Pick<EdgeOptions, 'newRequestId'>,
): (request: Pick<IncomingMessage, 'headers'>) => string {
  return ({ headers }) => {
    const own = headers['x-request-id'];
    return typeof own === 'string' && REQUEST_ID.test(own) ? own : options.newRequestId();
  };
}
