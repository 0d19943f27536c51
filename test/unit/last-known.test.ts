/** The store's last answer: which one it is, whatever order answers come in. */
import { expect, test } from 'vitest';
import { RegisterStates } from '../../src/core/standing/register-state.ts';
import { LastKnown } from '../../src/ops/last-known.ts';

test('an answer that is overtaken takes no later one’s place; its age is since it was asked', async () => {
  const asked: PromiseWithResolvers<string>[] = [];
  const read = () => {
    const next = Promise.withResolvers<string>();
    asked.push(next);
    return next.promise;
  };
  const outages = { isUnavailable: false, count: 0, failed: () => undefined };
  let nowMs = 0;
  const known = new LastKnown({ read, outages, monotonicMs: () => (nowMs += 1_000) });
  const both = [known.get(), known.get()];
  asked[1]?.resolve('later');
  await both[1];
  asked[0]?.resolve('earlier');
  // Who asked is told what was read for it.
  expect((await Promise.all(both)).map(({ value }) => value)).toEqual(['earlier', 'later']);
  outages.isUnavailable = true;
  nowMs += 5_000;
  expect(await known.get()).toEqual({ value: 'later', ageS: 6 });
});

test('a register that an operator holds stays held where an earlier reading comes late', () => {
  const states = new RegisterStates();
  const [earlier, later] = [states.begin(), states.begin()];
  const state = { held: false, refused: false, sourceRows: 9 };
  const held = { ...state, held: true };
  expect(later.of('skov', held, null)).toBe(held);
  expect(earlier.of('skov', state, null)).toBe(state);
  expect(states.begin().of('skov', null, null)).toBe(held);
});
