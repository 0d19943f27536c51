/**
 * What a reader misses that goes from front to front while publications go on, and the primary is lost in the middle
 * of one: `--events` events, three fronts, a synchronous replica that is promoted.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { CHANGE_LIMITS } from '../src/changes/limits.ts';
import { latestChange } from '../src/changes/log.ts';
import type { Store } from '../src/db/connect.ts';
import { freePort } from '../test/support/free-port.ts';
import { startCluster } from '../test/support/postgres-cluster.ts';
import type { Cluster } from '../test/support/postgres-cluster.ts';
import { ROWS, fillAddresses, publish } from './changes-store.ts';
import { numberOption } from './harness/options.ts';
import { row } from './harness/row.ts';
import type { BenchRow } from './harness/row.ts';
import { ask, startService } from './harness/server.ts';
import type { Server } from './harness/server.ts';
import { openMigrated, stopAtEnd, temporaryDirectory } from './harness/store.ts';
import type { Cleanup } from './harness/store.ts';

const EVENTS = 1_000_000;
const FRONTS = 3;
/** One in so many rows changes. */
const SHARE = 4;
/** The primary is lost so long after a publication began. */
const IN_THE_MIDDLE_MS = 700;
const UNNOTICED_MS = 1_000;
const AGAIN_MS = 500;
/** A reader that got nowhere for so long. */
const HANG_MS = 120_000;

export async function benchFronts(): Promise<readonly BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const dataDir = temporaryDirectory(cleanup);
  const primary = await openPrimary(cleanup, dataDir);
  const standby = await startCluster({
    ...{ port: await freePort(), standbyOf: primary.url('postgres') },
  });
  stopAtEnd(cleanup, standby);
  const hosts = [primary, standby].map((each) => new URL(each.url('x')).host).join(',');
  const databaseUrl = `postgres://postgres@${hosts}/postgres?target_session_attrs=read-write`;
  const store = await openMigrated(cleanup, { databaseUrl, dataDir, settings: {} });
  // What is committed is on both.
  await store.pool.query("alter system set synchronous_standby_names = '*'");
  await store.pool.query('select pg_reload_conf()');
  const fronts: Server[] = [];
  for (let n = 0; n < FRONTS; n += 1) {
    const settings = { DATABASE_URL: databaseUrl, DATA_DIR: temporaryDirectory(cleanup) };
    fronts.push(await startService(cleanup, { ...settings, LOOKUPS: 'store' }));
  }
  const reader = new Reader(fronts);
  const events = numberOption('events', EVENTS);
  const isPublished = new AbortController();
  const reading = reader.follow(isPublished.signal);
  await publishAll(store, { events, lose: () => failOver(primary, standby) });
  isPublished.abort();
  await reading;
  const { event: latest } = await latestChange(store.db);
  return [
    row('events read over three fronts and a failover', reader.last, 'events', {
      gate: [`= ${latest}`, reader.last === latest],
    }),
    row('… lost, doubled or out of order', reader.faults, 'events', { gate: '0' }),
    row('… answers that broke off or were refused', reader.refused, 'answers'),
  ];
}

async function openPrimary(cleanup: Cleanup, dataDir: string): Promise<Cluster> {
  const primary = await startCluster({ port: await freePort() });
  stopAtEnd(cleanup, primary);
  await using own = new AsyncDisposableStack();
  const data = { databaseUrl: primary.url('postgres'), dataDir, settings: {} };
  await fillAddresses(await openMigrated(own, data), numberOption('rows', ROWS));
  return primary;
}

async function failOver(primary: Cluster, standby: Cluster): Promise<void> {
  await sleep(IN_THE_MIDDLE_MS);
  primary.kill();
  await sleep(UNNOTICED_MS);
  await standby.promote();
}

async function publishAll(
  store: Store,
  { events, lose }: { readonly events: number; readonly lose: () => Promise<void> },
): Promise<void> {
  let lost: Promise<void> | null = null;
  for (let [round, done] = [0, 0]; done < events; round += 1) {
    if (lost === null && done >= events / 2) lost = lose();
    try {
      await publish(store, round, { share: SHARE });
      done = (await latestChange(store.db)).event;
    } catch (error) {
      if (lost === null) throw error;
      await lost;
      await sleep(AGAIN_MS);
    }
  }
}

/** Asks the fronts in turn, each after the last event that it has of any of them. */
class Reader {
  readonly #fronts: readonly Server[];
  last = 0;
  faults = 0;
  refused = 0;

  constructor(fronts: readonly Server[]) {
    this.#fronts = fronts;
  }

  /** Until it has what was published by then. */
  async follow(isPublished: AbortSignal): Promise<void> {
    let progressMs = performance.now();
    for (let turn = 0; ; turn += 1) {
      const isLast = isPublished.aborted;
      const read = await this.#page(this.#fronts[turn % this.#fronts.length]!);
      if (read === 0 && isLast) return;
      if (read !== null && read > 0) progressMs = performance.now();
      else await sleep(AGAIN_MS);
      if (performance.now() - progressMs > HANG_MS) throw new Error('No events come any more.');
    }
  }

  /** Events; null: the front did not answer. */
  async #page(front: Server): Promise<number | null> {
    const path = `/v1/aendringer?efter=${this.last}&antal=${CHANGE_LIMITS.events.max}&format=ndjson`;
    const text = await ask(front, path)
      .then(async (answer) => (answer.ok ? await answer.text() : null))
      .catch(() => null);
    if (text === null) {
      this.refused += 1;
      return null;
    }
    const lines = text.split('\n').filter((line) => line !== '');
    for (const line of lines) this.#take((JSON.parse(line) as { readonly nr: number }).nr);
    return lines.length;
  }

  #take(nr: number): void {
    if (nr !== this.last + 1) this.faults += Math.max(1, nr - this.last - 1);
    this.last = Math.max(this.last, nr);
  }
}
