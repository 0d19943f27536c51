/** Requests and durations by route, in Prometheus format. */
import type { FastifyInstance } from 'fastify';
import { remember } from '../kernel/remember.ts';

export interface Answered {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

export function installRequestTally(
  app: FastifyInstance,
  requests: Pick<RequestTally, 'count'>,
): void {
  app.addHook('onResponse', (request, reply, done) => {
    requests.count({
      method: request.method,
      // An unknown path could be any text, so all share one label.
      route: request.is404 ? 'none' : (request.routeOptions.url ?? 'none'),
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1000,
    });
    done();
  });
}

/** Seconds. */
export const TIME_BUCKETS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

const REQUESTS = 'geoopslag_http_requests_total';
const SECONDS = 'geoopslag_http_request_seconds';

export interface RouteTally {
  readonly route: string;
  /** Per bucket, not cumulative; the last is above all bounds. */
  readonly times: number[];
  sum: number;
  readonly answers: AnswerTally[];
}

interface AnswerTally {
  readonly method: string;
  readonly status: number;
  count: number;
}

export class RequestTally {
  readonly #routes = new Map<string, RouteTally>();

  count({ method, route, status, seconds }: Answered): void {
    const tally = this.#tallyOf(route);
    answersOf(tally, method, status).count += 1;
    tally.sum += seconds;
    let bucket = 0;
    while (bucket < TIME_BUCKETS.length && seconds > (TIME_BUCKETS[bucket] ?? Infinity))
      bucket += 1;
    tally.times[bucket] = (tally.times[bucket] ?? 0) + 1;
  }

  get rows(): readonly RouteTally[] {
    return [...this.#routes.values()];
  }

  add(rows: readonly RouteTally[]): void {
    for (const { route, times, sum, answers } of rows) {
      const tally = this.#tallyOf(route);
      tally.sum += sum;
      times.forEach((count, bucket) => {
        tally.times[bucket] = (tally.times[bucket] ?? 0) + count;
      });
      for (const { method, status, count } of answers) {
        answersOf(tally, method, status).count += count;
      }
    }
  }

  text(): string {
    const lines = [
      `# HELP ${REQUESTS} Requests answered, by route pattern and status.`,
      `# TYPE ${REQUESTS} counter`,
    ];
    for (const { route, answers } of this.#routes.values()) {
      for (const { method, status, count } of answers) {
        const labels = `method="${method}",route="${escaped(route)}",status="${status}"`;
        lines.push(`${REQUESTS}{${labels}} ${count}`);
      }
    }
    lines.push(
      `# HELP ${SECONDS} Time from request to the end of the answer.`,
      `# TYPE ${SECONDS} histogram`,
    );
    for (const tally of this.#routes.values()) lines.push(...timeLines(tally));
    return `${lines.join('\n')}\n`;
  }

  #tallyOf(route: string): RouteTally {
    return remember(this.#routes, route, newTally);
  }
}

function newTally(route: string): RouteTally {
  const times = new Array<number>(TIME_BUCKETS.length + 1).fill(0);
  return { route, times, sum: 0, answers: [] };
}

function answersOf({ answers }: RouteTally, method: string, status: number): AnswerTally {
  for (const answer of answers) {
    if (answer.status === status && answer.method === method) return answer;
  }
  const answer = { method, status, count: 0 };
  answers.push(answer);
  return answer;
}

function timeLines({ route, times, sum }: RouteTally): string[] {
  const label = `route="${escaped(route)}"`;
  let count = 0;
  const buckets = [...TIME_BUCKETS, '+Inf'].map((bound, i) => {
    count += times[i] ?? 0;
    return `${SECONDS}_bucket{le="${bound}",${label}} ${count}`;
  });
  return [...buckets, `${SECONDS}_sum{${label}} ${sum}`, `${SECONDS}_count{${label}} ${count}`];
}

function escaped(text: string): string {
  return text.replace(/["\\\n]/g, (char) => (char === '\n' ? '\\n' : `\\${char}`));
}
