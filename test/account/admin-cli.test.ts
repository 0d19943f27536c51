/**
 * `npm run admin` as an operator runs it: a process with arguments, output and an exit code. What a
 * process of its own adds nothing to is run without one.
 */
import { afterAll, describe, expect, test } from 'vitest';
import { announceAddress } from '../../src/kernel/service-address.ts';
import { startCommand } from '../sync/in-process.ts';
import { openTestStore } from '../support/store.ts';
import { runAdmin } from './admin-run.ts';
import { accountBench } from './accounts-fixture.ts';
import { until } from '../support/until.ts';
import { opened } from '../support/opened.ts';

const EMAIL = 'cli@example.dk';

const store = await opened(openTestStore());
/** A service that runs beside the command. */
const beside = accountBench(store);
beside.start();
afterAll(() => beside.stop());

const admin = (argv: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  startCommand('src/cli/admin/cli.ts', argv, {
    DATABASE_URL: store.databaseUrl ?? '',
    DATA_DIR: store.dataDir,
    ...env,
  }).ended;

const run = (...argv: readonly string[]) => runAdmin(store, argv);

describe('the admin command', () => {
  test('makes the first key on an empty store, and another only where none works', async () => {
    const made = await admin(['first-key']);
    expect(made).toMatchObject({ code: 0, err: '' });
    const [secret = '', , account = ''] = made.out.split('\n');
    expect(account).toMatch(/^account_[a-z2-7]{20} {2}pro {7}proevekonto@localhost {2}Prøvekonto$/);
    await until(async () => (await beside.find(secret)) !== null);
    expect(await beside.find(secret)).toMatchObject({ tier: 'pro', environment: 'test' });

    const hint = 'npm run admin -- key mint proevekonto@localhost --test';
    const again = `There is a key already; another one: ${hint}`;
    await expect(run('first-key')).rejects.toThrow(again);
    const [, command = ''] = hint.split(' -- ');
    expect((await run(...command.split(' '))).out).toMatch(/^svc_test_/);

    // The open trial's key is nobody's to ask with.
    await beside.trial.key();
    const keys = await beside.keyAdmin.list(account.split(' ')[0] ?? '');
    for (const { id } of keys) await run('key', 'revoke', id);
    expect((await run('first-key')).out).toContain(account);
    expect((await run('account', 'close', 'proevekonto@localhost')).value).toBeDefined();
  });

  test('opens an account, mints a key, and a service that runs beside it sees every change', async () => {
    const made = await run('account', 'create', '--name', 'Anna Opdigtet', '--email', EMAIL);
    expect(made.out).toMatch(/^account_[a-z2-7]{20} {2}free {6}cli@example\.dk {2}Anna Opdigtet$/);
    const minted = await run('key', 'mint', EMAIL, '--name', 'Server');
    const [secret = '', about = ''] = minted.out.split('\n');
    expect(secret).toMatch(/^svc_test_[0-9A-Za-z]{38}$/);
    expect(about).toMatch(/^key_[a-z2-7]{20}, Server: read\. The secret is shown this once\.$/);
    const principal = await beside.find(secret);
    expect(principal).toMatchObject({ tier: 'free', environment: 'test' });

    const tier = await admin(['tier', EMAIL, 'business', '--json']);
    expect([tier.code, tier.err]).toEqual([0, '']);
    expect(JSON.parse(tier.out)).toMatchObject({ tier: 'business' });
    expect(await run('cap', EMAIL, '1234567')).toMatchObject({ value: { capUnits: 1_234_567 } });
    await until(async () => (await beside.find(secret))?.capUnits === 1_234_567);
    expect(await beside.find(secret)).toMatchObject({ tier: 'business' });

    const listed = await run('key', 'list', EMAIL);
    expect(listed.out).toContain(`${secret.slice(0, 15)}…`);
    expect(listed.out).not.toContain(secret.slice(-12));
    const keyId = principal?.keyId ?? '';
    const { value } = await run('key', 'rotate', keyId, '--overlap', '1');
    const rotated = value as { secret: string; replaced: { id: string } };
    expect(rotated.replaced.id).toBe(keyId);
    expect(await beside.find(rotated.secret)).not.toBeNull();
    const revoked = await admin(['key', 'revoke', keyId]);
    expect(revoked).toMatchObject({ code: 0, err: '' });
    await until(async () => (await beside.find(secret)) === null);

    const { out } = await run('usage', EMAIL);
    expect(out).toMatch(/live: 0 of 1000000 units in 0 requests/);
  });

  test('prints an address that signs in once', async () => {
    const { value } = await run(
      ...['account', 'create', '--name', 'Bo', '--email', 'bo@example.dk', '--tier', 'pro'],
    );
    const made = value as { id: string };
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

    expect((await run('operator', made.id, 'on')).value).toMatchObject({ isOperator: true });
    expect((await run('account', 'list')).out).toMatch(/bo@example\.dk {2}Bo {2}operator/);
    expect((await run('account', 'close', made.id)).value).toMatchObject({ id: made.id });
  });

  test('refuses a cap below the allowance by naming it, and tells where a cap does not decide', async () => {
    const email = 'cap@example.dk';
    await run('account', 'create', '--name', 'Cap', '--email', email, '--tier', 'pro');
    for (const units of ['0', '49999']) {
      await expect(run('cap', email, units)).rejects.toThrow(
        'A cap is at least the allowance: the plan pro includes 50000 units a month, and ' +
          `${units} is below that.`,
      );
    }
    expect((await run('cap', email, '50000')).value).toMatchObject({ capUnits: 50_000 });
    const raised = await run('tier', email, 'business');
    expect(raised.out).toContain('its allowance is more): calls are refused after 1000000 units.');
    const lowered = await run('tier', email, 'free');
    expect(lowered.out).toMatch(/it has no overage\): calls are refused after \d+ units\./);
    expect((await run('cap', email, 'none')).value).toMatchObject({ capUnits: null });
  });

  test('lets a public key in from the address a browser shows', async () => {
    const email = 'page@example.dk';
    await run('account', 'create', '--name', 'Page', '--email', email);
    const shown = ['http://localhost:9170', 'http://127.0.0.1:9170/', 'https://Example.dk/'];
    const { value } = await run(
      ...['key', 'mint', email, '--public', ...shown.flatMap((each) => ['--origin', each])],
    );
    expect((value as { key: { origins: string[] } }).key.origins).toEqual([
      'localhost:9170',
      '127.0.0.1:9170',
      'example.dk',
    ]);
    const path = ['--origin', 'https://example.dk/side'];
    await expect(run('key', 'mint', email, '--public', ...path)).rejects.toThrow(
      /^origins\[0\] must be a host.*without a path\.$/,
    );
  });

  test('says in one sentence what it did not do, and does nothing', async () => {
    const nobody = await admin(['tier', 'nobody@example.dk', 'pro']);
    expect(nobody).toEqual({ code: 1, out: '', err: 'There is no account nobody@example.dk.\n' });
    const taken = ['account', 'create', '--name', 'x', '--email', 'Twice@example.dk'];
    await run(...taken);
    await expect(run(...taken)).rejects.toThrow(
      /^An open account has this e-mail address already\.$/,
    );
    await expect(run('key', 'mint', 'twice@example.dk', '--public')).rejects.toThrow(
      /^origins: a public key has 1 to 20\.$/,
    );
    const misunderstood = await admin(['key', 'mint']);
    expect(misunderstood).toMatchObject({ code: 2, out: '' });
    expect(misunderstood.err).toContain('Usage: npm run admin');
    const away = await admin(['account', 'list'], { DATABASE_URL: 'postgres://127.0.0.1:1/none' });
    expect(away).toMatchObject({ code: 1, out: '' });
    expect(away.err).toContain('ECONNREFUSED');
  });
});

test('grants and declines requests for an account, and tells who signs in by which address', async () => {
  const wanted = [
    { name: 'Ny by', email: 'by@example.dk', purpose: 'Sager' },
    { name: 'Ingen', email: 'ingen@example.dk', purpose: '' },
  ];
  for (const each of wanted) {
    await beside.accountRequests.ask(each, '192.0.2.7');
    beside.clock.turn(1);
  }
  const { value } = await run('request', 'list');
  expect(value).toMatchObject(wanted);
  const [first, second] = value as { id: string }[];
  const granted = await run('request', 'approve', first!.id, '--tier', 'pro');
  const { account, url } = granted.value as { account: { id: string }; url: string };
  expect(account).toMatchObject({ email: 'by@example.dk', tier: 'pro' });
  const link = url.split('#')[1] ?? '';
  const opened = await beside.sessions.signIn(link, null);
  expect(opened?.session).toMatchObject({ account: { id: account.id } });
  await run('request', 'decline', second!.id);
  expect((await run('request', 'list')).value).toEqual([]);
  await expect(run('request', 'approve', first!.id)).rejects.toThrow('no open request');
  expect(await beside.accounts.find('ingen@example.dk')).toBeNull();

  await beside.persons.invite(account.id, { email: 'kollega@example.dk', roles: ['reads'] });
  const { value: made } = await run('link', 'kollega@example.dk');
  const token = (made as { url: string }).url.split('#')[1] ?? '';
  const colleague = await beside.sessions.signIn(token, null);
  expect(colleague?.session.person).toMatchObject({
    email: 'kollega@example.dk',
    roles: ['reads'],
  });
});

test('shows webhooks and their deliveries, and sends an event again as a delivery of its own', async () => {
  const account = await beside.account('pro');
  const id = `webhook_${'b'.repeat(20)}`;
  expect((await run('webhook', 'list', account)).out).toBe('The account has no webhook.');
  await store.pool.query(
    `insert into webhook_endpoint (id, account_id, url, host, events, secret_prefix, sealed_secret,
       created_at)
     values ($1, $2, 'https://hooks.example/', 'hooks.example', '{key.created}', 'whsec_abcd', 'x',
       now())`,
    [id, account],
  );
  await beside.key(account);
  expect((await run('webhook', 'list', account)).out).toMatch(/hooks\.example.*1 waiting/);
  const [first] = (await run('webhook', 'deliveries', id)).value as { id: string }[];
  await store.pool.query(
    `update webhook_delivery set status = 'failed', attempts = 5, next_attempt_at = null`,
  );
  const resent = await run('webhook', 'resend', first?.id ?? '');
  expect(resent.value).toMatchObject({ event: 'key.created', status: 'pending', attempts: 0 });
  const { rows } = await store.pool.query<{ id: string; body: string; attempts: number }>(
    'select id, body, attempts from webhook_delivery order by attempts desc',
  );
  const [old, fresh] = rows.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
  expect(rows.map(({ attempts }) => attempts)).toEqual([5, 0]);
  expect(fresh).toEqual({ ...old, id: rows[1]?.id });
  expect(rows[1]?.id).not.toBe(rows[0]?.id);
  for (const unknown of ['x', `webhookDelivery_${'a'.repeat(20)}`]) {
    await expect(run('webhook', 'resend', unknown)).rejects.toMatchObject({ type: 'not_found' });
  }
  await expect(run('webhook', 'deliveries', 'x')).rejects.toMatchObject({ type: 'not_found' });
  await beside.accounts.close(account);
  await expect(run('webhook', 'resend', first?.id ?? '')).rejects.toMatchObject({
    type: 'conflict',
  });
});
