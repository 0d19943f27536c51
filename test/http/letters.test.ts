/** Signing in, being invited and asking for an account by e-mail (D216, D217), as a folder gets the letters. */
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createMail, createOutbox } from '../../src/account/mail.ts';
import { tellAlarms } from '../../src/account/alarms.ts';
import { ACCOUNT_LIMITS } from '../../src/account/limits.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { sharedStore } from '../support/store.ts';
import { expectError } from '../edge/edge.ts';
import { accountBench, turnedClock } from '../account/accounts-fixture.ts';
import { accountEdge, signIn } from './account-edge.ts';
import { letterBox, tokensIn } from './letter-box.ts';
import { linesInto } from '../support/log.ts';

const clock = turnedClock();
const lines: string[] = [];
const store = await sharedStore();
const bench = accountBench(store, clock);
let writeUrl = () => 'https://geo.example';
const box = letterBox(bench, () => writeUrl());
const edge = await accountEdge(
  store,
  {},
  { publicUrl: 'https://geo.example', logLevel: 'debug', logStream: linesInto(lines) },
  { letters: box.letters, accountRequests: bench.accountRequests },
);
afterAll(async () => {
  await edge.app.close();
  box.remove();
});
beforeEach(async () => {
  await box.received();
  await store.pool.query('delete from mail_allowance');
});

const received = () => box.received();

const ask = (email: string, headers: Record<string, string> = {}, remoteAddress = '192.0.2.1') =>
  edge.app.inject({
    ...{ method: 'POST', url: '/v1/me/session/link', payload: { email }, remoteAddress },
    headers: { host: 'geo.example', ...headers },
  });
const browserOf = (response: { headers: Record<string, unknown> }) =>
  String(response.headers['set-cookie']).split(';')[0]!;
const open = (link: string, cookie?: string) =>
  edge.app.inject({
    ...{ method: 'POST', url: '/v1/me/session', payload: { link } },
    headers: { host: 'geo.example', ...(cookie !== undefined && { cookie }) },
  });
const addressOf = async (account: string) => (await edge.bench.accounts.find(account))!.email;

describe('a sign-in link by e-mail', () => {
  test('opens once, in the browser that asked for it', async () => {
    const account = await edge.bench.account();
    const email = await addressOf(account);
    const asked = await ask(email.toUpperCase());
    expect(asked.headers['set-cookie']).toMatch(
      /^svc_link=[\w-]{43}; Path=\/v1\/me\/session; Max-Age=900; HttpOnly; SameSite=Lax; Secure$/,
    );
    const [letter] = await received();
    expect(letter).toMatch(new RegExp(`^To: ${email}\r$`, 'im'));
    const [token = ''] = tokensIn(letter);

    const refusal = async (cookie?: string) =>
      expectError(await open(token, cookie), 'unauthorized')['code'];
    expect(await refusal()).toBe('link_other_browser');
    expect(await refusal(browserOf(await ask('ingen@example.dk')))).toBe('link_other_browser');
    const opened = await open(token, browserOf(asked));
    const session = { account: { id: account }, person: { email } };
    expect(opened.json()).toMatchObject({ session });
    expect(await refusal(browserOf(asked))).toBe('link_invalid');
  });

  test('of a browser that asks twice: both letters open there', async () => {
    const email = await addressOf(await edge.bench.account());
    const cookie = browserOf(await ask(email));
    expect(browserOf(await ask(email, { cookie }))).toBe(cookie);
    for (const letter of await received()) {
      expect((await open(tokensIn(letter)[0]!, cookie)).statusCode).toBe(200);
    }
  });

  test('is one for each account of an address, in one letter', async () => {
    const accounts = [await edge.bench.account(), await edge.bench.account()];
    for (const account of accounts) {
      await edge.bench.persons.invite(account, { email: 'to@example.dk', roles: ['reads'] });
    }
    const cookie = browserOf(await ask('to@example.dk'));
    const [letter, ...more] = await received();
    expect([tokensIn(letter).length, more.length]).toEqual([2, 0]);
    const opened = await Promise.all(tokensIn(letter).map((token) => open(token, cookie)));
    const ids = opened.map(
      (each) => each.json<{ session: { account: { id: string } } }>().session.account.id,
    );
    expect(ids.sort()).toEqual(accounts.sort());
  });

  test('answers an address without an account as one with', async () => {
    const known = await ask(await addressOf(await edge.bench.account()));
    const unknown = await ask('ukendt@example.dk');
    const closed = await edge.bench.account();
    const gone = await addressOf(closed);
    await edge.bench.accounts.close(closed);
    const shut = await ask(gone);
    for (const response of [unknown, shut]) {
      expect([response.statusCode, response.body]).toEqual([known.statusCode, known.body]);
      expect(Object.keys(response.headers).sort()).toEqual(Object.keys(known.headers).sort());
    }
    expect(await received()).toHaveLength(1);
  });

  test('is limited by address and by network, exactly, also for who asks at once', async () => {
    const email = await addressOf(await edge.bench.account());
    const { perAddress, perNetwork, windowMs } = ACCOUNT_LIMITS.letters;
    const burst = await Promise.all(
      Array.from({ length: perAddress + 4 }, (_, at) => ask(email, {}, `198.51.100.${at}`)),
    );
    expect(burst.filter(({ statusCode }) => statusCode === 202)).toHaveLength(perAddress);
    const refused = burst.find(({ statusCode }) => statusCode === 429)!;
    expectError(refused, 'rate_limited');
    expect(refused.headers['retry-after']).toBe(String(windowMs / 1000));
    expect(await received()).toHaveLength(perAddress);

    for (let at = 0; at < perNetwork; at++) {
      expect((await ask(`u${at}@example.dk`, {}, '2001:db8:0:1::1')).statusCode).toBe(202);
    }
    expectError(await ask('een@example.dk', {}, '2001:db8:0:1::2'), 'rate_limited');
    expect((await ask('een@example.dk', {}, '2001:db8:0:2::2')).statusCode).toBe(202);
    clock.turn(windowMs);
    expect((await ask(email)).statusCode).toBe(202);
  });

  test.each([[{ origin: 'https://evil.com' }], [{ 'sec-fetch-site': 'cross-site' }]])(
    'is not asked for by another site: %j',
    async (headers: Record<string, string>) => {
      expectError(await ask('a@example.dk', headers), 'forbidden');
    },
  );

  test('leaves no token in log or store', async () => {
    const asked = await ask(await addressOf(await edge.bench.account()));
    const [letter] = await received();
    const [token = ''] = tokensIn(letter);
    await open(token, browserOf(asked));
    const { rows } = await store.pool.query<{ row: string }>(
      'select l::text as row from sign_in_link l union all select s::text from session s',
    );
    const kept = [...lines, ...rows.map(({ row }) => row)].join('\n');
    const secrets = [token, browserOf(asked).slice('svc_link='.length)];
    expect(secrets.filter((secret) => secret.length < 40 || kept.includes(secret))).toEqual([]);
  });

  test('needs a way to send it: else the setting is named', async () => {
    const bare = await accountEdge(store);
    const response = await bare.app.inject({
      ...{ method: 'POST', url: '/v1/me/session/link', payload: { email: 'a@b.dk' } },
    });
    expect(String(expectError(response, 'upstream_unavailable')['error'])).toContain('SMTP_URL');
    const request = await bare.app.inject({
      ...{ method: 'POST', url: '/v1/me/account-requests' },
      payload: { name: 'x', email: 'a@b.dk', purpose: '' },
    });
    expect(String(expectError(request, 'upstream_unavailable')['error'])).toContain('ACCOUNT_REQ');
    await bare.app.close();
  });
});

test('an invitation signs its reader in, in any browser, and tells nothing that it was not given', async () => {
  const account = await edge.bench.account();
  const owner = await signIn(edge, account);
  const payload = { email: 'bo@example.dk', roles: ['uses'] };
  const made = await owner.ask({ method: 'POST', url: '/v1/me/persons', payload });
  expect(made.json()).toMatchObject({ mailed: true });
  const [letter] = await received();
  const opened = await open(tokensIn(letter)[0]!);
  expect(opened.json()).toMatchObject({ session: { person: payload } });
});

describe('an invitation whose letter is not sent', () => {
  const url = '/v1/me/persons';
  const used = async () => {
    await received();
    const { rows } = await store.pool.query<{ used: number }>('select used from mail_allowance');
    return rows.reduce((sum, row) => sum + row.used, 0);
  };

  test('while too many wait is made, says so and takes nothing of the limit', async () => {
    const owner = await signIn(edge, await edge.bench.account());
    const release = box.fill();
    const payload = { email: 'fuldt@example.dk', roles: ['uses'] };
    const made = await owner.ask({ method: 'POST', url, payload });
    expectError(await ask('fuldt@example.dk'), 'overloaded');
    release();
    expect([made.statusCode, made.json()]).toMatchObject([201, { mailed: false }]);
    expect(await received()).toHaveLength(0);
    expect(await used()).toBe(0);
  });

  test('since it is refused, or the mail server fails, takes nothing of the limit', async () => {
    const owner = await signIn(edge, await edge.bench.account());
    const payload = { email: 'een@example.dk', roles: ['uses'] };
    expect((await owner.ask({ method: 'POST', url, payload })).statusCode).toBe(201);
    expect(await used()).toBe(3);
    expectError(await owner.ask({ method: 'POST', url, payload }), 'conflict');
    expect(await used()).toBe(3);
    const before = writeUrl;
    writeUrl = () => {
      throw Object.assign(new Error('not sent'), { code: 'ECONNECTION' });
    };
    const other = { ...payload, email: 'to@example.dk' };
    expect((await owner.ask({ method: 'POST', url, payload: other })).statusCode).toBe(201);
    expect(await used()).toBe(3);
    writeUrl = before;
    expect(box.troubles).toEqual(['ECONNECTION']);
  });
});

test('a mail server that hangs keeps nothing from stopping, and its letters are reported', async () => {
  const troubles: string[] = [];
  const outbox = createOutbox((code) => troubles.push(code));
  outbox.post(...[1, 2, 3].map(() => () => new Promise<void>(() => undefined)));
  await outbox.stop();
  expect(troubles).toEqual(['stopped', 'stopped', 'stopped']);
});

test('an account is asked for once, found by the operator, and answered alike', async () => {
  const url = '/v1/me/account-requests';
  const request = { name: 'Kommune', email: 'ny@kommune.example', purpose: 'Byggesager' };
  const post = (payload: object = request) =>
    edge.app.inject({ method: 'POST', url, payload, headers: { host: 'geo.example' } });
  const first = await post();
  expect([first.statusCode, (await post()).body]).toEqual([202, first.body]);
  expect(await edge.bench.accountRequests.list()).toMatchObject([request]);
  expectError(await post({ ...request, email: 'a,b@c.dk' }), 'invalid_request');
});

test('an alarm is told once a month, to those who pay', async () => {
  const account = await edge.bench.account();
  const owner = await signIn(edge, account);
  for (const [email, role] of [
    ['pay@example.dk', 'pays'],
    ['use@example.dk', 'uses'],
  ] as const) {
    await edge.bench.persons.invite(account, { email, roles: [role] });
  }
  await owner.ask({ method: 'PUT', url: '/v1/me/alarm', payload: { units: 100 } });
  const use = (used: number) =>
    store.pool.query(
      `insert into usage_month (account_id, environment, month, used)
       values ($1, 'live', '2026-11-01', $2)
       on conflict (account_id, environment, month) do update set used = excluded.used`,
      [account, used],
    );
  await use(99);
  await tellAlarms(store, box.letters, '2026-11-01');
  expect(await received()).toHaveLength(0);
  await use(100);
  const release = box.fill();
  await tellAlarms(store, box.letters, '2026-11-01');
  release();
  expect(await received()).toHaveLength(0);
  await Promise.all([1, 2].map(() => tellAlarms(store, box.letters, '2026-11-01')));
  const to = (await received()).map((letter) => /^To: (.*)\r$/m.exec(letter)?.[1]);
  expect(to.sort()).toEqual([await addressOf(account), 'pay@example.dk'].sort());
  await owner.ask({ method: 'PUT', url: '/v1/me/alarm', payload: { units: null } });
  expect((await owner.ask({ url: '/v1/me/alarm' })).json()).toMatchObject({ units: null });
});

/** Speaks as much SMTP as a letter takes, without TLS. */
async function startSmtp(host: string) {
  const heard: string[] = [];
  const server = createServer((socket) => {
    let isLetter = false;
    socket.write('220 mail.example ESMTP\r\n');
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      const text = chunk.toString();
      heard.push(text);
      if (isLetter && !text.endsWith('\r\n.\r\n')) return;
      if (text.startsWith('DATA')) isLetter = true;
      else if (text.endsWith('\r\n.\r\n')) isLetter = false;
      if (text.startsWith('STARTTLS')) socket.write('502 no\r\n');
      else socket.write(isLetter ? '354 go on\r\n' : '250 mail.example\r\n');
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { heard, server, address: `${host}:${port}` };
}

const LETTER = { to: 'a@example.dk', subject: 'Æ', text: 'hemmeligt' };

test('a letter is handed to a server of this machine, with its reader alone as recipient', async () => {
  const { heard, server, address } = await startSmtp('127.0.0.1');
  const settings = { from: 'Geo <geo@example.dk>', smtpUrl: `smtp://${address}` };
  await createMail(settings, systemClock)(LETTER);
  expect(heard.join('')).toMatch(
    /MAIL FROM:<geo@example.dk>[\s\S]*RCPT TO:<a@example.dk>\r\nDATA[\s\S]*hemmeligt/,
  );
  expect(heard.join('').match(/RCPT TO/g)).toHaveLength(1);
  server.close();
});

test('over a network a letter is not handed to a server without TLS', async () => {
  const { heard, server, address } = await startSmtp('127.0.0.2');
  const settings = { from: 'geo@example.dk', smtpUrl: `smtp://user:secret@${address}` };
  await expect(createMail(settings, systemClock)(LETTER)).rejects.toMatchObject({ code: 'ETLS' });
  expect(heard.join('')).not.toMatch(/hemmeligt|secret|c2VjcmV0|MAIL FROM/);
  server.close();
});
