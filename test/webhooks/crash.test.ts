/**
 * Dispatchers killed in the middle, over and over, while receivers answer well, badly, late and half, and on
 * PostgreSQL the database restarted midway: every event arrives, or has failed after five attempts on record,
 * and none is sent a sixth time. WEBHOOK_CRASHES sets how often.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, inject, test } from 'vitest';
import { randomFrom } from '../../src/snapshot/probes.ts';
import { createResolver } from '../../src/webhooks/resolver.ts';
import { openStoreOn, restart, startVictim } from '../support/crash-kit.ts';
import type { Victim } from '../support/crash-kit.ts';
import { findPostgres } from '../support/postgres-binaries.ts';
import { startCluster } from '../support/postgres-cluster.ts';
import { HANG_MS, TEST_SEED, amountOf } from '../support/run-settings.ts';
import { openTestStore } from '../support/store.ts';
import { until } from '../support/until.ts';
import { makeAuthority } from './certificates.ts';
import { fastClock } from './dispatch-process.ts';
import type { DispatchSettings } from './dispatch-process.ts';
import { startDns } from './dns-server.ts';
import { startReceiver } from './receiver.ts';
import { webhookBench } from './webhook-bench.ts';
import { opened } from '../support/opened.ts';

const KILLS = Number(process.env['WEBHOOK_CRASHES'] ?? amountOf({ gate: 2, night: 100 }));
const PROCESS = join(import.meta.dirname, 'dispatch-process.ts');
/** The whole schedule in nine seconds. */
const SPEED = 1_000;
const ATTEMPT_MS = 600;
const LEASE_MS = 1_200;
/** Of real time: what is due longer than that and not begun is stuck. */
const STUCK_MS = 30_000;

/** A server of its own is restarted midway; the embedded store has none. */
const withServer = inject('storeTemplate').kind === 'postgres' && findPostgres() !== null;

const cluster = withServer ? await startCluster() : null;
afterAll(() => cluster?.stop());
const store = await opened(cluster === null ? openTestStore() : openStoreOn(cluster));
const authority = makeAuthority();
const dns = await opened(startDns({ 'hooks.example': ['127.0.0.1'] }));
const receiver = await opened(startReceiver(authority.issue('DNS:hooks.example')));
const children: Victim<unknown>[] = [];
const clock = { realMs: Date.now(), toldMs: Date.UTC(2026, 10, 30, 22), speed: SPEED };

receiver.answer = (response, { path }) => {
  const kind = path === '/mixed' ? KINDS[Math.floor(random() * KINDS.length)]! : path.slice(1);
  if (kind === 'late') setTimeout(() => response.end(), ATTEMPT_MS * (0.5 + random()));
  else if (kind === 'half') {
    response.writeHead(200, { 'content-length': '100' }).write('half');
    setTimeout(() => response.socket?.destroy(), 20);
  } else response.writeHead(kind === 'bad' ? 500 : 200).end();
};
const bench = webhookBench(
  store,
  { resolve: createResolver(dns.servers), ca: authority.ca },
  { clock: fastClock(clock), settings: { webhooks: false } },
);
afterAll(async () => {
  for (const child of children) await child.kill();
  await bench.close();
});

const KINDS = ['good', 'bad', 'late', 'half'] as const;

const random = randomFrom(TEST_SEED);

async function startDispatcher(): Promise<Victim<unknown>> {
  const settings: DispatchSettings = {
    databaseUrl: store.databaseUrl,
    dataDir: store.dataDir,
    dns: dns.servers,
    ca: authority.ca,
    attemptMs: ATTEMPT_MS,
    times: { pollMs: 20, sweepMs: 100, leaseMs: LEASE_MS },
    clock,
  };
  const child = await startVictim(PROCESS, settings);
  children.push(child);
  return child;
}

async function tell(accountId: string): Promise<void> {
  await store.pool.query(
    `insert into account_event (account_id, event, data, created_at)
     values ($1, 'key.revoked', '{"key_id":"key_x"}', $2)`,
    [accountId, new Date(fastClock(clock).nowMs()).toISOString()],
  );
}

/** Two dispatchers, one of them killed after each event, and the database once; how many were told. */
async function killOverAndOver(accountId: string): Promise<number> {
  const running = await Promise.all([startDispatcher(), startDispatcher()]);
  for (let kill = 0; kill < KILLS; kill++) {
    await tell(accountId);
    await sleep(random() * 400);
    const which = kill % 2;
    await running[which]?.kill();
    if (kill === KILLS >> 1 && cluster !== null) await restart(cluster, 500);
    running[which] = await startDispatcher();
    expect(await longestOverdueMs()).toBeLessThan(STUCK_MS);
  }
  return KILLS;
}

/** How long, of real time, the longest due delivery has waited to be begun or for its lease to be taken over. */
async function longestOverdueMs(): Promise<number> {
  const { rows } = await store.pool.query<{ due: number | null; leased: number | null }>(
    `select extract(epoch from $1::timestamptz - min(next_attempt_at)
         filter (where lease_owner is null))::float8 * 1000 as due,
       extract(epoch from now() - min(lease_until))::float8 * 1000 as leased
     from webhook_delivery where status = 'pending'`,
    [new Date(fastClock(clock).nowMs()).toISOString()],
  );
  const [{ due, leased } = { due: 0, leased: 0 }] = rows;
  return Math.max((due ?? 0) / SPEED, leased ?? 0);
}

async function left(): Promise<number | undefined> {
  const { rows } = await store.pool.query<{ count: number }>(
    `select count(*) as count from webhook_delivery where status = 'pending'`,
  );
  expect(await longestOverdueMs()).toBeLessThan(STUCK_MS);
  return rows[0]?.count;
}

test(
  `two dispatchers killed ${KILLS} times lose nothing and send nothing a sixth time`,
  async () => {
    const account = await bench.accounts.account('pro');
    const endpoints = new Map<string, string>();
    for (const kind of [...KINDS, 'mixed']) {
      const url = `https://hooks.example:${receiver.port}/${kind}`;
      endpoints.set((await bench.register(account, url)).id, kind);
    }
    const told = await killOverAndOver(account);
    await until(async () => (await left()) === 0, { withinMs: 3 * HANG_MS });
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
    // Each kill interrupts what is under way, four to one address at most; a restarted database what both have.
    const restarts = cluster === null ? 0 : 1;
    expect(interrupted).toBeLessThanOrEqual(4 * (KILLS + 2 * restarts));
    expect(receiver.received).toHaveLength(onRecord - interrupted);
    console.log(
      `${told * endpoints.size} deliveries, ${onRecord} attempts, ${interrupted} interrupted`,
    );
  },
  240_000 + KILLS * 4_000,
);
