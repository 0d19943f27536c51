/**
 * Refusals and open pages cost no quota, so they are limited here. Past an allowance such answers are held for a
 * moment. A client that waits for its answers slows down by itself; one that does not meets the limits in flight.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { holderOf } from '../../account/principal.ts';
import { cacheByCount } from '../../kernel/cache.ts';
import { clientOf } from '../../kernel/client-address.ts';
import { HTTP_LIMITS } from '../limits.ts';
import { createFairScheduler } from './fair-scheduler.ts';

export interface TarpitRules {
  /** Answers at once, and how many of them come back in a second. */
  readonly burst: number;
  readonly perSecond: number;
  /** A 429 counts as so many: a client that gets one after another ignores Retry-After. */
  readonly tooManyCounts: number;
  /**
   * Milliseconds that one answer past the allowance is held: random between these two, because answers held
   * equally long would all leave at once and their clients come back in step.
   */
  readonly holdMs: readonly [least: number, most: number];
  /** Answers held at a time, in all; past that none is held. */
  readonly held: number;
  /** Clients remembered. */
  readonly clients: number;
}

/** Milliseconds to hold the next answer to a client. `counts`: how many answers it counts as. */
export type Tarpit = (client: string, nowMs: number, counts?: number) => number;

/** A token bucket a client, full for one that was not seen lately. `nowMs` is of a monotonic clock. */
export function createTarpit(rules: TarpitRules, chance: () => number = Math.random): Tarpit {
  const [least, most] = rules.holdMs;
  const fullAgainMs = Math.ceil((1_000 * rules.burst) / rules.perSecond);
  const buckets = cacheByCount<{ tokens: number; atMs: number }>(rules.clients, fullAgainMs);
  return (client, nowMs, counts = 1) => {
    const bucket = buckets.get(client);
    if (bucket === undefined) {
      buckets.set(client, { tokens: rules.burst - counts, atMs: nowMs });
      return 0;
    }
    const back = ((nowMs - bucket.atMs) * rules.perSecond) / 1_000;
    bucket.tokens = Math.min(rules.burst, bucket.tokens + back);
    bucket.atMs = nowMs;
    // Keeps a bucket that is in use in the cache.
    buckets.set(client, bucket);
    if (bucket.tokens < counts) return least + chance() * (most - least);
    bucket.tokens -= counts;
    return 0;
  };
}

/** Install before the routes, whose hooks settle the units after this one. */
export function installTarpit(app: FastifyInstance, rules: TarpitRules = HTTP_LIMITS.tarpit): void {
  const tarpit = createTarpit(rules);
  // Timers that are due together would send all their answers at once.
  const turns = createFairScheduler(HTTP_LIMITS.openFairTurns);
  let held = 0;
  app.addHook('onSend', (request, reply, payload, done) => {
    const counts = reply.statusCode === 429 ? rules.tooManyCounts : 1;
    const client = holderOfRequest(request);
    const holdMs = isPaidFor(request) ? 0 : tarpit(client, performance.now(), counts);
    if (holdMs === 0 || held >= rules.held) {
      done(null, payload);
      return;
    }
    held += 1;
    setTimeout(() => {
      held -= 1;
      turns.begin(client, () => done(null, payload));
    }, holdMs);
  });
}

/** Routes of plugins installed before the keys have no `visit`, not even null. */
type Visited = Pick<FastifyRequest, 'ip'> & { readonly visit?: FastifyRequest['visit'] };

function isPaidFor({ visit }: Visited): boolean {
  return visit?.isPaidFor ?? false;
}

function holderOfRequest({ visit, ip }: Visited): string {
  return visit ? holderOf(visit.principal) : clientOf(ip);
}
