/**
 * Dispatchers killed in the middle, over and over, while receivers answer well, badly, late and half:
 * every event arrives, or has failed after five attempts on record, and none is sent a sixth time.
 */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createResolver } from '../../src/webhooks/resolver.ts';
import { eventually } from '../account/accounts-fixture.ts';
import { TEST_SEED, amountOf } from '../support/run-settings.ts';
import { openTestStore } from '../support/store.ts';
import type { TestStore } from '../support/store.ts';
import { makeAuthority } from './certificates.ts';
import type { Authority } from './certificates.ts';
import { fastClock } from './dispatch-process.ts';
import type { DispatchSettings } from './dispatch-process.ts';
import { startDns } from './dns-server.ts';
import type { DnsServer } from './dns-server.ts';
import { startReceiver } from './receiver.ts';
import type { Receiver } from './receiver.ts';
import { webhookBench } from './webhook-bench.ts';
import type { WebhookBench } from './webhook-bench.ts';

const KILLS = amountOf({ gate: 20, night: 100 });
const PROCESS = join(import.meta.dirname, 'dispatch-process.ts');
/** The whole schedule in nine seconds. */
const SPEED = 1_000;
const ATTEMPT_MS = 600;
const LEASE_MS = 1_200;

let store: TestStore;
let authority: Authority;
let dns: DnsServer;
let receiver: Receiver;
let bench: WebhookBench;
const children = new Set<ChildProcess>();
const clock = { realMs: Date.now(), toldMs: Date.UTC(2026, 10, 30, 22), speed: SPEED };

beforeAll(async () => {
  store = await openTestStore();
  authority = makeAuthority();
  dns = await startDns({ 'hooks.example': ['127.0.0.1'] });
  receiver = await startReceiver(authority.issue('DNS:hooks.example'));
  receiver.answer = (response, { path }) => {
    const kind = path === '/mixed' ? KINDS[Math.floor(random() * KINDS.length)]! : path.slice(1);
    if (kind === 'late') setTimeout(() => response.end(), ATTEMPT_MS * (0.5 + random()));
    else if (kind === 'half') {
      response.writeHead(200, { 'content-length': '100' }).write('half');
      setTimeout(() => response.socket?.destroy(), 20);
    } else response.writeHead(kind === 'bad' ? 500 : 200).end();
  };
  bench = webhookBench(
    store,
    { resolve: createResolver(dns.servers), ca: authority.ca },
    { clock: fastClock(clock), settings: { webhooks: false } },
  );
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await bench.close();
  await receiver.close();
  await dns.close();
  await store.close();
});

const KINDS = ['good', 'bad', 'late', 'half'] as const;

let state = TEST_SEED;
function random(): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
}

async function startDispatcher(): Promise<ChildProcess> {
  const settings: DispatchSettings = {
    databaseUrl: store.databaseUrl,
    dataDir: store.dataDir,
    dns: dns.servers,
    ca: authority.ca,
    attemptMs: ATTEMPT_MS,
    times: { pollMs: 20, sweepMs: 100, leaseMs: LEASE_MS },
    clock,
  };
  const child = fork(PROCESS, {
    execPath: process.execPath,
    env: { ...process.env, DISPATCH_SETTINGS: JSON.stringify(settings) },
  });
  children.add(child);
  child.once('exit', () => children.delete(child));
  await once(child, 'message');
  return child;
}

async function tell(accountId: string): Promise<void> {
  await store.pool.query(
    `insert into account_event (account_id, event, data, created_at)
     values ($1, 'key.revoked', '{"key_id":"key_x"}', $2)`,
    [accountId, new Date(fastClock(clock).nowMs()).toISOString()],
  );
}

test(`two dispatchers killed ${KILLS} times lose nothing and send nothing a sixth time`, async () => {
  const account = await bench.accounts.account('pro');
  const endpoints = new Map<string, string>();
  for (const kind of [...KINDS, 'mixed']) {
    const url = `https://hooks.example:${receiver.port}/${kind}`;
    endpoints.set((await bench.register(account, url)).id, kind);
  }
  const running = await Promise.all([startDispatcher(), startDispatcher()]);
  let told = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    await tell(account);
    told += 1;
    await sleep(random() * 400);
    const which = kill % 2;
    running[which]?.kill('SIGKILL');
    running[which] = await startDispatcher();
  }
  const left = async () => {
    const { rows } = await store.pool.query<{ count: number }>(
      `select count(*) as count from webhook_delivery where status = 'pending'`,
    );
    return rows[0]?.count;
  };
  await eventually(async () => (await left()) === 0, 90_000);
  const sent = Map.groupBy(receiver.received, ({ headers }) => String(headers['webhook-id']));
  let onRecord = 0;
  let interrupted = 0;
  for (const [id, kind] of endpoints) {
    const rows = await bench.rows(id);
    expect(rows, kind).toHaveLength(told);
    for (const row of rows) {
      const seen = sent.get(row.id) ?? [];
      onRecord += row.attempts;
      expect(row.attempts).toBeLessThanOrEqual(5);
      // Never more than is on record; fewer only where a process died before its request left.
      expect(seen.length, `${kind} ${row.id}`).toBeLessThanOrEqual(row.attempts);
      interrupted += row.attempts - seen.length;
      for (const { body } of seen) expect(body).toBe(row.body);
      if (row.status === 'success') expect(seen.length).toBeGreaterThan(0);
      else expect(row).toMatchObject({ status: 'failed', attempts: 5 });
      if (kind === 'bad' || kind === 'half') expect(row.status).toBe('failed');
    }
    // A living receiver is told everything, unless each of five attempts fell into a kill.
    if (kind === 'good') expect(rows.filter(({ status }) => status !== 'success')).toEqual([]);
  }
  // Each kill interrupts what is under way, four to one address at most.
  expect(interrupted).toBeLessThanOrEqual(4 * KILLS);
  expect(receiver.received).toHaveLength(onRecord - interrupted);
}, 240_000);
