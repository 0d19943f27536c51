/** `npm run admin` as an operator runs it: a process with arguments, output and an exit code. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { announceAddress } from '../../src/kernel/service-address.ts';
import { openTestStore } from '../support/store.ts';
import type { TestStore } from '../support/store.ts';
import { accountBench, eventually } from './accounts-fixture.ts';
import type { AccountBench } from './accounts-fixture.ts';

const PROGRAM = join(import.meta.dirname, '../../src/cli/admin/cli.ts');
const EMAIL = 'cli@example.dk';

let store: TestStore;
/** A service that runs beside the command. */
let beside: AccountBench;
beforeAll(async () => {
  store = await openTestStore();
  beside = accountBench(store);
  beside.start();
});
afterAll(async () => {
  await beside.stop();
  await store.close();
});

async function admin(argv: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [PROGRAM, ...argv], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: store.databaseUrl ?? '',
      DATA_DIR: store.dataDir,
      ...env,
    },
  });
  const [code, out, err] = await Promise.all([
    once(child, 'exit').then(([status]) => status as number | null),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, out, err };
}

async function json<T>(...argv: readonly string[]): Promise<T> {
  const { code, out, err } = await admin([...argv, '--json']);
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out) as T;
}

describe('the admin command', () => {
  test('opens an account, mints a key, and a service that runs beside it sees every change', async () => {
    const made = await admin(['account', 'create', '--name', 'Anna Opdigtet', '--email', EMAIL]);
    expect(made).toMatchObject({ code: 0, err: '' });
    expect(made.out).toMatch(
      /^account_[a-z2-7]{20} {2}free {6}cli@example\.dk {2}Anna Opdigtet\n$/,
    );

    const minted = await admin(['key', 'mint', EMAIL, '--name', 'Server']);
    const [secret = '', about = ''] = minted.out.split('\n');
    expect(secret).toMatch(/^svc_test_[0-9A-Za-z]{38}$/);
    expect(about).toMatch(/^key_[a-z2-7]{20}, Server: read\. The secret is shown this once\.$/);
    const principal = await beside.find(secret);
    expect(principal).toMatchObject({ tier: 'free', environment: 'test' });

    expect(await json('tier', EMAIL, 'business')).toMatchObject({ tier: 'business' });
    expect(await json('cap', EMAIL, '1234567')).toMatchObject({ capUnits: 1_234_567 });
    await eventually(async () => (await beside.find(secret))?.capUnits === 1_234_567);
    expect(await beside.find(secret)).toMatchObject({ tier: 'business' });

    const listed = await admin(['key', 'list', EMAIL]);
    expect(listed.out).toContain(`${secret.slice(0, 15)}…`);
    expect(listed.out).not.toContain(secret.slice(-12));
    const keyId = principal?.keyId ?? '';
    const rotated = await json<{ secret: string; replaced: { id: string } }>(
      'key',
      'rotate',
      keyId,
      '--overlap',
      '1',
    );
    expect(rotated.replaced.id).toBe(keyId);
    expect(await beside.find(rotated.secret)).not.toBeNull();
    const revoked = await admin(['key', 'revoke', keyId]);
    expect(revoked).toMatchObject({ code: 0, err: '' });
    await eventually(async () => (await beside.find(secret)) === null);

    const { code, out } = await admin(['usage', EMAIL]);
    expect(code).toBe(0);
    expect(out).toMatch(/live: 0 of 1000000 units in 0 requests/);
  }, 120_000);

  test('prints an address that signs in once', async () => {
    const made = await json<{ id: string }>(
      ...['account', 'create', '--name', 'Bo', '--email', 'bo@example.dk', '--tier', 'pro'],
    );
    const link = await admin(['link', 'bo@example.dk'], { PUBLIC_URL: 'https://geo.example' });
    const [url = '', until] = link.out.split('\n');
    expect(url).toMatch(/^https:\/\/geo\.example\/log-ind#[A-Za-z0-9_-]{43}$/);
    expect(until).toMatch(/^Signs in once, until \d{4}-/);
    const token = new URL(url).hash.slice(1);
    expect((await beside.sessions.signIn(token, null))?.session.account.id).toBe(made.id);
    expect(await beside.sessions.signIn(token, null)).toBeNull();
    const here = await admin(['link', 'bo@example.dk'], { HOST: '0.0.0.0', PORT: '9090' });
    expect(here.err).toBe('');
    expect(here.out).toMatch(/^http:\/\/localhost:9090\/log-ind#/);
    const withdraw = await announceAddress(store.dataDir, 'http://127.0.0.1:46001');
    const said = await admin(['link', 'bo@example.dk'], { PORT: '0' });
    expect(said.out).toMatch(/^http:\/\/127\.0\.0\.1:46001\/log-ind#/);
    await withdraw();
    const nowhere = await admin(['link', 'bo@example.dk'], { PORT: '0' });
    expect(nowhere).toMatchObject({ code: 1, out: '' });
    expect(nowhere.err).toContain('PUBLIC_URL');

    expect(await json('operator', made.id, 'on')).toMatchObject({ isOperator: true });
    expect((await admin(['account', 'list'])).out).toMatch(/bo@example\.dk {2}Bo {2}operator/);
    expect(await json('account', 'close', made.id)).toMatchObject({ id: made.id });
  }, 120_000);

  test('refuses a cap below the allowance by naming it, and tells where a cap does not decide', async () => {
    const email = 'cap@example.dk';
    await admin(['account', 'create', '--name', 'Cap', '--email', email, '--tier', 'pro']);
    for (const units of ['0', '49999']) {
      expect(await admin(['cap', email, units])).toEqual({
        code: 1,
        out: '',
        err:
          'A cap is at least the allowance: the plan pro includes 50000 units a month, and ' +
          `${units} is below that.\n`,
      });
    }
    expect(await json('cap', email, '50000')).toMatchObject({ capUnits: 50_000 });
    const raised = await admin(['tier', email, 'business']);
    expect(raised).toMatchObject({ code: 0, err: '' });
    expect(raised.out).toContain('its allowance is more): calls are refused after 1000000 units.');
    const lowered = await admin(['tier', email, 'free']);
    expect(lowered.out).toMatch(/it has no overage\): calls are refused after \d+ units\./);
    expect(await json('cap', email, 'none')).toMatchObject({ capUnits: null });
  }, 120_000);

  test('lets a public key in from the address a browser shows', async () => {
    const email = 'page@example.dk';
    await admin(['account', 'create', '--name', 'Page', '--email', email]);
    const shown = ['http://localhost:9170', 'http://127.0.0.1:9170/', 'https://Example.dk/'];
    const { key } = await json<{ key: { origins: string[] } }>(
      ...['key', 'mint', email, '--public', ...shown.flatMap((each) => ['--origin', each])],
    );
    expect(key.origins).toEqual(['localhost:9170', '127.0.0.1:9170', 'example.dk']);
    const path = ['--origin', 'https://example.dk/side'];
    const refused = await admin(['key', 'mint', email, '--public', ...path]);
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toMatch(/^origins\[0\] must be a host.*without a path\.\n$/);
  }, 120_000);

  test('says in one sentence what it did not do, and does nothing', async () => {
    const nobody = await admin(['tier', 'nobody@example.dk', 'pro']);
    expect(nobody).toEqual({ code: 1, out: '', err: 'There is no account nobody@example.dk.\n' });
    const taken = ['account', 'create', '--name', 'x', '--email', 'Twice@example.dk'];
    expect((await admin(taken)).code).toBe(0);
    const again = await admin(taken);
    expect(again).toMatchObject({ code: 1, out: '' });
    expect(again.err).toBe('An open account has this e-mail address already.\n');
    const origin = await admin(['key', 'mint', 'twice@example.dk', '--public']);
    expect(origin.err).toBe('origins: a public key has 1 to 20.\n');
    const misunderstood = await admin(['key', 'mint']);
    expect(misunderstood).toMatchObject({ code: 2, out: '' });
    expect(misunderstood.err).toContain('Usage: npm run admin');
    const away = await admin(['account', 'list'], { DATABASE_URL: 'postgres://127.0.0.1:1/none' });
    expect(away).toMatchObject({ code: 1, out: '' });
    expect(away.err).toContain('ECONNREFUSED');
  }, 120_000);
});
