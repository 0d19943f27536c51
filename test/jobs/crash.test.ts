/**
 * Jobs of all kinds while whoever takes and works on them is killed with -9 at random, and the database
 * is restarted midway: every row has one answer or one error, counters are what the files hold, and
 * the bill is what succeeded. JOB_CRASHES sets how often.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { KINDS } from '../../src/core/rows/job-types.ts';
import type { Kind, Status } from '../../src/core/rows/job-types.ts';
import { monthOf } from '../../src/metering/calendar.ts';
import { recomputeBill } from '../../src/metering/usage.ts';
import { plansOf, tallyOf } from '../metering/metering-fixture.ts';
import { createRandom } from '../../sample/data/random.ts';
import { openStoreOn, restart, startVictim } from '../support/crash-kit.ts';
import type { Victim } from '../support/crash-kit.ts';
import { copyMirrored } from '../support/mirrored-store.ts';
import { findPostgres } from '../support/postgres-binaries.ts';
import { startCluster } from '../support/postgres-cluster.ts';
import type { Cluster } from '../support/postgres-cluster.ts';
import { HANG_MS, TEST_SEED, amountOf } from '../support/run-settings.ts';
import { until } from '../support/until.ts';
import { openAddressBench } from '../sync/addresses-bench.ts';
import type { AddressBench } from '../sync/addresses-bench.ts';
import { addOwner, linesOf, stateOf } from './job-bench.ts';
import { addEndpoint } from '../webhooks/webhook-bench.ts';
import type { Owner } from './job-bench.ts';
import type { JobProcessSettings } from './job-process.ts';

const CRASHES = Number(process.env['JOB_CRASHES'] ?? amountOf({ gate: 1, night: 5 }));
const random = createRandom(`job crashes ${TEST_SEED}`);
const PROCESSES = 2;
const ACCOUNTS = 2;
const ROWS = amountOf({ gate: 300, night: 6_000 });
const BODIES = 3;

/** Everything here is short, so that much of it happens in a test; a lease ends for a death, not for a busy machine. */
const TIMES = { leaseMs: 3_000, leaseRenewMs: 300, sweepMs: 200 };

class Served {
  port = 0;
  readonly #settings: JobProcessSettings;
  #victim: Victim<number> | null = null;

  constructor(settings: JobProcessSettings) {
    this.#settings = settings;
  }

  async start(): Promise<void> {
    const path = join(import.meta.dirname, 'job-process.ts');
    this.#victim = await startVictim<number>(path, this.#settings);
    this.port = this.#victim.first;
  }

  async kill(): Promise<void> {
    this.port = 0;
    await this.#victim?.kill();
  }
}

const withServer = inject('storeTemplate').kind === 'postgres' && findPostgres() !== null;

describe.runIf(withServer)('jobs of all kinds', () => {
  let cluster: Cluster;
  let bench: AddressBench;
  let settings: JobProcessSettings;
  let owners: Owner[];

  beforeAll(async () => {
    cluster = await startCluster();
    const databaseUrl = cluster.url('postgres');
    await copyMirrored('served', databaseUrl);
    const store = await openStoreOn(cluster, { purpose: 'sync' });
    const { dataDir } = store;
    bench = await openAddressBench(store);
    owners = await Promise.all(Array.from({ length: ACCOUNTS }, () => addOwner(bench.store)));
    // Somebody is to be told of each job's end.
    for (const { accountId } of owners)
      await addEndpoint(bench.store, accountId, ['job.completed', 'job.failed']);
    const plansFile = join(dataDir, 'plans.json');
    writeFileSync(plansFile, JSON.stringify(plansOf(100_000_000)));
    const upstreamUrl = bench.upstreamUrl;
    settings = { databaseUrl, dataDir, upstreamUrl, plansFile, owners, times: TIMES };
  });
  afterAll(async () => {
    await bench.close();
    await cluster.stop();
  });

  test(
    `are whole and billed once when processes are killed with -9 ${CRASHES} times`,
    { timeout: 300_000 + CRASHES * 2 * HANG_MS },
    async () => {
      const processes = Array.from({ length: PROCESSES }, () => new Served(settings));
      await Promise.all(processes.map((each) => each.start()));
      const end = new AbortController();
      const clients = owners.map((owner) => useJobs(owner, { processes, end: end.signal }));
      await killAll(processes, cluster);
      end.abort();
      const ids = (await Promise.all(clients)).flat();
      for (const id of ids) await ended(id);
      await Promise.all(processes.map((each) => each.kill()));
      const rows = await expectWhole(ids);
      console.log(`${ids.length} jobs, ${rows} rows, ${CRASHES} kills, one restarted database`);
    },
  );

  /** Each is back before it is killed again; the database goes away once, midway. */
  async function killAll(processes: readonly Served[], database: Cluster): Promise<void> {
    let left = CRASHES;
    const killer = async (each: Served): Promise<void> => {
      while (left-- > 0) {
        const isHalf = left === CRASHES >> 1;
        await until(isWorking, { withinMs: 3 * HANG_MS });
        await sleep(random.between(0, 300));
        await each.kill();
        if (isHalf) {
          await restart(database, 300);
        }
        await each.start();
      }
    };
    await Promise.all(processes.map(killer));
  }

  async function isWorking(): Promise<boolean> {
    const { rows } = await bench.store.pool
      .query(`select from job_chunk where state = 'leased' limit 1`)
      .catch(() => ({ rows: [] }));
    return rows.length > 0;
  }

  async function ended(id: string): Promise<void> {
    let status: Status | undefined;
    const isCompleted = async (): Promise<boolean> => {
      ({ status } = await stateOf(bench.store, id));
      if (status !== 'completed') expect(['queued', 'running']).toContain(status);
      return status === 'completed';
    };
    await until(isCompleted, {
      withinMs: 3 * HANG_MS,
      everyMs: 50,
      seen: () => `${id} is ${status}`,
    });
  }

  async function expectWhole(ids: readonly string[]): Promise<number> {
    let rows = 0;
    for (const id of ids) {
      const state = await stateOf(bench.store, id);
      const { results, errors } = await linesOf(bench.store, id);
      const numbers = [...results, ...errors].map(({ raekke }) => raekke).sort((a, b) => a - b);
      expect(numbers, id).toEqual(Array.from({ length: ROWS }, (_, n) => n + 1));
      for (const { raekke, input } of [...results, ...errors]) {
        expect(input['nr']).toBe(`${raekke - 1}`);
      }
      const { succeeded, failed, billed_units: billed } = state;
      expect({ succeeded, failed, billed, total: state.total_rows }).toEqual({
        succeeded: results.length,
        failed: errors.length,
        billed: results.length,
        total: ROWS,
      });
      const bill = await sql<{ units: number; twice: number }>`
        select coalesce(sum(units), 0)::int as units,
          count(*)::int - count(distinct seq)::int as twice
        from usage_line where journal = ${id}`.execute(bench.store.db);
      expect(bill.rows).toEqual([{ units: results.length, twice: 0 }]);
      rows += state.total_rows;
    }
    const month = monthOf(bench.deps.clock.nowMs());
    for (const { accountId } of owners) {
      const check = await recomputeBill(bench.store, { accountId, month });
      expect(check).toMatchObject({ agrees: true });
      await untilNothingIsHeld(accountId);
    }
    // Once each, whatever was killed in between.
    const told = await sql<{ id: string; event: string }>`
      select data ->> 'job_id' as id, event from account_event where event like 'job.%'`.execute(
      bench.store.db,
    );
    expect(told.rows.map(({ id }) => id).sort()).toEqual([...ids].sort());
    expect(new Set(told.rows.map(({ event }) => event))).toEqual(new Set(['job.completed']));
    const all = await sql<{ id: string }>`select id from job`.execute(bench.store.db);
    expect(all.rows.map(({ id }) => id).sort()).toEqual([...ids].sort());
    return rows;
  }

  async function untilNothingIsHeld(accountId: string): Promise<void> {
    await sql`delete from usage_grant g where not exists (
      select from job_chunk c where c.state = 'leased')`.execute(bench.store.db);
    expect(await tallyOf(bench.store, accountId)).toMatchObject({ outstanding: 0 });
  }
});

interface Use {
  readonly processes: readonly Served[];
  readonly end: AbortSignal;
}

let asked = 0;

/**
 * One customer: makes a job of each kind, and further ones while there are kills to come, and asks again under the same key whenever an answer
 * does not come. The ids of its jobs.
 */
async function useJobs(owner: Owner, { processes, end }: Use): Promise<string[]> {
  const ids: string[] = [];
  const ask = async (path: string, body: string, type = 'application/json'): Promise<Answer> => {
    const once = `key-${++asked}`;
    for (;;) {
      const { port } = random.pick(processes);
      const answer = port === 0 ? null : await answerOf(port, { path, body, type, once, owner });
      if (answer !== null) return answer;
      await sleep(20);
    }
  };
  while (ids.length < KINDS.length || (CRASHES > 1 && !end.aborted)) {
    const kind = KINDS[ids.length % KINDS.length]!;
    const { columns, rowOf } = OTHER_SHAPES[kind] ?? POINTS;
    const draft = JSON.stringify({ kind, columns, srid: 25832, start: false });
    const { job } = await ask('', draft);
    if (job === undefined) {
      // As many are open as may be: some must end first.
      await sleep(100);
      continue;
    }
    const { id } = job;
    for (let body = 0; body < BODIES; body++) {
      const from = (ROWS / BODIES) * body;
      const lines = Array.from({ length: ROWS / BODIES }, (_, i) => rowOf(from + i));
      const text = `${['nr', ...Object.values(columns)].join(';')}\r\n${lines.join('\r\n')}\r\n`;
      await ask(`/${id}/rows`, text, 'text/csv');
    }
    ids.push(id);
    await command(ask, id, 'start');
    await sleep(random.between(0, 100));
    // Whoever comes too late is told so.
    await command(ask, id, 'pause');
    await command(ask, id, 'resume');
  }
  return ids;
}

interface Answer {
  readonly status: number;
  /** Of a command that was heard. */
  readonly job: { readonly id: string; readonly status: Status } | undefined;
}

type Ask = (path: string, body: string) => Promise<Answer>;

/** Asked twice, a command is refused the second time: then it was heard the first. */
async function command(ask: Ask, id: string, action: string): Promise<void> {
  const { status } = await ask(`/${id}/${action}`, '');
  if (status !== 200 && status !== 409) throw new Error(`${action}: ${status}`);
}

interface JobCall {
  readonly path: string;
  readonly body: string;
  readonly type: string;
  readonly once: string;
  readonly owner: Owner;
}

/** null: it did not come, or the service asks to be asked again. */
async function answerOf(port: number, { path, body, type, once, owner }: JobCall) {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/v1/jobs${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${owner.accountId}`,
        'idempotency-key': once,
        ...(body !== '' && { 'content-type': type }),
      },
      ...(body !== '' && { body }),
      signal: AbortSignal.timeout(10_000),
    });
    const text = await response.text();
    if (response.status >= 500 || response.status === 429) return null;
    const answer = JSON.parse(text) as { job?: NonNullable<Answer['job']> };
    if (response.status >= 400 && response.status !== 409) throw new Error(text);
    return { status: response.status, job: answer.job };
  } catch (error) {
    if (error instanceof Error && /^\{/.test(error.message)) throw error;
    return null;
  }
}

interface Shape {
  readonly columns: Readonly<Record<string, string>>;
  readonly rowOf: (n: number) => string;
}

const point = (n: number): string =>
  n % 11 === 10 ? `${n};;` : `${n};${651_000 + (n % 90) * 100},5;${6_290_000 + (n % 83) * 100}`;
const POINTS: Shape = { columns: { x: 'x', y: 'y' }, rowOf: point };

const OTHER_SHAPES: Partial<Record<Kind, Shape>> = {
  datavask: {
    columns: { adresse: 'a' },
    rowOf: (n) => `${n};${n % 3 === 0 ? 'Prøvevej' : 'Strandvejen'} ${n % 40}`,
  },
  bbr: { columns: { bfe: 'b' }, rowOf: (n) => `${n};${100_000 + n}` },
};
