/**
 * `npm run bench -- webhooks [--part=latency,lookups] [--burst=100000]`: deliveries beside a bare POST loop of
 * the same bodies to the same receivers, the time from commit to the first byte, a living receiver beside bad
 * ones that have failed before, a burst, and single lookups of a service that sends one.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { newId } from '../src/account/ids.ts';
import type { Store } from '../src/db/connect.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { WEBHOOK_LIMITS } from '../src/webhooks/limits.ts';
import { composeWebhooks } from '../src/start/webhooks.ts';
import type { ComposedWebhooks } from '../src/start/webhooks.ts';
import { createSealer } from '../src/webhooks/seal.ts';
import { newWebhookSecret, webhookHeaders } from '../src/webhooks/sign.ts';
import { makeAuthority } from '../test/webhooks/certificates.ts';
import { SETTINGS, WEBHOOK_KEY } from '../test/webhooks/webhook-bench.ts';
import { median, quantile } from './harness/measure.ts';
import { drive, expectNoRefusal, get } from './harness/load.ts';
import { numberOption, option, scaleOption } from './harness/options.ts';
import { row } from './harness/row.ts';
import type { BenchRow } from './harness/row.ts';
import { startService } from './harness/server.ts';
import { loadCountry, openData, openMigrated } from './harness/store.ts';
import type { Cleanup, Data } from './harness/store.ts';
import { Land } from './national/land.ts';
import { linesPath, placesOf } from './places.ts';
import { addressOf, nameOf, networkOf } from './webhook-network.ts';
import type { Heard, ReceiversWanted } from './webhook-receivers.ts';

const RECEIVERS = 200;
const DELIVERIES = numberOption('deliveries', 10_000);
const BURST = numberOption('burst', 100_000);
const SINGLES = numberOption('singles', 200);
/** The light client asks some 200 times a second. */
const LOOKUP_PAUSE_MS = 4;
const LOOKUPS_MS = 10_000;
const PER_ACCOUNT = WEBHOOK_LIMITS.perAccount;

interface World {
  readonly store: Store;
  readonly ca: string;
  readonly data: Data;
  /** Of the receivers; one more, the last, never answers. */
  readonly ports: readonly number[];
  heard(): Promise<ReadonlyMap<string, number>>;
}

/** `--part=lookups`: one part, or several with commas between them. */
const PARTS: Readonly<Record<string, (world: World) => Promise<readonly BenchRow[]>>> = {
  throughput: benchThroughput,
  latency: benchLatency,
  burst: benchBurst,
  lookups: benchLookups,
  unheard: async (world) => [await unheard(world)],
};

export async function benchWebhooks(): Promise<readonly BenchRow[]> {
  const asked = option('part')?.split(',') ?? Object.keys(PARTS);
  const rows: BenchRow[] = [];
  for (const name of asked) {
    const bench = PARTS[name];
    if (bench === undefined) throw new Error(`Parts: ${Object.keys(PARTS).join(', ')}`);
    await using cleanup = new AsyncDisposableStack();
    rows.push(...(await bench(await openWorld(cleanup))));
  }
  return rows;
}

async function benchThroughput(world: World): Promise<BenchRow[]> {
  const bare = await bareLoop(world);
  const ours = await throughput(world, RECEIVERS, DELIVERIES);
  return [
    row(`deliveries/s, ${DELIVERIES} to ${RECEIVERS} receivers`, ours.perSecond, '/s', {
      beside: ['a bare POST loop', bare],
      ratioGate: '>= 0.3 (goal 0.6)',
    }),
  ];
}

async function benchLatency(world: World): Promise<BenchRow[]> {
  const alone = await latencies(world, { bad: false });
  const beside = await latencies(world, { bad: true });
  const of = (times: readonly number[], fraction: number): number =>
    quantile(times, fraction) / 1000;
  return [
    row('from commit to the first byte, p50', of(alone, 0.5), 's', { gate: '<= 1 (goal 0.2)' }),
    row('from commit to the first byte, p99', of(alone, 0.99), 's', { gate: '<= 3 (goal 1)' }),
    row('p50 of a living receiver beside 201 bad ones', of(beside, 0.5), 's', {
      beside: ['alone', of(alone, 0.5)],
    }),
    row('p99 of a living receiver beside 201 bad ones', of(beside, 0.99), 's', {
      beside: ['alone', of(alone, 0.99)],
      ratioGate: '<= 2 (goal 1.2)',
    }),
  ];
}

async function benchBurst(world: World): Promise<BenchRow[]> {
  const burst = await throughput(world, BURST / 10, BURST);
  return [
    row(`burst of ${BURST} over ${BURST / 10} endpoints`, burst.seconds, 's'),
    row('memory above rest in the burst', burst.memoryMiB, 'MiB', { gate: '<= 200 (goal 100)' }),
  ];
}

/** The service sends a burst and answers a client that asks now and then, in one process. */
async function benchLookups(world: World): Promise<BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const { store, ca, data } = world;
  const land = new Land(scaleOption());
  await loadCountry(data, land);
  const settings = { ...data.settings, WEBHOOK_KEY, JOBS: 'off' };
  const server = await startService(cleanup, settings, { webhookCa: ca });
  const requests = placesOf(land).map((place) => get(linesPath(place), server.key));
  const light = { port: server.port, requests, connections: 1, pauseMs: LOOKUP_PAUSE_MS };
  const ask = async (): Promise<number> =>
    expectNoRefusal(await drive({ ...light, durationMs: LOOKUPS_MS })).p99Ms;
  const urls = Array.from({ length: BURST / 10 }, (_, index) => urlOf(world, index % RECEIVERS));
  const accounts = await addEndpoints(world, urls);
  // Warm, both of them.
  await ask();
  await tell(world, accounts.slice(0, 10), 1);
  await untilSent(world, 0);
  const alone = await ask();
  await tell(world, accounts, 10);
  const before = await pending(world);
  const beside = await ask();
  const sent = before - (await pending(world));
  await store.pool.query('update webhook_endpoint set enabled = false');
  await server.end();
  return [
    row('p99 of single lookups during a burst', beside, 'ms', {
      beside: ['alone', alone],
      ratioGate: '<= 2 (goal 1.3)',
    }),
    row('deliveries/s beside them', sent / (LOOKUPS_MS / 1000), '/s'),
  ];
}

async function openWorld(cleanup: Cleanup): Promise<World> {
  const authority = makeAuthority();
  const certificate = authority.issue('DNS:*.bench.example');
  const child = fork(join(import.meta.dirname, 'webhook-receivers.ts'), { stdio: 'inherit' });
  cleanup.defer(() => void child.kill());
  child.send({ certificate, count: RECEIVERS + 1 } satisfies ReceiversWanted);
  const [ports] = (await once(child, 'message')) as [number[]];
  const data = await openData(cleanup, { durable: true });
  const store = await openMigrated(cleanup, data);
  const heard = async (): Promise<ReadonlyMap<string, number>> => {
    const answer = once(child, 'message') as Promise<[Heard]>;
    child.send('heard');
    return new Map((await answer)[0]);
  };
  return { store, ca: authority.ca, data, ports, heard };
}

function start({ store, ca, data }: World): ComposedWebhooks {
  const webhooks = composeWebhooks({
    config: { databaseUrl: 'postgres://unused', dataDir: data.dataDir, ...SETTINGS },
    store,
    clock: systemClock,
    log: { info: () => undefined, warn: console.warn, error: console.error },
    network: networkOf(ca),
  });
  webhooks.start();
  return webhooks;
}

/** So many endpoints over the receivers, twenty an account; the accounts. */
async function addEndpoints({ store }: World, urls: readonly string[]): Promise<readonly string[]> {
  const sealer = createSealer([Buffer.from(WEBHOOK_KEY, 'base64')]);
  const accounts = Array.from({ length: Math.ceil(urls.length / PER_ACCOUNT) }, () =>
    newId('account'),
  );
  await store.pool.query(
    `insert into account (id, name, email, tier, created_at)
     select id, 'Opdigtet', id || '@example.dk', 'pro', now() from unnest($1::text[]) id`,
    [accounts],
  );
  const ids = urls.map(() => newId('webhook'));
  const sealed = ids.map((id) => sealer.seal(newWebhookSecret(), id));
  await store.pool.query(
    `insert into webhook_endpoint (id, account_id, url, host, events, secret_prefix, sealed_secret,
       created_at)
     select id, account, url, substring(url from 'https://([^:/]+)'), '{key.revoked}', 'whsec_abcd',
       sealed, now()
     from unnest($1::text[], $2::text[], $3::text[], $4::bytea[]) e (id, account, url, sealed)`,
    [ids, ids.map((_, index) => accounts[Math.floor(index / PER_ACCOUNT)]), urls, sealed],
  );
  return accounts;
}

const tell = async (
  { store }: World,
  accounts: readonly string[],
  times: number,
): Promise<void> => {
  await store.pool.query(
    `insert into account_event (account_id, event, data, created_at)
     select account, 'key.revoked', '{"key_id":"key_bqbjavg7gcubl7jj6ntj"}', now()
     from unnest($1::text[]) account, generate_series(1, $2) n`,
    [accounts, times],
  );
};

const pending = async ({ store }: World, first = false): Promise<number> => {
  const { rows } = await store.pool.query<{ count: number }>(
    `select count(*) as count from webhook_delivery
     where status = 'pending' and ($1 = false or attempts = 0)`,
    [first],
  );
  return rows[0]?.count ?? 0;
};

async function throughput(world: World, endpoints: number, deliveries: number) {
  const urls = Array.from({ length: endpoints }, (_, index) => urlOf(world, index % RECEIVERS));
  const accounts = await addEndpoints(world, urls);
  await tell(world, accounts, deliveries / endpoints);
  await world.store.pool.query('vacuum analyze webhook_delivery');
  const restBytes = process.memoryUsage.rss();
  let mostBytes = restBytes;
  const beganMs = performance.now();
  const webhooks = start(world);
  while ((await pending(world, true)) > 0) {
    mostBytes = Math.max(mostBytes, process.memoryUsage.rss());
    await sleep(deliveries > DELIVERIES ? 500 : 50);
  }
  const seconds = (performance.now() - beganMs) / 1000;
  await untilSent(world, 0);
  await webhooks.stop();
  await forget(world);
  const memoryMiB = (mostBytes - restBytes) / 1024 / 1024;
  return { seconds, perSecond: deliveries / seconds, memoryMiB };
}

async function untilSent(world: World, left: number): Promise<void> {
  while ((await pending(world)) > left) await sleep(50);
}

function urlOf({ ports }: World, index: number): string {
  return `https://${nameOf(index)}:${ports[index]}/hook`;
}

async function forget({ store }: World): Promise<void> {
  await store.pool.query('truncate webhook_delivery, webhook_endpoint');
}

/** The same bodies and headers, as many at a time, over connections that are kept. */
async function bareLoop(world: World): Promise<number> {
  const pools = Array.from({ length: RECEIVERS }, (_, index) => {
    const lookup = (
      _name: string,
      _options: object,
      done: (...answer: unknown[]) => void,
    ): void => {
      done(null, addressOf(index), 4);
    };
    const connect = { ca: world.ca, lookup, autoSelectFamily: false } as object;
    return new Pool(new URL(urlOf(world, index)).origin, { connections: 2, connect });
  });
  const body = `{"id":"webhookDelivery_aaaaaaaaaaaaaaaaaaaa","event":"key.revoked","created":"2026-11-21T12:00:00.000Z","data":{"key_id": "key_bqbjavg7gcubl7jj6ntj"}}`;
  const signed = { deliveryId: 'webhookDelivery_aaaaaaaaaaaaaaaaaaaa', event: 'key.revoked', body };
  const headers = webhookHeaders(signed, { secret: newWebhookSecret(), atMs: Date.now() });
  let next = 0;
  const post = async (): Promise<void> => {
    while (next < DELIVERIES) {
      const pool = pools[next++ % RECEIVERS]!;
      const answer = await pool.request({ path: '/hook', method: 'POST', headers, body });
      await answer.body.dump();
    }
  };
  const beganMs = performance.now();
  await Promise.all(Array.from({ length: WEBHOOK_LIMITS.inFlight.total }, post));
  const perSecond = DELIVERIES / ((performance.now() - beganMs) / 1000);
  await Promise.all(pools.map((pool) => pool.destroy()));
  await world.heard();
  return perSecond;
}

/** Milliseconds from the commit of a cause to the first byte at the receiver. */
async function latencies(world: World, { bad }: { readonly bad: boolean }): Promise<number[]> {
  const [account = ''] = await addEndpoints(world, [urlOf(world, 0)]);
  // Port 1 of the receivers' addresses: nobody listens there.
  const refusing = Array.from({ length: 200 }, (_, n) => `https://${nameOf(n)}:1024/`);
  const badOnes = bad ? await addEndpoints(world, [urlOf(world, RECEIVERS), ...refusing]) : [];
  await world.heard();
  const webhooks = start(world);
  // Everybody's first attempt: from then on it is known who fails.
  await tell(world, [account, ...badOnes], 1);
  while ((await pending(world, true)) > 0) await sleep(20);
  await world.heard();
  const committed: number[] = [];
  for (let n = 0; n < SINGLES; n++) {
    // The bad ones have something due all the time.
    if (n % 20 === 0 && badOnes.length > 0) await tell(world, badOnes, 5);
    await tell(world, [account], 1);
    committed.push(Date.now());
    await sleep(25);
  }
  const mine = async () => {
    const { rows } = await world.store.pool.query<{ id: string; status: string }>(
      `select d.id, d.status from webhook_delivery d join webhook_endpoint e on e.id = d.endpoint_id
       where e.account_id = $1 order by d.event_id desc limit $2`,
      [account, SINGLES],
    );
    return rows;
  };
  while ((await mine()).some(({ status }) => status === 'pending')) await sleep(50);
  const ids = (await mine()).map(({ id }) => id).toReversed();
  const heard = await world.heard();
  await webhooks.stop();
  await forget(world);
  return ids.map((id, index) => Math.max(0, (heard.get(id) ?? NaN) - committed[index]!));
}

/** An event nobody subscribes to, beside the same without the outbox: one look into an index. */
async function unheard({ store }: World): Promise<BenchRow> {
  const account = newId('account');
  await store.pool.query(
    `insert into account (id, name, email, tier, created_at)
     values ($1, 'Opdigtet', $1 || '@example.dk', 'pro', now())`,
    [account],
  );
  const insert = async (): Promise<number> => {
    const beganMs = performance.now();
    await store.pool.query(
      `insert into account_event (account_id, event, data, created_at)
       select $1, 'key.revoked', '{}', now() from generate_series(1, 2000)`,
      [account],
    );
    return ((performance.now() - beganMs) * 1000) / 2000;
  };
  const withIt: number[] = [];
  const without: number[] = [];
  for (let round = 0; round < 9; round++) {
    withIt.push(await insert());
    await store.pool.query(
      'alter table account_event disable trigger account_event_emits_webhooks',
    );
    without.push(await insert());
    await store.pool.query('alter table account_event enable trigger account_event_emits_webhooks');
  }
  const beside = ['without the outbox', median(without)] as const;
  return row('an event nobody subscribes to', median(withIt), 'µs', { beside });
}
