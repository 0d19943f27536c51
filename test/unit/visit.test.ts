/** What a keyed request takes is billed once or given back once, in whatever order things happen to it. */
import { describe, expect, test } from 'vitest';
import { HTTP_LIMITS } from '../../src/http/limits.ts';
import { Failure } from '../../src/kernel/failures.ts';
import { localLimiters } from '../../src/kernel/limiters.ts';
import { InFlight } from '../../src/http/plugins/concurrency.ts';
import { Visit } from '../../src/http/visit.ts';
import type { Meter } from '../../src/metering/meter-types.ts';
import { keptAccess, rateLimited } from '../edge/access.ts';
import type { KeptAccess } from '../edge/access.ts';

const SECRET = 'svc_live_one';
const CLIENT = '192.0.2.1';

async function visitBy(access: KeptAccess, meter: Meter = access.meter): Promise<Visit> {
  const principal = await access.keys.find(SECRET);
  if (principal === null) throw new Error('The key is not known.');
  return new Visit(meter, principal, CLIENT);
}

/** How many more requests of the account find a place. */
function placesLeft(inFlight: InFlight, visit: Visit): number {
  let taken = 0;
  try {
    for (; taken <= HTTP_LIMITS.inFlight.account; taken += 1)
      inFlight.enter(visit.principal, CLIENT);
  } catch (error) {
    expect(error).toBeInstanceOf(Failure);
  }
  return taken;
}

/** Its answer is billed when the units were at hand, it was answered, and its client was there. */
const ORDERS: readonly [order: string, billed: readonly number[]][] = [
  ['grant answer leave', [1]],
  ['grant leave answer', []],
  ['leave grant answer', []],
  ['leave answer grant', []],
  ['answer grant leave', []],
  ['answer leave grant', []],
  ['grant leave', []],
  ['leave grant', []],
  ['grant answer leave leave', [1]],
  ['grant answer answer leave', [1]],
];

describe.each(ORDERS)('%s', (order, billed) => {
  test.each(['at hand', 'asked for'])('with units that are %s', async (where) => {
    const access = keptAccess({ [SECRET]: {} });
    const inFlight = new InFlight(localLimiters());
    const asked = Promise.withResolvers<undefined>();
    const reserve: Meter['reserve'] = (principal, units) =>
      where === 'at hand'
        ? access.meter.reserve(principal, units)
        : asked.promise.then(() => access.meter.reserve(principal, units));
    const visit = await visitBy(access, { ...access.meter, reserve });
    visit.enter(inFlight);
    const waiting = where === 'asked for' ? visit.reserve(2) : undefined;
    for (const step of order.split(' ')) {
      if (step === 'leave') visit.leave();
      else if (step === 'grant') {
        if (where === 'at hand') void visit.reserve(2);
        asked.resolve(undefined);
        await waiting;
      } else {
        visit.answered(1, 3);
        const settlement = visit.end('lines', 'mine');
        if (settlement !== null) access.meter.settleAll([settlement]);
      }
    }
    const settled = billed.map((units) => ({ reserved: 2, units, generation: 3 }));
    expect(access.settled).toMatchObject(settled);
    expect(access.settled).toHaveLength(settled.length);
    expect(access.outstanding()).toBe(0);
    expect(visit.isInFlight).toBe(false);
    expect(placesLeft(inFlight, visit)).toBe(HTTP_LIMITS.inFlight.account);
  });
});

test('a refused request has taken nothing that stays', async () => {
  const access = keptAccess({ [SECRET]: {} });
  const visit = await visitBy(access);
  access.failing.admit = rateLimited();
  access.failing.reserve = rateLimited();
  expect(() => visit.admit()).toThrow(Failure);
  expect(() => visit.reserve(1)).toThrow(Failure);
  expect(visit.isPaidFor).toBe(false);
  expect(visit.end('lines', 'mine')).toBeNull();
  visit.leave();
  expect(access.outstanding()).toBe(0);
});

test('an answer has been paid for once units are set aside, an error in its place has not', async () => {
  const access = keptAccess({ [SECRET]: {} });
  const visit = await visitBy(access);
  void visit.reserve(1);
  expect(visit.isPaidFor).toBe(true);
  visit.end('lines', 'mine');
  expect(visit.isPaidFor).toBe(false);
});
