import type { FastifyInstance } from 'fastify';

export interface Answered {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

/** Install before the routes. */
export function installRequestMetrics(
  app: FastifyInstance,
  count: (answered: Answered) => void,
): void {
  app.addHook('onResponse', (request, reply, done) => {
    count({
      method: request.method,
      // An unknown path could be any text, so all share one label.
      route: request.is404 ? 'none' : (request.routeOptions.url ?? 'none'),
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1000,
    });
    done();
  });
}
