/** What is read of an account is dropped where its reader signs out before it has come (D249). */
import { afterEach, expect, test, vi } from 'vitest';
import { account, forgetAccount, onChange, readAccount } from '../../../src/web/konto/board.ts';

afterEach(() => vi.unstubAllGlobals());

test('an answer that was on its way brings nothing back', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  vi.stubGlobal('document', { documentElement: { lang: 'da' }, activeElement: null });
  vi.stubGlobal('fetch', async () => (await promise).clone());
  onChange({ draw: () => undefined, look: () => Promise.resolve(), leave: () => undefined });
  const reading = readAccount();
  forgetAccount();
  resolve(Response.json({ account: { name: 'Opdigtet' }, keys: [] }));
  expect(await reading).toBe(false);
  expect(account).toBeNull();
  expect(await readAccount()).toBe(true);
  expect(account?.me.account.name).toBe('Opdigtet');
});
