/** Counts what the edge answered, by route and status, and how long it took. */
import type { FastifyInstance } from 'fastify';

/** What is counted of one answer. `route` is the pattern, never the address. */
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
      // What has no route could be any text: one label for all of it.
      route: request.is404 ? 'none' : (request.routeOptions.url ?? 'none'),
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1000,
    });
    done();
  });
}
