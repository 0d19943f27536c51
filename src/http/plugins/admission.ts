/** Requests refused before anything looks at them: without a Host, or while the service is closing. */
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
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined) {
      const error = 'The Host header is missing.';
      done(new Failure('invalid_request', { error, errorDa: 'Headeren Host mangler.' }));
    } else if (closing) {
      // Requests already running are finished; a new one on a kept connection goes elsewhere.
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
