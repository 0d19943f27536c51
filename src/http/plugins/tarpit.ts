/** Refusals and open pages cost no quota, so past an allowance they are held briefly. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { WHOLE_SHARE } from '../../kernel/burst.ts';
import { clientOf } from '../../kernel/client-address.ts';
import { localLimiters } from '../../kernel/limiters.ts';
import type { Limiters } from '../../kernel/limiters.ts';
import { HTTP_LIMITS } from '../limits.ts';
import { senderOfRequest } from '../access.ts';
import { createFairScheduler } from './concurrency.ts';

export interface TarpitRules {
  /** Answers without delay; `perSecond` are regained. */
  readonly burst: number;
  readonly perSecond: number;
  /** Weight of a 429: a client with many of them ignores Retry-After. */
  readonly tooManyCounts: number;
  /** Delay in milliseconds: random, because equal delays would end together. */
  readonly holdMs: readonly [least: number, most: number];
  readonly held: number;
}

/** Milliseconds to hold the answer. `counts`: its weight. */
export type Tarpit = (client: string, nowMs: number, counts?: number) => number;

/** Token bucket per client, initially full. `nowMs` is monotonic. */
export function createTarpit(
  rules: TarpitRules,
  chance: () => number = Math.random,
  limiters: Limiters = localLimiters(),
): Tarpit {
  const [least, most] = rules.holdMs;
  const rate = { size: rules.burst, perMs: rules.perSecond / 1_000 };
  const bucketOf = limiters.buckets('open answers');
  return (client, nowMs, counts = 1) => {
    if (bucketOf(client).take(rate, WHOLE_SHARE, nowMs, counts) === 0) return 0;
    return least + chance() * (most - least);
  };
}

/** Install before the routes: their hooks settle units later. */
export function installTarpit(
  app: FastifyInstance,
  rules: TarpitRules = HTTP_LIMITS.tarpit,
  limiters: Limiters = localLimiters(),
): void {
  const tarpit = createTarpit(rules, Math.random, limiters);
  const held = limiters.counter('held answers', { each: rules.held, total: rules.held });
  const turns = createFairScheduler(HTTP_LIMITS.openFairTurns);
  app.addHook('onSend', (request, reply, payload, done) => {
    const counts = reply.statusCode === 429 ? rules.tooManyCounts : 1;
    const client = holderOfRequest(request);
    const isPaid = isPaidFor(request) && !isRestored(request, reply);
    const holdMs = isPaid ? 0 : tarpit(client, limiters.monotonicMs(), counts);
    if (holdMs === 0 || held.add('') !== null) {
      done(null, payload);
      return;
    }
    setTimeout(() => {
      held.remove('');
      turns.begin(client, () => {
        // Its body broke meanwhile and was answered.
        if (!reply.raw.headersSent) done(null, payload);
      });
    }, holdMs);
  });
}

type Visited = Pick<FastifyRequest, 'raw' | 'server'> & {
  readonly visit?: FastifyRequest['visit'];
};

function isPaidFor({ visit }: Visited): boolean {
  return visit?.isPaidFor ?? false;
}

function isRestored({ routeOptions }: FastifyRequest, { statusCode }: FastifyReply): boolean {
  return statusCode >= 500 && routeOptions.config.access?.restoresBurst === true;
}

function holderOfRequest(request: Visited): string {
  const { visit } = request;
  return visit?.holder ?? clientOf(senderOfRequest(request));
}
