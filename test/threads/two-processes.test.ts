/**
 * Fifty clients of two processes with four request threads each, at every edge of what an account may do; and
 * what is billed while threads and processes are killed. THREAD_KILLS sets how often.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { samplePoint } from '../../sample/points.ts';
import { createRandom } from '../../sample/data/random.ts';
import { HANG_MS, TEST_SEED } from '../support/run-settings.ts';
import { OneConnection } from '../support/threaded-service.ts';
import { THREADS, startTwoPrograms } from '../support/two-programs.ts';
import type { Running, TwoPrograms } from '../support/two-programs.ts';
import { until } from '../support/until.ts';

const CLIENTS = 50;
const KILLS = Number(process.env['THREAD_KILLS'] ?? 10);
const {
  wgs84: { lon, lat },
  utm32: { xUtm32, yUtm32 },
} = samplePoint('beach-cut');
const LINES = `/v1/natur/byggelinjer?lon=${lon}&lat=${lat}`;
const MONTH_UNITS = 2_000;
const PER_SECOND = 10;
const BATCH = 3;

const planOf = (units: number, requestsPerSecond: number) => ({
  ...{ unitsPerMonth: { live: units, test: units }, requestsPerSecond },
  ...{ overage: false, batches: true },
});
const PLANS = {
  free: planOf(100_000, PER_SECOND),
  pro: planOf(MONTH_UNITS, 10_000),
  business: planOf(10_000_000, 10_000),
};

const random = createRandom(`two processes ${TEST_SEED}`);

describe.runIf(inject('storeTemplate').kind === 'postgres')('two processes of four threads', () => {
  let of: TwoPrograms;
  beforeAll(async () => {
    of = await startTwoPrograms(PLANS);
  });
  afterAll(() => of.close());

  /** Half of them of each process; the kernel gives them threads. */
  function clients(): OneConnection[] {
    return Array.from(
      { length: CLIENTS },
      (_, n) => new OneConnection(of.programs[n % 2]!.base ?? ''),
    );
  }

  test('the month ends at its last unit', async () => {
    const key = await of.mint({ tier: 'pro' });
    const all = clients();
    let answered = 0;
    const ask = async (client: OneConnection, n: number): Promise<boolean> => {
      const units = n % 5 === 0 ? BATCH : 1;
      const { status, text } = await (units === 1
        ? client.get(LINES, key)
        : client.post(`${LINES.split('?')[0]}:batch`, key, points(units)));
      if (status === 200) answered += units;
      else expect({ status, text }).toMatchObject({ status: 429 });
      return status === 429 && text.includes('quota');
    };
    // Units that a thread holds and does not need are given back within seconds.
    await until(async () => {
      const ended = await Promise.all(all.map(ask));
      return answered >= MONTH_UNITS && ended.every(Boolean);
    });
    expect(answered).toBe(MONTH_UNITS);
    await until(async () => (await unitsOf(key)) === MONTH_UNITS);
    await closeAll(all);
  });

  test('a burst is the plan’s for both together', async () => {
    const key = await of.mint({ tier: 'free' });
    const all = clients();
    const sinceMs = performance.now();
    let answered = 0;
    const ask = async (client: OneConnection): Promise<void> => {
      for (let turn = 0; turn < 4; turn++) {
        const { status } = await client.get(LINES, key);
        expect([200, 429]).toContain(status);
        answered += status === 200 ? 1 : 0;
      }
    };
    await Promise.all(all.map(ask));
    const regained = ((performance.now() - sinceMs) / 1_000) * PER_SECOND;
    // Each has its half of two seconds' requests.
    expect(answered).toBeGreaterThanOrEqual(2 * PER_SECOND - 2);
    expect(answered).toBeLessThanOrEqual(2 * PER_SECOND + regained);
    await closeAll(all);
  });

  test('a revoked key is refused everywhere within a second', async () => {
    const key = await of.mint();
    const all = clients();
    let revokedMs = Infinity;
    let lastMs = 0;
    const end = new AbortController();
    const ask = async (client: OneConnection): Promise<void> => {
      while (!end.signal.aborted) {
        const askedMs = performance.now();
        const { status } = await client.get(LINES, key);
        if (status === 200) lastMs = Math.max(lastMs, askedMs);
        else
          expect({ status, isRevoked: askedMs >= revokedMs - 100 }).toMatchObject({ status: 401 });
        await sleep(5);
      }
    };
    const asking = Promise.all(all.map(ask));
    await sleep(500);
    const { keys, keyAdmin } = of.accounts;
    const principal = await keys.find(key);
    if (principal === null) throw new Error('The key is not known.');
    await keyAdmin.revoke(principal.accountId, principal.keyId);
    revokedMs = performance.now();
    await sleep(3_000);
    end.abort();
    await asking;
    console.log(`answered last ${Math.round(lastMs - revokedMs)} ms after the revocation`);
    expect(lastMs - revokedMs).toBeLessThan(1_000);
    await closeAll(all);
  });

  test(
    `the bill is what was answered, over ${KILLS} kills of threads and processes`,
    { timeout: 120_000 + KILLS * 2 * HANG_MS },
    async () => {
      const key = await of.mint({ permission: 'jobs' });
      const load = new Load(of.programs, key);
      const job = await startJob(of.programs, key);
      const asking = load.run();
      for (let kill = 1; kill <= KILLS; kill++) await killOne(of.programs, kill);
      await load.stop(asking);
      const state = await untilCompleted(of.programs, { job, key });
      expect(state).toMatchObject({ succeeded: JOB_ROWS, billedUnits: JOB_ROWS });
      await expectBilled(load, { job, key });
    },
  );

  async function unitsOf(key: string): Promise<number> {
    const principal = await of.accounts.keys.find(key);
    const { rows } = await sql<{ units: number }>`
      select coalesce(sum(units), 0)::int as units from usage_line
      where account_id = ${principal?.accountId ?? ''}`.execute(of.store.db);
    return rows[0]?.units ?? 0;
  }

  /** Every answer that came is on it once, and of those that were lost no more than one line each. */
  async function expectBilled(load: Load, { job, key }: JobOf): Promise<void> {
    const read = async () => {
      const principal = await of.accounts.keys.find(key);
      const { rows } = await sql<{ id: string; times: number; units: number }>`
        select request_id as id, count(*)::int as times, sum(units)::int as units from usage_line
        where account_id = ${principal?.accountId ?? ''} and journal <> ${job}
        group by request_id`.execute(of.store.db);
      return new Map(rows.map((row) => [row.id, row]));
    };
    await until(async () => {
      const billed = await read();
      return [...load.received].every((id) => billed.has(id));
    });
    const billed = await read();
    expect([...billed.values()].filter(({ times, units }) => times !== 1 || units !== 1)).toEqual(
      [],
    );
    expect([...billed.keys()].filter((id) => !load.received.has(id) && !load.lost.has(id))).toEqual(
      [],
    );
    const ofLost = billed.size - load.received.size;
    console.log(
      `${KILLS} kills: ${load.received.size} answers, ${load.lost.size} lost, ${ofLost} of them billed; ` +
        `${load.refused} refused; a job of ${JOB_ROWS} rows`,
    );
    expect(load.received.size).toBeGreaterThan(KILLS);
  }
});

interface JobOf {
  readonly job: string;
  readonly key: string;
}

const points = (count: number): object => ({
  punkter: Array.from({ length: count }, () => ({ lon, lat })),
});

async function closeAll(all: readonly OneConnection[]): Promise<void> {
  await Promise.all(all.map((client) => client.close()));
}

/** One in ten is a whole process; threads are ended where all of them run. */
async function killOne(programs: readonly Running[], kill: number): Promise<void> {
  const program = programs[kill % 2]!;
  await sleep(random.between(20, 200));
  if (kill % 10 === 0) {
    await program.killProcess();
    return;
  }
  const thread = 1 + (kill % (THREADS - 1));
  await program.endThread(thread);
}

/** Clients that ask on, whoever is killed: a lost connection is opened again, anywhere. */
class Load {
  readonly received = new Set<string>();
  readonly lost = new Set<string>();
  refused = 0;
  readonly #programs: readonly Running[];
  readonly #key: string;
  #isOver = false;
  #asked = 0;

  constructor(programs: readonly Running[], key: string) {
    this.#programs = programs;
    this.#key = key;
  }

  async run(): Promise<void> {
    await Promise.all(Array.from({ length: 16 }, () => this.#client()));
  }

  async stop(asking: Promise<void>): Promise<void> {
    this.#isOver = true;
    await asking;
  }

  async #client(): Promise<void> {
    while (!this.#isOver) {
      const { base } = random.pick(this.#programs);
      if (base === null) await sleep(20);
      else await this.#connection(base);
    }
  }

  async #connection(base: string): Promise<void> {
    const connection = new OneConnection(base);
    for (let turn = 0; turn < 200 && !this.#isOver; turn++) {
      const id = `load-${(this.#asked += 1)}`;
      try {
        const { status } = await connection.get(LINES, this.#key, { 'x-request-id': id });
        if (status === 200) this.received.add(id);
        else this.refused += 1;
        await sleep(status === 200 ? 2 : 50);
      } catch {
        this.lost.add(id);
        break;
      }
    }
    await connection.close();
  }
}

const JOB_ROWS = Math.min(5_000, 50 * KILLS);

/** Asked of one process after the other until one answers. */
async function ofEither(
  programs: readonly Running[],
  { path, key, init = {} }: { path: string; key: string; init?: RequestInit },
): Promise<Record<string, unknown>> {
  for (;;) {
    const { base } = random.pick(programs);
    const headers = { authorization: `Bearer ${key}`, ...(init.headers as object) };
    const answer = await (base === null
      ? null
      : fetch(`${base}/v1/jobs${path}`, { ...init, headers }).catch(() => null));
    if (answer?.ok === true) return (await answer.json()) as Record<string, unknown>;
    // A command that was heard before the process was killed.
    if (answer?.status === 409) return {};
    const isLater = answer === null || answer.status === 429 || answer.status >= 500;
    if (!isLater) throw new Error(await answer.text());
    await sleep(50);
  }
}

async function startJob(programs: readonly Running[], key: string): Promise<string> {
  const columns = { x: 'x', y: 'y' };
  const post = (path: string, body: string, type: string) =>
    ofEither(programs, {
      ...{ path, key },
      init: {
        ...{ method: 'POST', body },
        headers: { 'content-type': type, 'idempotency-key': `${path} once` },
      },
    });
  const draft = { kind: 'miljoe', columns, srid: 25832, start: false };
  const { job } = (await post('', JSON.stringify(draft), 'application/json')) as {
    job: { id: string };
  };
  const rows = Array.from(
    { length: JOB_ROWS },
    (_, n) => `${xUtm32 + (n % 9)};${yUtm32 + (n % 8)}`,
  );
  await post(`/${job.id}/rows`, `x;y\r\n${rows.join('\r\n')}\r\n`, 'text/csv');
  await post(`/${job.id}/start`, '', 'application/json');
  return job.id;
}

async function untilCompleted(programs: readonly Running[], { job, key }: JobOf): Promise<object> {
  let state: Record<string, unknown> = {};
  await until(
    async () => {
      const answer = await ofEither(programs, { path: `/${job}`, key });
      state = answer['job'] as Record<string, unknown>;
      return state['status'] === 'completed';
    },
    { withinMs: 120_000, everyMs: 200, seen: () => JSON.stringify(state) },
  );
  return state;
}
