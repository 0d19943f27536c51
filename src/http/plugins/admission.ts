import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { sendAllowed, unknownRoute } from './route-table.ts';
import type { RouteTable } from './route-table.ts';

export function installAdmission(app: FastifyInstance, routes: RouteTable): void {
  let closing = false;
  app.addHook('preClose', (done) => {
    closing = true;
    done();
  });
  app.addHook('onRequest', (request, reply, done) => {
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

/** OPTIONS alone addresses the server as a whole (RFC 9112, 3.2.4). The router treats `*` as `/`. */
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
