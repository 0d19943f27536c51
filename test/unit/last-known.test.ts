/** The store's last answer: which one it is, whatever order answers come in. */
import { expect, test } from 'vitest';
import { LastKnown } from '../../src/ops/last-known.ts';

test('an answer that is overtaken by a later one does not take its place', async () => {
  const asked: PromiseWithResolvers<string>[] = [];
  const outages = { isUnavailable: false, count: 0, failed: () => undefined };
  const read = () => {
    const next = Promise.withResolvers<string>();
    asked.push(next);
    return next.promise;
  };
  let nowMs = 0;
  const known = new LastKnown({ read, outages, monotonicMs: () => nowMs++ });
  const both = [known.get(), known.get()];
  asked[1]?.resolve('later');
  await both[1];
  asked[0]?.resolve('earlier');
  // Who asked is told what was read for it.
  expect((await Promise.all(both)).map(({ value }) => value)).toEqual(['earlier', 'later']);
  outages.isUnavailable = true;
  expect(await known.get()).toMatchObject({ value: 'later' });
});

test('its age counts from when it was asked: a slow answer is of then', async () => {
  const outages = { isUnavailable: false, count: 0, failed: () => undefined };
  let nowMs = 0;
  const read = () => {
    nowMs += 5_000;
    return Promise.resolve('slow');
  };
  const known = new LastKnown({ read, outages, monotonicMs: () => nowMs });
  await known.get();
  outages.isUnavailable = true;
  expect(await known.get()).toEqual({ value: 'slow', ageS: 5 });
});
