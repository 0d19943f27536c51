/** Webhooks over both stores: what is emitted, sent, tried again and given up, to real receivers. */
import { createHmac } from 'node:crypto';
import { createServer as createProxy } from 'node:http';
import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { once } from 'node:events';
import { sql } from 'kysely';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WEBHOOK_LIMITS } from '../../src/webhooks/limits.ts';
import { createResolver } from '../../src/webhooks/resolver.ts';
import { createSealer } from '../../src/webhooks/seal.ts';
import { NEW_SECRET } from '../../src/webhooks/webhooks.ts';
import { GOOD, METRES, addJob } from '../jobs/job-bench.ts';
import { sharedStore } from '../support/store.ts';
import { makeAuthority } from '../webhooks/certificates.ts';
import { startDns } from '../webhooks/dns-server.ts';
import { startReceiver, status } from '../webhooks/receiver.ts';
import type { Receiver } from '../webhooks/receiver.ts';
import { WEBHOOK_KEY, webhookBench } from '../webhooks/webhook-bench.ts';
import type { WebhookBench } from '../webhooks/webhook-bench.ts';
import { until } from '../support/until.ts';
import { opened } from '../support/opened.ts';
import { listening } from '../support/free-port.ts';

const MINUTE = 60_000;

let receiver: Receiver;
let bench: WebhookBench;
let answers = ['127.0.0.1'];
const store = await sharedStore();
const authority = makeAuthority();
const dns = await opened(
  startDns({
    'hooks.example': ['127.0.0.1'],
    'turning.example': () => answers,
    'silent.example': 'silence',
    'mixed.example': ['93.184.215.14', '127.0.0.1'],
    'alias.example': ['cname:localhost', '127.0.0.1'],
  }),
);
const network = { resolve: createResolver(dns.servers), ca: authority.ca };
const certificate = authority.issue('DNS:hooks.example', 'DNS:turning.example');
beforeEach(async () => {
  receiver = await startReceiver(certificate);
  bench = webhookBench(store, network);
});
afterEach(async () => {
  await bench.close();
  await receiver.close();
  await sql`delete from webhook_delivery`.execute(store.db);
  await sql`delete from webhook_endpoint`.execute(store.db);
});

const urlOf = (name = 'hooks.example', path = '/hook?a=1') =>
  `https://${name}:${receiver.port}${path}`;

async function subscribed(url = urlOf()) {
  const account = await bench.accounts.account('pro');
  const { id, secret } = await bench.register(account, url);
  return { account, id, secret };
}

async function tell(account: string): Promise<void> {
  await bench.accounts.key(account);
  await bench.idle();
}

/** So many deliveries of an endpoint that are not due, one made each second. */
const waiting = (id: string, count: number) =>
  sql`insert into webhook_delivery (id, endpoint_id, event, body, created_at, next_attempt_at)
    select new_webhook_delivery_id(), ${id}, 'key.created', '{}',
      '2026-11-20'::timestamptz + n * interval '1 s', '2099-01-01'
    from generate_series(1, ${count}::integer) n`.execute(store.db);

async function sent(url?: string) {
  const made = await subscribed(url);
  bench.start();
  await tell(made.account);
  return made;
}

function failed() {
  receiver.answer = status(500);
  return sent();
}

describe('an event', () => {
  test('is sent to whoever subscribed, as the document says, and verified by other people’s code', async () => {
    const { account, id, secret } = await subscribed();
    const others = await bench.register(account, urlOf('hooks.example', '/other'), ['key.revoked']);
    const strangers = await subscribed(urlOf('hooks.example', '/stranger'));
    bench.start();
    const { key } = await bench.accounts.key(account, { name: 'Æblegrød "🍎"' });
    await bench.idle();
    expect(receiver.received).toHaveLength(1);
    const received = receiver.received[0]!;
    const row = (await bench.rows(id))[0]!;
    expect(await bench.rows(others.id)).toEqual([]);
    expect(await bench.rows(strangers.id)).toEqual([]);
    expect(received.path).toBe('/hook?a=1');
    expect(received.body).toBe(row.body);
    expect(JSON.parse(received.body)).toEqual({
      id: row.id,
      event: 'key.created',
      created: new Date(bench.clock.nowMs()).toISOString(),
      data: { key_id: key.id, name: key.name, permission: 'read', prefix: key.prefix },
    });
    expect(row).toMatchObject({
      status: 'success',
      attempts: 1,
      last_status_code: 200,
      last_error: null,
      next_attempt_at: null,
    });
    expect(received.headers).toMatchObject({
      host: `hooks.example:${receiver.port}`,
      'content-type': 'application/json',
      'user-agent': 'Service-Webhooks/1.0',
      'x-service-event': 'key.created',
      'x-service-delivery': row.id,
      'webhook-id': row.id,
    });
    const headers = received.headers as Record<string, string>;
    // The bench's clock stands still in another year, which the judge's `verify` would not take.
    const at = new Date(Number(headers['webhook-timestamp']) * 1000);
    const signature = new StandardWebhook(secret).sign(row.id, at, received.body);
    expect(signature).toBe(headers['webhook-signature']);
  });

  test('of each kind has exactly the documented fields', async () => {
    const { account, id } = await subscribed();
    const { key } = await bench.accounts.key(account);
    await bench.accounts.keyAdmin.revoke(account, key.id);
    await bench.accounts.accounts.setTier(account, 'business');
    await sql`select note_thresholds(${account}, '2026-11-01', 850000, now(),
      array['business'], array[1000000])`.execute(store.db);
    const sent = (await bench.rows(id)).map(({ event, body }) => {
      const parsed = JSON.parse(body) as { event: string; data: Record<string, unknown> };
      expect(Object.keys(parsed)).toEqual(['id', 'event', 'created', 'data']);
      expect(parsed.event).toBe(event);
      return { event, fields: Object.keys(parsed.data).sort() };
    });
    expect(sent).toHaveLength(4);
    expect(sent).toEqual(
      expect.arrayContaining([
        { event: 'key.created', fields: ['key_id', 'name', 'permission', 'prefix'] },
        { event: 'key.revoked', fields: ['key_id'] },
        { event: 'subscription.updated', fields: ['tier'] },
        {
          event: 'usage.threshold',
          fields: ['allowance', 'month', 'threshold_pct', 'tier', 'used'],
        },
      ]),
    );
  });
});

describe('a delivery that fails', () => {
  test('is tried again after exactly the waits of the document, five times and never a sixth', async () => {
    const { account, id } = await subscribed();
    receiver.answer = status(500);
    bench.start();
    const beganMs = bench.clock.nowMs();
    await bench.accounts.key(account);
    const waits = [1, 5, 30, 120].map((minutes) => minutes * MINUTE);
    for (const [index, waitMs] of waits.entries()) {
      await bench.idle();
      const [row] = await bench.rows(id);
      expect(row).toMatchObject({
        status: 'pending',
        attempts: index + 1,
        last_status_code: 500,
        last_error: 'status 500',
      });
      expect(row?.next_attempt_at?.getTime()).toBe(bench.clock.nowMs() + waitMs);
      // A second before it is due nothing leaves.
      bench.clock.turn(waitMs - 1_000);
      bench.dispatcher?.nudge();
      await bench.idle();
      expect(receiver.received).toHaveLength(index + 1);
      bench.clock.turn(1_000);
    }
    await bench.idle();
    expect(bench.clock.nowMs() - beganMs).toBe(156 * MINUTE);
    const [row] = await bench.rows(id);
    expect(row).toMatchObject({ status: 'failed', attempts: 5, next_attempt_at: null });
    bench.clock.turn(1_000 * MINUTE);
    await bench.idle();
    const bodies = new Set(receiver.received.map(({ body }) => body));
    const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
    const stamps = new Set(receiver.received.map(({ headers }) => headers['webhook-timestamp']));
    expect([receiver.received.length, bodies.size, ids.size, stamps.size]).toEqual([5, 1, 1, 5]);
    await expect
      .poll(() => bench.dispatcher?.view())
      .toMatchObject({ failed: 5, abandoned: 1, succeeded: 0 });
  });

  test.each([
    ['410', status(410), 410, 'status 410'],
    ['429 with Retry-After', status(429, { 'retry-after': '1' }), 429, 'status 429'],
    ['a connection that breaks', (response) => response.socket?.destroy(), null, 'connection lost'],
    [
      'a body that breaks off',
      (response) => {
        response.writeHead(200, { 'content-length': '100' }).write('x');
        setTimeout(() => response.socket?.destroy(), 20);
      },
      200,
      'connection lost',
    ],
    ['too long a head', status(200, { 'x-long': 'x'.repeat(17 * 1024) }), null, 'answer too large'],
  ] as const satisfies readonly (readonly [string, Receiver['answer'], number | null, string])[])(
    'by %s waits as for any other failure',
    async (_, answer, code, error) => {
      receiver.answer = answer;
      const { id } = await sent();
      const [row] = await bench.rows(id);
      expect(row).toMatchObject({
        status: 'pending',
        attempts: 1,
        last_status_code: code,
        last_error: error,
      });
      expect(row?.next_attempt_at?.getTime()).toBe(bench.clock.nowMs() + MINUTE);
      expect(receiver.received).toHaveLength(1);
    },
  );

  test('succeeds in the end where the receiver comes back, on the fifth attempt as well', async () => {
    receiver.answer = status(503);
    const { id } = await sent();
    for (const minutes of [1, 5, 30]) {
      bench.clock.turn(minutes * MINUTE);
      await bench.idle();
    }
    receiver.answer = status(204);
    bench.clock.turn(120 * MINUTE);
    await bench.idle();
    expect(await bench.rows(id)).toMatchObject([
      { status: 'success', attempts: 5, last_status_code: 204, last_error: null },
    ]);
  });

  test('is due again by its wait although the clock went back meanwhile', async () => {
    const { id } = await failed();
    bench.clock.turn(-3_600_000);
    bench.dispatcher?.nudge();
    await until(async () => {
      const [row] = await bench.rows(id);
      return row?.next_attempt_at?.getTime() === bench.clock.nowMs() + MINUTE;
    });
    expect(receiver.received).toHaveLength(1);
    bench.clock.turn(MINUTE);
    await bench.idle();
    expect(receiver.received).toHaveLength(2);
  });

  test.each([
    ['is not for its name', () => authority.issue('DNS:other.example')],
    ['nobody known has signed', () => makeAuthority().issue('DNS:hooks.example')],
  ])('is no success by a certificate that %s', async (_, issue) => {
    await receiver.close();
    receiver = await startReceiver(issue());
    const { id } = await sent();
    expect(await bench.rows(id)).toMatchObject([{ last_error: 'TLS failed', attempts: 1 }]);
    expect(receiver.received).toEqual([]);
  });

  test('tells of a refused connection', async () => {
    const { account, id } = await subscribed();
    await receiver.close();
    bench.start();
    await tell(account);
    expect(await bench.rows(id)).toMatchObject([{ last_error: 'connection refused' }]);
    receiver = await startReceiver(certificate);
  });
});

describe('a receiver that takes its time', () => {
  const sockets = new Set<Socket>();
  let slow: Server;
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    slow.close();
    await once(slow, 'close');
  });

  test('is given ten seconds over everything: a handshake that stalls, an answer that drips, a name', async () => {
    // Says nothing at all, so that TLS never begins.
    slow = createServer((socket) => sockets.add(socket.on('error', () => undefined)));
    const port = await listening(slow);
    const account = await bench.accounts.account('pro');
    const stalls = await bench.register(account, `https://hooks.example:${port}/`);
    const drips = await bench.register(account, urlOf('hooks.example', '/drip'));
    const endless = await bench.register(account, urlOf('hooks.example', '/endless'));
    const nameless = await bench.register(account, urlOf());
    await sql`update webhook_endpoint set url = 'https://silent.example/', host = 'silent.example'
      where id = ${nameless.id}`.execute(store.db);
    receiver.answer = (response, { path }) => {
      response.writeHead(200);
      const isEndless = path === '/endless';
      const write = (): void => {
        if (response.destroyed) return;
        response.write('x'.repeat(isEndless ? 16 * 1024 : 1));
        setTimeout(write, isEndless ? 1 : 300).unref();
      };
      write();
    };
    bench.start();
    const beganMs = performance.now();
    await tell(account);
    const tookMs = performance.now() - beganMs;
    expect(tookMs).toBeGreaterThan(WEBHOOK_LIMITS.attemptMs - 1_000);
    const ended = async (id: string) => (await bench.rows(id))[0];
    expect(await ended(stalls.id)).toMatchObject({ attempts: 1, status: 'pending' });
    expect((await ended(stalls.id))?.last_error).toMatch(/timeout|connection lost/);
    expect(await ended(drips.id)).toMatchObject({ last_status_code: 200, last_error: 'timeout' });
    // What is longer than is read is cut off: the status was there.
    expect(await ended(endless.id)).toMatchObject({ status: 'success', last_status_code: 200 });
    expect((await ended(nameless.id))?.last_error).toMatch(/timeout|name not resolved/);
  });
});

describe('an address that was judged', () => {
  test('is the one that is connected to, whatever the name says between check and connect', async () => {
    const other = await startReceiver(certificate, { host: '127.0.0.2', port: receiver.port });
    await bench.close();
    const permits = (address: string): boolean => {
      // From the moment it is judged the name says something else.
      answers = ['127.0.0.1'];
      return address === '127.0.0.2';
    };
    bench = webhookBench(store, { ...network, permits });
    answers = ['127.0.0.2'];
    const { account, id } = await subscribed(urlOf('turning.example'));
    expect(answers).toEqual(['127.0.0.1']);
    answers = ['127.0.0.2'];
    bench.start();
    await tell(account);
    expect(await bench.rows(id)).toMatchObject([{ status: 'success', attempts: 1 }]);
    expect([other.received.length, receiver.connections]).toEqual([1, 0]);
    await other.close();
  });

  test('is the last: a redirect to a listener of this machine reaches nobody', async () => {
    const inside = await startReceiver(certificate);
    const { account, id } = await subscribed();
    bench.start();
    for (const code of [301, 302, 303, 307, 308]) {
      receiver.answer = status(code, { location: `https://hooks.example:${inside.port}/` });
      await tell(account);
    }
    const ended = (await bench.rows(id)).map(({ last_error }) => last_error).toSorted();
    expect(ended).toEqual([301, 302, 303, 307, 308].map((code) => `status ${code}`));
    expect(inside.connections).toBe(0);
    await inside.close();
  });
});

const INSIDE = [
  ...['127.0.0.1', '127.1', '2130706433', '0x7f.1', '0177.0.0.1', '0.0.0.0', '0', '[::1]', '[::]'],
  ...['[::ffff:127.0.0.1]', '[::7f00:1]', '[64:ff9b::7f00:1]', 'localhost', 'localhost.'],
  ...['127.0.0.1.', 'hooks.example', 'mixed.example', 'alias.example', 'user@hooks.example'],
];

test('what leads inside reaches no listener on loopback: neither registered, nor at an attempt, nor by a redirect', async () => {
  await bench.close();
  bench = webhookBench(store, { ...network, permits: () => false });
  const account = await bench.accounts.account('pro');
  const ids: string[] = [];
  for (const [index, host] of INSIDE.entries()) {
    const url = `https://${host}:${receiver.port}/`;
    await expect(bench.register(account, url), host).rejects.toMatchObject({
      type: 'invalid_request',
    });
    // As if it had been let in once: it is judged at every attempt.
    const id = `webhook_${'abcdefghijklmnopqrstuvwxyz'[index]}${'a'.repeat(19)}`;
    ids.push(id);
    await sql`insert into webhook_endpoint (id, account_id, url, host, events, secret_prefix,
          sealed_secret, created_at)
        values (${id}, ${account}, ${url}, ${host}, '{key.created}', 'whsec_abcd',
          ${createSealer([Buffer.from(WEBHOOK_KEY, 'base64')]).seal('whsec_x', id)}, now())`.execute(
      store.db,
    );
  }
  bench.start();
  await tell(account);
  for (const [index, id] of ids.entries()) {
    expect(await bench.rows(id), INSIDE[index]).toMatchObject([
      { status: 'pending', attempts: 1, last_error: 'address not allowed' },
    ]);
    const ping = await bench.webhooks.ping(account, id).catch((error: unknown) => error);
    if (index < WEBHOOK_LIMITS.pings.limit) expect(ping).toMatchObject({ status: 'failed' });
    else expect(ping).toMatchObject({ type: 'rate_limited' });
  }
  expect(receiver.connections).toBe(0);
  expect(receiver.received).toEqual([]);
});

test('a proxy takes every delivery through CONNECT, and the name is judged all the same', async () => {
  const asked: string[] = [];
  const proxy = createProxy();
  proxy.on('connect', (request, socket: Socket) => {
    asked.push(`${request.url} ${request.headers['proxy-authorization']}`);
    const through = connect(receiver.port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      through.pipe(socket).pipe(through);
    });
    for (const each of [socket, through]) each.on('error', () => socket.destroy());
  });
  const port = await listening(proxy);
  await bench.close();
  const settings = { webhookProxy: `http://hooks:geheim@127.0.0.1:${port}` };
  bench = webhookBench(store, network, { settings });
  const { account, id } = await subscribed();
  bench.start();
  await tell(account);
  expect(await bench.rows(id)).toMatchObject([{ status: 'success', last_status_code: 200 }]);
  const basic = Buffer.from('hooks:geheim').toString('base64');
  expect(asked).toEqual([`hooks.example:${receiver.port} Basic ${basic}`]);
  await expect(bench.register(account, 'https://10.0.0.1/')).rejects.toMatchObject({
    type: 'invalid_request',
  });
  await bench.close();
  bench = webhookBench(store, network);
  proxy.closeAllConnections();
  proxy.close();
});

describe('an endpoint', () => {
  test('that is disabled gets nothing new, keeps what waits, and has it at once when enabled', async () => {
    const { account, id } = await failed();
    await bench.webhooks.change(account, id, { enabled: false });
    bench.clock.turn(10 * MINUTE);
    await bench.accounts.key(account);
    bench.dispatcher?.nudge();
    await bench.idle();
    expect(receiver.received).toHaveLength(1);
    expect(await bench.rows(id)).toMatchObject([{ status: 'pending', attempts: 1 }]);
    receiver.answer = status(200);
    await bench.webhooks.change(account, id, { enabled: true });
    await bench.idle();
    expect(await bench.rows(id)).toMatchObject([{ status: 'success', attempts: 2 }]);
  });

  test('that is removed gets nothing more, and its secret is gone', async () => {
    const { account, id } = await failed();
    await bench.webhooks.remove(account, id);
    bench.clock.turn(10 * MINUTE);
    await tell(account);
    expect(receiver.received).toHaveLength(1);
    expect(await bench.rows(id)).toMatchObject([
      { status: 'failed', attempts: 1, last_error: 'endpoint removed' },
    ]);
    const { rows } = await sql<{ sealed_secret: Buffer | null }>`
      select sealed_secret from webhook_endpoint where id = ${id}`.execute(store.db);
    expect(rows).toEqual([{ sealed_secret: null }]);
    await expect(bench.webhooks.deliveries(account, id)).rejects.toMatchObject({
      type: 'not_found',
    });
  });

  test('of an account that is closed has one attempt for each key that ends with it', async () => {
    const { account, id } = await failed();
    await bench.accounts.accounts.close(account);
    await bench.idle();
    bench.clock.turn(1_000 * MINUTE);
    await bench.idle();
    expect(await bench.rows(id)).toMatchObject([
      { event: 'key.created', status: 'failed', attempts: 1, last_error: 'account closed' },
      { event: 'key.revoked', status: 'failed', attempts: 1, last_error: 'status 500' },
    ]);
    expect(receiver.received).toHaveLength(2);
  });

  test('keeps at most so many waiting: the oldest fails', async () => {
    const { account, id } = await subscribed();
    await bench.webhooks.change(account, id, { url: urlOf('hooks.example', '/full') });
    const { backlog } = WEBHOOK_LIMITS;
    await waiting(id, backlog);
    await bench.accounts.key(account);
    const { rows } = await sql<{ at: Date; last_error: string; waiting: number }>`
      select created_at as at, last_error, (select count(*) from webhook_delivery
        where endpoint_id = ${id} and status = 'pending') as waiting
      from webhook_delivery where endpoint_id = ${id} and status = 'failed'`.execute(store.db);
    expect(rows).toEqual([
      { at: new Date('2026-11-20T00:00:01Z'), last_error: 'backlog', waiting: backlog },
    ]);
    // The one constant that stands in SQL as well.
    const { rows: defined } = await sql<{ source: string }>`
      select prosrc as source from pg_proc where proname = 'emit_webhooks'`.execute(store.db);
    expect(defined[0]?.source).toContain(`trim_webhook_backlog(endpoint.id, ${backlog})`);
  });
});

describe('the log', () => {
  test('keeps what has ended for 30 days, and what waits for as long as it waits', async () => {
    const { account, id } = await sent();
    receiver.answer = status(500);
    await tell(account);
    await bench.webhooks.change(account, id, { enabled: false });
    bench.clock.turn(WEBHOOK_LIMITS.logKeptMs - 1);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await bench.rows(id)).toHaveLength(2);
    bench.clock.turn(2);
    await until(async () => (await bench.rows(id)).length === 1);
    expect(await bench.rows(id)).toMatchObject([{ status: 'pending' }]);
  });

  test('shows the latest hundred, newest first', async () => {
    const { account, id } = await subscribed();
    await waiting(id, 101);
    const shown = await bench.webhooks.deliveries(account, id);
    expect(shown.map(({ createdAtMs }) => createdAtMs)).toEqual(
      Array.from({ length: 100 }, (_, n) => Date.UTC(2026, 10, 20, 0, 0, 101 - n)),
    );
  });
});

describe('a secret', () => {
  test('lies in the store sealed, and is in no line of the log', async () => {
    const { id, secret } = await subscribed();
    const { rows } = await sql<{ text: string; sealed: Buffer }>`
      select e::text as text, sealed_secret as sealed from webhook_endpoint e
      where id = ${id}`.execute(store.db);
    expect(rows[0]?.text).not.toContain(secret.slice(10, 30));
    expect(rows[0]?.sealed.includes(Buffer.from(secret.slice(10, 30)))).toBe(false);
    expect(bench.logged.join('\n')).not.toContain(secret.slice(10, 30));
  });

  test('that cannot be read here costs no attempt: its deliveries wait, and the log says why', async () => {
    const { account, id } = await subscribed();
    await bench.close();
    const settings = { webhookKey: Buffer.alloc(32, 9).toString('base64') };
    bench = webhookBench(store, network, { settings });
    bench.start();
    await bench.accounts.key(account);
    await until(() => bench.logged.length > 0);
    await bench.idle();
    expect(await bench.rows(id)).toMatchObject([{ status: 'pending', attempts: 0 }]);
    expect(bench.logged.join()).toContain('WEBHOOK_KEY');
    expect(receiver.received).toEqual([]);
  });
});

test('the places are two for one endpoint and four for one address, however much is due', async () => {
  const account = await bench.accounts.account('pro');
  const endpoints = await Promise.all(
    [1, 2, 3, 4].map((n) =>
      bench.register(account, urlOf('hooks.example', `/${n}`), ['key.created']),
    ),
  );
  for (let n = 0; n < 6; n++) await bench.accounts.key(account);
  let open = 0;
  let most = 0;
  const each = new Map<string, number>();
  let mostEach = 0;
  receiver.answer = (response, { path }) => {
    open += 1;
    each.set(path, (each.get(path) ?? 0) + 1);
    most = Math.max(most, open);
    mostEach = Math.max(mostEach, each.get(path) ?? 0);
    setTimeout(() => {
      open -= 1;
      each.set(path, (each.get(path) ?? 0) - 1);
      response.end();
    }, 30);
  };
  bench.start();
  await bench.idle();
  for (const { id } of endpoints) {
    expect((await bench.rows(id)).filter((row) => row.status === 'success')).toHaveLength(6);
  }
  expect([most, mostEach]).toEqual([4, 2]);
});

describe('a new secret', () => {
  const DAY_MS = 24 * 60 * MINUTE;
  const { pauseMs, overlapMs } = NEW_SECRET;
  const kept = async (id: string): Promise<number> => {
    const { rows } = await sql<{ kept: number }>`
      select num_nonnulls(sealed_secret, former_secret)::integer as kept
      from webhook_endpoint where id = ${id}`.execute(store.db);
    return rows[0]!.kept;
  };
  const sentBy = async (account: string, secrets: readonly string[]) => {
    receiver.received.length = 0;
    await tell(account);
    const { headers, body } = receiver.received[0]! as unknown as {
      headers: Record<string, string>;
      body: string;
    };
    const at = new Date(Number(headers['webhook-timestamp']) * 1000);
    const signatures = secrets.map((secret) =>
      new StandardWebhook(secret).sign(headers['webhook-id']!, at, body),
    );
    return {
      standard: headers['webhook-signature']!.split(' ').map((each) => signatures.indexOf(each)),
      document: secrets.findIndex(
        (secret) =>
          headers['x-service-signature'] ===
          `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
      ),
    };
  };

  test('holds at once, the one before beside it for a day; then that is gone from the store', async () => {
    expect(overlapMs).toBe(DAY_MS);
    const { account, id, secret } = await subscribed();
    bench.start();
    const renewed = await bench.webhooks.renewSecret(account, id);
    expect(renewed.secret).toMatch(/^whsec_/);
    expect(renewed.endpoint).toMatchObject({ id, secretPrefix: renewed.secret.slice(0, 10) });
    const both = [renewed.secret, secret];
    expect(await sentBy(account, both)).toEqual({ standard: [0, 1], document: 0 });
    await bench.webhooks.ping(account, id);
    const { headers } = receiver.received.at(-1)!;
    expect(String(headers['webhook-signature']).split(' ')).toHaveLength(2);
    bench.clock.turn(DAY_MS - 1);
    expect(await sentBy(account, both)).toEqual({ standard: [0, 1], document: 0 });
    expect(await kept(id)).toBe(2);
    bench.clock.turn(1);
    expect(await sentBy(account, both)).toEqual({ standard: [0], document: 0 });
    await until(async () => (await kept(id)) === 1);
  });

  test('takes the place of the older of two', async () => {
    const { account, id, secret } = await subscribed();
    bench.start();
    const first = await bench.webhooks.renewSecret(account, id);
    // Not sooner, and not by others: webhooks-http.test.ts.
    bench.clock.turn(pauseMs);
    const second = await bench.webhooks.renewSecret(account, id);
    const all = [second.secret, first.secret, secret];
    expect(await sentBy(account, all)).toEqual({ standard: [0, 1], document: 0 });
    bench.clock.turn(DAY_MS);
    expect(await sentBy(account, all)).toEqual({ standard: [0], document: 0 });
  });

  test('goes with its endpoint, and is sealed anew with the one before', async () => {
    const { account, id, secret } = await subscribed();
    const renewed = await bench.webhooks.renewSecret(account, id);
    await bench.close();
    const old = Buffer.alloc(32, 7).toString('base64');
    const fresh = Buffer.alloc(32, 9).toString('base64');
    const sealed = async () =>
      (
        await sql<{ both: string }>`
          select encode(substr(sealed_secret, 2, 4), 'hex') || encode(substr(former_secret, 2, 4), 'hex')
            as both
          from webhook_endpoint where id = ${id}`.execute(store.db)
      ).rows[0]!.both;
    const before = await sealed();
    bench = webhookBench(store, network, { settings: { webhookKey: fresh, webhookKeyOld: old } });
    bench.start();
    await until(async () => {
      const now = await sealed();
      return now.slice(0, 8) !== before.slice(0, 8) && now.slice(8) !== before.slice(8);
    });
    await bench.close();
    bench = webhookBench(store, network, { settings: { webhookKey: fresh } });
    bench.start();
    expect(await sentBy(account, [renewed.secret, secret])).toEqual({
      standard: [0, 1],
      document: 0,
    });
    await bench.webhooks.remove(account, id);
    expect(await kept(id)).toBe(0);
  });
});

describe('the end of a job', () => {
  const job = async (account: string) => {
    const { key } = await bench.accounts.key(account);
    const status = 'running';
    const rows = Array(3).fill(GOOD);
    const id = await addJob(store, { ...METRES, accountId: account, keyId: key.id, rows, status });
    await sql`update job set label = 'Øer', succeeded = 2, failed = 1, billed_units = 2
      where id = ${id}`.execute(store.db);
    return id;
  };
  const end = (id: string, status: string, error: string | null = null) =>
    store.pool.query('update job set status = $2, error = $3, completed_at = now() where id = $1', [
      id,
      status,
      error,
    ]);
  const told = async (id: string) =>
    (await bench.rows(id))
      .filter(({ event }) => event.startsWith('job.'))
      .map(({ event, body }) => [event, (JSON.parse(body) as { data: unknown }).data]);

  test('is told once, with exactly its fields; of a job that is cancelled nothing is', async () => {
    const account = await bench.accounts.account('pro');
    const { id } = await bench.register(account, urlOf(), ['job.completed', 'job.failed']);
    const done = await job(account);
    await end(done, 'completed');
    await end(done, 'completed');
    const failed = await job(account);
    await end(failed, 'failed', 'Der var noget.');
    await end(await job(account), 'cancelled');
    await end(await job(account), 'paused');
    const about = { kind: 'dagi', label: 'Øer' };
    expect(await told(id)).toEqual([
      [
        'job.completed',
        { job_id: done, ...about, total_rows: 3, succeeded: 2, failed: 1, billed_units: 2 },
      ],
      ['job.failed', { job_id: failed, ...about, error: 'Der var noget.' }],
    ]);
  });

  test('is told to who asks for it alone, and leaves no row where nobody does', async () => {
    const account = await bench.accounts.account('pro');
    const other = await bench.register(account, urlOf(), ['key.created', 'job.failed']);
    await end(await job(account), 'completed');
    expect(await told(other.id)).toEqual([]);
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from account_event
      where account_id = ${account} and event = 'job.completed'`.execute(store.db);
    expect(rows[0]?.count).toBe(0);
  });

  test('that is taken back with its transaction was none', async () => {
    const account = await bench.accounts.account('pro');
    const { id } = await bench.register(account, urlOf(), ['job.completed']);
    const taken = await job(account);
    await store.db
      .transaction()
      .execute(async (db) => {
        await sql`update job set status = 'completed' where id = ${taken}`.execute(db);
        throw new Error('killed');
      })
      .catch(() => undefined);
    expect(await told(id)).toEqual([]);
    await end(taken, 'completed');
    expect(await told(id)).toHaveLength(1);
  });
});
