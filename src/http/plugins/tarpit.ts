/**
 * Refusals and open pages cost no quota: past an allowance they are held briefly. A client that does not
 * wait for them meets the limits in flight.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { holderOf } from '../../account/principal.ts';
import { cacheByCount } from '../../kernel/cache.ts';
import { clientOf } from '../../kernel/client-address.ts';
import { HTTP_LIMITS } from '../limits.ts';
import { createFairScheduler } from './fair-scheduler.ts';

export interface TarpitRules {
  /** Immediate answers, and how many are regained per second. */
  readonly burst: number;
  readonly perSecond: number;
  /** Weight of a 429: a client with many of them ignores Retry-After. */
  readonly tooManyCounts: number;
  /**
   * Milliseconds that an answer past the allowance is held: random, because equal holds would
   * release all at once.
   */
  readonly holdMs: readonly [least: number, most: number];
  readonly held: number;
  readonly clients: number;
}

/** Milliseconds to hold the next answer. `counts`: how many answers it counts as. */
export type Tarpit = (client: string, nowMs: number, counts?: number) => number;

/** A token bucket per client; full for one not seen lately. `nowMs` is monotonic. */
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
    // Keeps an active bucket in the cache.
    buckets.set(client, bucket);
    if (bucket.tokens < counts) return least + chance() * (most - least);
    bucket.tokens -= counts;
    return 0;
  };
}

/** Install before the routes, whose hooks settle the units after this one. */
export function installTarpit(app: FastifyInstance, rules: TarpitRules = HTTP_LIMITS.tarpit): void {
  const tarpit = createTarpit(rules);
  // Timers due together would send all their answers at once.
  const turns = createFairScheduler(HTTP_LIMITS.openFairTurns);
  let held = 0;
  app.addHook('onSend', (request, reply, payload, done) => {
    const counts = reply.statusCode === 429 ? rules.tooManyCounts : 1;
    const client = holderOfRequest(request);
    const isPaid = isPaidFor(request) && !isRestored(request, reply);
    const holdMs = isPaid ? 0 : tarpit(client, performance.now(), counts);
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

/** Routes installed before the keys have no `visit`, not even null. */
type Visited = Pick<FastifyRequest, 'ip'> & { readonly visit?: FastifyRequest['visit'] };

function isPaidFor({ visit }: Visited): boolean {
  return visit?.isPaidFor ?? false;
}

function isRestored({ routeOptions }: FastifyRequest, { statusCode }: FastifyReply): boolean {
  return statusCode >= 500 && routeOptions.config.access?.restoresBurst === true;
}

function holderOfRequest({ visit, ip }: Visited): string {
  return visit ? holderOf(visit.principal) : clientOf(ip);
}
