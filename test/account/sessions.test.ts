/** Keys of the open trial. Signing in: a link once, a session for twelve hours, and nothing of either at rest. */
import { describe, expect, test } from 'vitest';
import { isTrial } from '../../src/account/principal.ts';
import { ACCOUNT_LIMITS } from '../../src/account/limits.ts';
import { sharedStore } from '../support/store.ts';
import { accountBench, turnedClock } from './accounts-fixture.ts';
import type { AccountBench } from './accounts-fixture.ts';

const store = await sharedStore();
const bench = accountBench(store);

describe('keys of the open trial', () => {
  test('are the same for a while, work in every process and end by themselves', async () => {
    const clock = turnedClock();
    const [one, other]: AccountBench[] = [accountBench(store, clock), accountBench(store, clock)];
    const first = await one!.trial.key();
    expect(await one!.trial.key()).toBe(first);
    expect(first.key).toMatchObject({
      kind: 'secret',
      environment: 'test',
      permission: 'restricted:bbr,dagi,natur,adresser,dhm,stednavne,vurdering,miljoe',
    });
    const principal = await other!.find(first.secret);
    expect(principal !== null && isTrial(principal)).toBe(true);
    // One account for all processes; a key of its own for each.
    expect((await other!.trial.key()).key.accountId).toBe(first.key.accountId);
    clock.turn(ACCOUNT_LIMITS.trialKeyMs.whole - ACCOUNT_LIMITS.trialKeyMs.least + 1);
    const next = await one!.trial.key();
    expect(next.key.id).not.toBe(first.key.id);
    expect(await other!.find(first.secret)).not.toBeNull();
    clock.turn(ACCOUNT_LIMITS.trialKeyMs.least);
    expect(await other!.find(first.secret)).toBeNull();
  });

  test('are made anew once they are revoked, one for all who ask at once', async () => {
    const [one, other] = [accountBench(store), accountBench(store)];
    const first = await one.trial.key();
    await one.keyAdmin.revoke(first.key.accountId, first.key.id);
    const [next, same] = await Promise.all([one.trial.key(), one.trial.key()]);
    expect(next.key.id).not.toBe(first.key.id);
    expect(same).toBe(next);
    expect(await one.trial.key()).toBe(next);
    // In another process it is learned with the next look at the store.
    expect(await one.find(next.secret)).not.toBeNull();
    await other.keyAdmin.revoke(next.key.accountId, next.key.id);
    await one.keys.refresh();
    expect((await one.trial.key()).key.id).not.toBe(next.key.id);
  });

  test('end where an operator closes the account, and are not made again', async () => {
    const bench = accountBench(store);
    const { key, secret } = await bench.trial.key();
    await bench.accounts.close(key.accountId);
    expect(await bench.find(secret)).toBeNull();
    const { trial } = accountBench(store);
    await expect(trial.key()).rejects.toMatchObject({ type: 'conflict' });
  });
});

async function signedIn(accountId: string, previous: string | null = null) {
  const link = await bench.sessions.newLink(accountId);
  const opened = await bench.sessions.signIn(link.token, previous);
  if (opened === null) throw new Error('The link did not work.');
  return { link, ...opened };
}

describe('a sign-in link', () => {
  test('opens one session, under twenty uses at once over several processes', async () => {
    const accountId = await bench.account();
    const { token } = await bench.sessions.newLink(accountId);
    const others = await Promise.all([store.another(), store.another(), store.another()]);
    const all = [bench, ...others.map((other) => accountBench(other, bench.clock))];
    const opened = await Promise.all(
      Array.from({ length: 20 }, (_, n) => all[n % all.length]!.sessions.signIn(token, null)),
    );
    await Promise.all(others.map((other) => other.close()));
    expect(opened.filter((each) => each !== null)).toHaveLength(1);
    const { rows } = await store.pool.query('select id from session where account_id = $1', [
      accountId,
    ]);
    expect(rows).toHaveLength(1);
  });

  test('lasts a quarter of an hour', async () => {
    const accountId = await bench.account();
    const [early, late] = [
      await bench.sessions.newLink(accountId),
      await bench.sessions.newLink(accountId),
    ];
    expect(early.expiresAtMs).toBe(bench.clock.nowMs() + 15 * 60_000);
    bench.clock.turn(ACCOUNT_LIMITS.signInLinkMs - 1);
    expect(await bench.sessions.signIn(early.token, null)).not.toBeNull();
    bench.clock.turn(1);
    expect(await bench.sessions.signIn(late.token, null)).toBeNull();
  });

  test('of a closed account opens nothing', async () => {
    const accountId = await bench.account();
    const { token } = await bench.sessions.newLink(accountId);
    await bench.accounts.close(accountId);
    expect(await bench.sessions.signIn(token, null)).toBeNull();
  });

  test.each(['', 'x', 'x'.repeat(43), 'æ'.repeat(43), "' or 1=1 --", 'x'.repeat(1_000_000)])(
    'that was never made opens nothing: %#',
    async (token) => {
      expect(await bench.sessions.signIn(token, null)).toBeNull();
    },
  );
});

describe('a session', () => {
  test('is its account for twelve hours', async () => {
    const accountId = await bench.account('business');
    const { token, session } = await signedIn(accountId);
    expect(session.id).toMatch(/^session_[a-z2-7]{20}$/);
    expect(session.expiresAtMs).toBe(bench.clock.nowMs() + 12 * 3_600_000);
    expect(await bench.sessions.find(token)).toEqual(session);
    expect(session.account).toMatchObject({ id: accountId, tier: 'business' });
    bench.clock.turn(ACCOUNT_LIMITS.sessionMs - 1);
    expect(await bench.sessions.find(token)).not.toBeNull();
    bench.clock.turn(1);
    expect(await bench.sessions.find(token)).toBeNull();
  });

  test('is none after signing out, everywhere, nor when its account closes', async () => {
    const accountId = await bench.account();
    const [one, two, three] = [
      await signedIn(accountId),
      await signedIn(accountId),
      await signedIn(accountId),
    ];
    await bench.sessions.signOut(one.session);
    const other = await store.another();
    expect(await accountBench(other, bench.clock).sessions.find(one.token)).toBeNull();
    await other.close();
    expect(await bench.sessions.find(two.token)).not.toBeNull();
    await bench.accounts.close(accountId);
    expect(await bench.sessions.find(two.token)).toBeNull();
    expect(await bench.sessions.find(three.token)).toBeNull();
  });

  test('is a new one at every sign-in: a token brought along is never taken over', async () => {
    const [attacker, victim] = [await bench.account(), await bench.account()];
    const planted = await signedIn(attacker);
    const own = await signedIn(victim, planted.token);
    expect(own.token).not.toBe(planted.token);
    expect((await bench.sessions.find(own.token))?.account.id).toBe(victim);
    // What was planted is worth nothing from then on.
    expect(await bench.sessions.find(planted.token)).toBeNull();
    const invented = 'A'.repeat(43);
    const again = await signedIn(victim, invented);
    expect(again.token).not.toBe(invented);
    expect(await bench.sessions.find(invented)).toBeNull();
    // A link that does not work ends nobody's session.
    expect(await bench.sessions.signIn('B'.repeat(43), own.token)).toBeNull();
    expect(await bench.sessions.find(own.token)).not.toBeNull();
  });

  test('is not opened by a link, nor a link by a session', async () => {
    const accountId = await bench.account();
    const { token } = await bench.sessions.newLink(accountId);
    expect(await bench.sessions.find(token)).toBeNull();
    const session = await signedIn(accountId);
    expect(await bench.sessions.signIn(session.token, null)).toBeNull();
  });

  test('leaves no token in the store', async () => {
    const { link, token } = await signedIn(await bench.account());
    const { rows } = await store.pool.query<{ all: string }>(
      `select (select string_agg(s::text, ' ') from session s)
        || (select string_agg(l::text, ' ') from sign_in_link l) as all`,
    );
    for (const secret of [link.token, token]) {
      expect(rows[0]?.all).not.toContain(secret);
      const bytes = Buffer.from(secret, 'base64url').toString('hex');
      expect(rows[0]?.all).not.toContain(bytes);
    }
  });

  test('that ended long ago is forgotten', async () => {
    const accountId = await bench.account();
    await signedIn(accountId);
    bench.clock.turn(ACCOUNT_LIMITS.sessionKeptMs + ACCOUNT_LIMITS.sessionMs + 1);
    await bench.sessions.newLink(accountId);
    const { rows } = await store.pool.query<{ links: number; sessions: number }>(
      `select (select count(*)::int from sign_in_link where account_id = $1) as links,
        (select count(*)::int from session where account_id = $1) as sessions`,
      [accountId],
    );
    expect(rows[0]).toEqual({ links: 1, sessions: 0 });
  });
});
