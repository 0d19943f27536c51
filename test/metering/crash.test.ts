/**
 * The bill against what clients received, while processes are killed with -9 under load: every
 * answer is on it once, and nothing else but what was under way at a kill. METERING_CRASHES sets
 * how often.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, describe, expect, inject, test } from 'vitest';
import type { Principal } from '../../src/account/principal.ts';
import type { Store } from '../../src/db/connect.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { composeMetering } from '../../src/start/metering.ts';
import { monthOf } from '../../src/metering/calendar.ts';
import { recomputeBill } from '../../src/metering/usage.ts';
import { createRandom } from '../../sample/data/random.ts';
import { end, openStoreOn, startVictim } from '../support/crash-kit.ts';
import { findPostgres } from '../support/postgres-binaries.ts';
import { startCluster } from '../support/postgres-cluster.ts';
import { HANG_MS, TEST_SEED, amountOf } from '../support/run-settings.ts';
import { opened } from '../support/opened.ts';
import { openTestStore } from '../support/store.ts';
import { addAccount, newDataDir, plansOf, principalOf, tallyOf } from './metering-fixture.ts';
import type { ProcessAnswer, ProcessRequest, ProcessSettings } from './metering-process.ts';

const CRASHES = Number(process.env['METERING_CRASHES'] ?? amountOf({ gate: 1, night: 4 }));
const PROCESSES = 2;
const CLIENTS = 12;
/** Between an answer and the next request of a client: what is tried is the kills, not the speed. */
const PAUSE_MS = amountOf({ gate: 5, night: 0 });
const log = { error: () => undefined };

class Records {
  readonly asked = new Map<string, ProcessRequest>();
  readonly received = new Set<string>();
  readonly refused = new Map<string, number>();
  /** Answers received in the time since it was last set to 0. */
  recent = 0;
  #next = 0;

  next(principals: readonly Principal[]): ProcessRequest {
    const number = this.#next++;
    const { areas: _, ...principal } = principals[number % principals.length]!;
    const units = 1 + (number % 3);
    const answered = number % 11 === 0 ? 0 : Math.max(1, units - (number % 2));
    const request = { requestId: `q${number}`, principal, units, answered };
    this.asked.set(request.requestId, request);
    return request;
  }

  told({ requestId, refused }: ProcessAnswer): void {
    if (refused === null) {
      this.received.add(requestId);
      this.recent++;
    } else {
      this.refused.set(refused, (this.refused.get(refused) ?? 0) + 1);
      this.asked.delete(requestId);
    }
  }
}

/** One process under load; a new one takes its place when it is killed. */
class Server {
  readonly #settings: ProcessSettings;
  readonly #records: Records;
  readonly #principals: readonly Principal[];
  #child: ChildProcess | null = null;
  #loaded = true;

  constructor(settings: ProcessSettings, records: Records, principals: readonly Principal[]) {
    this.#settings = settings;
    this.#records = records;
    this.#principals = principals;
  }

  async start(): Promise<void> {
    const path = join(import.meta.dirname, 'metering-process.ts');
    const { process: child } = await startVictim(path, this.#settings);
    this.#child = child;
    const ask = () => {
      if (!this.#loaded || !child.connected) return;
      // A process that is being killed may not take it any more.
      child.send(this.#records.next(this.#principals), () => undefined);
    };
    child.on('message', (answer: ProcessAnswer) => {
      this.#records.told(answer);
      // A refused client waits a little, as Retry-After says.
      setTimeout(ask, answer.refused === null ? PAUSE_MS : 20);
    });
    child.on('error', () => undefined);
    for (let i = 0; i < CLIENTS; i++) ask();
  }

  async kill(): Promise<void> {
    await end(this.#child!);
  }

  async stop(): Promise<void> {
    this.#loaded = false;
    const child = this.#child;
    if (child?.exitCode !== null || !child.connected) return;
    const gone = once(child, 'exit');
    child.send('stop');
    await gone;
  }
}

async function expectExact(
  store: Pick<Store, 'db'>,
  records: Records,
  accounts: readonly string[],
) {
  const { rows } = await sql<{ request_id: string; units: number; times: number }>`
    select request_id, sum(units)::int as units, count(*)::int as times from usage_line
    where account_id = any(${accounts}::text[]) group by request_id`.execute(store.db);
  const billed = new Map(rows.map((row) => [row.request_id, row]));
  const missing = [...records.received].filter((id) => {
    const wanted = records.asked.get(id)!.answered;
    return (billed.get(id)?.units ?? 0) !== wanted;
  });
  expect(missing, 'answers that are not on the bill with their units').toEqual([]);
  expect(
    rows.filter(({ times }) => times !== 1),
    'billed more than once',
  ).toEqual([]);
  const extra = rows.filter(({ request_id: id }) => !records.received.has(id));
  expect(
    extra.filter(({ request_id: id }) => !records.asked.has(id)),
    'billed although refused',
  ).toEqual([]);
  const month = monthOf(systemClock.nowMs());
  for (const accountId of accounts) {
    for (const environment of ['live', 'test'] as const) {
      expect(await recomputeBill(store, { accountId, month, environment })).toMatchObject({
        agrees: true,
      });
    }
  }
  return { received: records.received.size, extra: extra.length };
}

async function takeUp(store: Store, dataDir: string): Promise<void> {
  const last = composeMetering({ store, dataDir, clock: systemClock, plans: plansOf(10), log });
  await last.start();
  const left = async (): Promise<unknown[]> => {
    const { rows } = await sql`select * from usage_instance where not settled`.execute(store.db);
    const files = readdirSync(join(dataDir, 'usage'));
    return [...rows, ...files.filter((file) => file.endsWith('.journal'))];
  };
  // Its own row and its own journal.
  await expect
    .poll(left, { timeout: 2 * HANG_MS, message: 'what nobody took up' })
    .toEqual([expect.any(Object), expect.any(String)]);
  await last.stop();
}

const ending: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of ending.splice(0).reverse()) await step();
});

async function startAll(make: () => Server): Promise<readonly Server[]> {
  const servers = Array.from({ length: PROCESSES }, make);
  ending.push(() => Promise.all(servers.map((server) => server.stop())));
  await Promise.all(servers.map((server) => server.start()));
  return servers;
}

describe('the bill', async () => {
  const store = await opened(openTestStore());

  test(
    `is exact when processes are killed with -9 ${CRASHES} times`,
    { timeout: 120_000 + CRASHES * 6000 },
    async () => {
      const { dataDir, remove } = newDataDir();
      ending.push(remove);
      const records = new Records();
      const [busy, small] = [await addAccount(store, 'pro'), await addAccount(store)];
      const principals = [
        principalOf(busy, { tier: 'pro' }),
        principalOf(busy, { tier: 'pro' }),
        principalOf(busy, { tier: 'pro', environment: 'test' }),
        // The edge of its quota is reached early and stays in sight.
        principalOf(small, { capUnits: 0 }),
      ];
      const plans = { ...plansOf(5_000_000), free: plansOf(600).free };
      const settings = { databaseUrl: store.databaseUrl, storeDir: store.dataDir, dataDir, plans };
      const servers = await startAll(() => new Server(settings, records, principals));
      const random = createRandom(`metering crashes ${TEST_SEED}`);
      for (let crash = 0; crash < CRASHES; crash++) {
        await sleep(random.between(50, 650));
        const server = servers[crash % PROCESSES]!;
        await server.kill();
        await server.start();
      }
      await sleep(300);
      await Promise.all(servers.map((server) => server.stop()));
      await takeUp(store, dataDir);
      const { received, extra } = await expectExact(store, records, [busy, small]);
      expect(extra).toBeLessThanOrEqual(CRASHES * CLIENTS);
      expect(received).toBeGreaterThan(100);
      for (const account of [busy, small]) {
        expect((await tallyOf(store, account)).outstanding).toBe(0);
      }
      expect((await tallyOf(store, small)).used).toBeLessThanOrEqual(600);
      console.log(`${received} answers, ${extra} more billed that were under way at a kill`);
    },
  );
});

// A server of its own: once is enough, in the run on PostgreSQL.
const withServer = inject('storeTemplate').kind === 'postgres' && findPostgres() !== null;
describe.runIf(withServer)('the bill, with a database that goes away', () => {
  test('is exact, and answers go on meanwhile', async () => {
    const cluster = await startCluster();
    ending.push(() => cluster.stop());
    const store = await openStoreOn(cluster);
    ending.push(() => store.close());
    const { databaseUrl, dataDir } = store;
    const records = new Records();
    const account = await addAccount(store, 'pro');
    const settings = { databaseUrl, storeDir: dataDir, dataDir, plans: plansOf(5_000_000) };
    const principals = [principalOf(account, { tier: 'pro' })];
    const servers = await startAll(() => new Server(settings, records, principals));
    for (let round = 0; round < 2; round++) {
      await sleep(1000);
      await cluster.down();
      records.recent = 0;
      await expect
        .poll(() => records.recent, { message: 'answers while the database is away' })
        .toBeGreaterThan(50);
      // Long enough for questions to the database to be given up.
      await sleep(1000);
      // A process that dies now has all its units in its journal alone.
      if (round === 1) await servers[0]!.kill();
      await cluster.up();
      if (round === 1) await servers[0]!.start();
    }
    await sleep(500);
    await Promise.all(servers.map((server) => server.stop()));
    await takeUp(store, dataDir);
    const { received, extra } = await expectExact(store, records, [account]);
    expect(extra).toBeLessThanOrEqual(CLIENTS);
    console.log(`${received} answers, ${extra} more billed, refusals`, [...records.refused]);
  });
});
