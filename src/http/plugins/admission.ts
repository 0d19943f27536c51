import type { FastifyInstance } from 'fastify';
import { Failure } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';

export function installAdmission(app: FastifyInstance): void {
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
    } else {
      done();
    }
  });
}

/** Two Host headers arrive joined by a comma (RFC 9112, 3.2: refuse). */
export function isOneHost(host: string): boolean {
  return !host.includes(',');
}
