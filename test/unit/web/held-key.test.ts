/** A page's own key: made once, and anew when making it was refused. */
import { expect, test } from 'vitest';
import { HeldKey } from '../../../src/web/shared/held-key.ts';

const KEY = { id: 'key_1', secret: 'svc_test_x' };

test('a refusal stands no longer than it is told, however busy the page', async () => {
  let made = 0;
  const key = new HeldKey(() =>
    ++made === 1 ? Promise.reject(new Error('Signed out.')) : Promise.resolve(KEY),
  );
  await expect(key.secret()).rejects.toThrow('Signed out.');
  // Before any timer.
  expect(await key.secret()).toBe(KEY.secret);
  expect(await key.secret()).toBe(KEY.secret);
  expect(made).toBe(2);
});

test('a refusal rests for as long as it is told', async () => {
  let made = 0;
  const key = new HeldKey(() => Promise.reject(new Error(`Refused ${++made}.`)), 1_000);
  await expect(key.secret()).rejects.toThrow('Refused 1.');
  await expect(key.secret()).rejects.toThrow('Refused 1.');
});
