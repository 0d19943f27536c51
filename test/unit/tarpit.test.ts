/** Answers that nobody's burst pays for: an allowance for each client, then a moment's wait. */
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify from 'fastify';
import { afterAll, describe, expect, test } from 'vitest';
import type { Principal } from '../../src/account/principal.ts';
import { senderOfRequest } from '../../src/http/access.ts';
import { createTarpit, installTarpit } from '../../src/http/plugins/tarpit.ts';
import type { TarpitRules } from '../../src/http/plugins/tarpit.ts';
import { Visit } from '../../src/http/visit.ts';
import { keptAccess } from '../edge/access.ts';

const RULES: TarpitRules = { burst: 4, perSecond: 2, tooManyCounts: 2, holdMs: [80, 160], held: 3 };

describe('the tarpit of one client', () => {
  test('is spent sooner by answers that count as several', () => {
    const tarpit = createTarpit(RULES, () => 0.5);
    expect([2, 1, 2, 1, 1].map((counts) => tarpit('a', 1_000, counts))).toEqual([
      0, 0, 120, 0, 120,
    ]);
  });

  test('comes back with time, never past the allowance', () => {
    const tarpit = createTarpit(RULES, () => 0.5);
    for (let n = 0; n < 5; n += 1) tarpit('a', 1_000);
    expect([tarpit('a', 1_499), tarpit('a', 1_500), tarpit('a', 1_501)]).toEqual([120, 0, 120]);
    expect([1, 2, 3, 4, 5].map(() => tarpit('a', 60_000))).toEqual([0, 0, 0, 0, 120]);
  });

  test('is not the same for all that are held at once', () => {
    const chances = [0, 0.25, 1];
    const tarpit = createTarpit(RULES, () => chances.shift() ?? NaN);
    for (let n = 0; n < RULES.burst; n += 1) tarpit('a', 1_000);
    expect([1, 2, 3].map(() => tarpit('a', 1_000))).toEqual([80, 100, 160]);
  });
});

/** Told from what is not held on however busy a machine. */
const AT_THE_EDGE: TarpitRules = { ...RULES, holdMs: [3_000, 4_000] };

const said: string[] = [];
const stream = { write: (line: string) => void said.push(line) };
const app = Fastify({ logger: { level: 'warn', stream } });
app.decorateRequest('visit', null);
installTarpit(app, AT_THE_EDGE);
app.get('/open', (_request, reply) => reply.send('here'));
app.get('/paid', (request, reply) => {
  const { keys, meter } = keptAccess({ paying: { accountId: 'x' } });
  const visit = new Visit(meter, keys.find('paying') as Principal, senderOfRequest(request));
  void visit.reserve(1);
  request.visit = visit;
  return reply.send('here');
});
app.get('/too-many', (_request, reply) => reply.code(429).send('here'));
app.get('/twice', (_request, reply) => {
  void reply.send('here');
  void reply.send('here');
});
await app.ready();
afterAll(() => app.close());

describe('at the edge', () => {
  const timed = async (url: string, remoteAddress = '192.0.2.1'): Promise<number> => {
    const started = performance.now();
    expect((await app.inject({ url, remoteAddress })).body).toBe('here');
    return performance.now() - started;
  };

  test('what a burst pays for is never held', async () => {
    const times = await Promise.all(Array.from({ length: 40 }, () => timed('/paid')));
    expect(Math.max(...times)).toBeLessThan(AT_THE_EDGE.holdMs[0]);
  });

  test('the rest is held past the allowance, so many at a time and no more', async () => {
    const times = await Promise.all(Array.from({ length: 12 }, () => timed('/open')));
    // Timers may fire a millisecond early.
    const held = times.filter((ms) => ms >= AT_THE_EDGE.holdMs[0] - 2);
    expect(held).toHaveLength(RULES.held);
  });

  test('who was told to wait and does not is held sooner', async () => {
    const times: number[] = [];
    for (let n = 0; n < 3; n += 1) times.push(await timed('/too-many', '192.0.2.2'));
    expect(times.map((ms) => ms >= AT_THE_EDGE.holdMs[0] - 2)).toEqual([false, false, true]);
  });

  test('of two answers to a request, as where its body breaks, one is sent and none logged', async () => {
    const [least, most] = AT_THE_EDGE.holdMs;
    for (let n = 0; n < RULES.burst; n += 1) await timed('/open', '192.0.2.3');
    expect(await timed('/twice', '192.0.2.3')).toBeGreaterThan(least - 2);
    await sleep(most - least + 200);
    expect(said).toEqual([]);
  });
});
