/**
 * Past one machine, under load: the primary is lost and its replica promoted, the leader of the syncs is cut off
 * from the store and then killed in the middle of a run, a front is killed, and one machine's clock is five
 * minutes wrong. Lookups go on, one process leads at a time, and the bill is exact.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mintFirstKey } from '../../src/account/first-key.ts';
import { openStore } from '../../src/db/connect.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { doorTo } from '../support/door.ts';
import type { Door } from '../support/door.ts';
import { freePort } from '../support/free-port.ts';
import { copyMirrored } from '../support/mirrored-store.ts';
import { ownFolder } from '../support/opened.ts';
import { findPostgres } from '../support/postgres-binaries.ts';
import { runSql, startCluster } from '../support/postgres-cluster.ts';
import type { Cluster } from '../support/postgres-cluster.ts';
import { LOOKUP, generousPlans, isKnown } from '../support/steady-load.ts';
import { until } from '../support/until.ts';
import { startProgram } from '../support/whole-service.ts';
import type { StartedProgram } from '../support/whole-service.ts';
import { ROOT } from '../support/repository.ts';

const DATABASE = 'geoopslag';
const here = process.env['TEST_STORE'] === 'postgres' && findPostgres() !== null;
const log = { error: () => undefined };
const CLOCK_AHEAD_MS = 5 * 60_000;
/** The longest that a lookup may take: a replica that has gone is given up for the primary before. */
const LOOKUP_MS = 15_000;

interface Front {
  readonly name: string;
  readonly lines: readonly Door[];
  readonly env: Readonly<Record<string, string>>;
  program: StartedProgram;
  base: string;
  isUp: boolean;
}

const dir = ownFolder('failover');
let primary: Cluster;
let standby: Cluster;
/** Over both servers, whichever is the primary. */
let eye: pg.Pool;
let key: string;
let settings: Record<string, string>;
const fronts: Front[] = [];
let workers: StartedProgram[];
const closing: (() => Promise<unknown>)[] = [];
const load = { answered: 0, broken: 0, failures: [] as string[], jobs: [] as string[] };
let phase = 'quiet';

const rowsOf = async <T extends pg.QueryResultRow>(text: string): Promise<T[]> =>
  (await eye.query<T>(text)).rows;
const oneOf = async <T extends pg.QueryResultRow>(text: string): Promise<T> =>
  (await rowsOf<T>(text))[0]!;

/** What the store itself records: who took the lead, and under which lead a run published. */
const RECORD = `
  create table lead_taken (epoch bigint, holder text, at timestamptz default clock_timestamp());
  create function note_lead() returns trigger language plpgsql as $$ begin
    insert into lead_taken (epoch, holder) values (new.epoch, new.holder); return new; end $$;
  create trigger lead after insert or update of epoch on sync_lease
    for each row execute function note_lead();
  create table run_ended (id bigint, epoch integer, led integer);
  create function note_run() returns trigger language plpgsql as $$ begin
    if new.state in ('published', 'unchanged') and old.state = 'running' then
      insert into run_ended select new.id, new.lease_epoch, l.epoch from sync_lease l;
    end if; return new; end $$;
  create trigger run after update on sync_run for each row execute function note_run();`;

/** Every layer's last night has been missed, and no copy is past its limit. */
const makeDue = () =>
  eye.query(`with runs as (update sync_run set started_at = now() - interval '26 hours',
      ended_at = now() - interval '26 hours' where state <> 'running')
    update layer_state set synced_at = now() - interval '26 hours'`);

const leading = () =>
  oneOf<{ holder: string; epoch: number }>('select holder, epoch::integer from sync_lease');

async function leadingFront(): Promise<Front> {
  const { holder } = await leading();
  const [, pid] = holder.split('/');
  return fronts.find(({ program }) => String(program.pid) === pid)!;
}

const isRunning = async (epoch: number): Promise<boolean> =>
  (await rowsOf(`select from sync_run where state = 'running' and lease_epoch = ${epoch}`)).length >
  0;

/** Who leads while a run of theirs goes on: on a busy machine the lead may change hands before one begins. */
async function leadInRun(): Promise<number> {
  let epoch = 0;
  await until(async () => {
    ({ epoch } = await leading());
    return isRunning(epoch);
  });
  return epoch;
}

async function startFront(name: string, more: Record<string, string>): Promise<Front> {
  const servers = [primary, standby].map((each) => Number(new URL(each.url('x')).port));
  const lines = await Promise.all(servers.map(doorTo));
  closing.push(() => Promise.all(lines.map((line) => line.slam())));
  const [a, b] = lines.map(({ port }) => `127.0.0.1:${port}`);
  const data = join(dir, name);
  mkdirSync(data, { recursive: true });
  const at = `${DATABASE}?target_session_attrs`;
  const env = {
    ...settings,
    ...{
      DATA_DIR: data,
      JOBS: 'off',
      DATABASE_URL: `postgres://postgres@${a},${b}/${at}=read-write`,
    },
    ...{ DATABASE_READ_URL: `postgres://postgres@${b},${a}/${at}=prefer-standby` },
    ...more,
  };
  const front = { name, lines, env, isUp: false, base: '', program: startProgram(env) };
  closing.push(() => front.program.stop());
  await comeUp(front);
  return front;
}

async function comeUp(front: Front): Promise<void> {
  front.base = await front.program.base();
  await front.program.until(async () => {
    const ready = await fetch(`${front.base}/readyz`);
    return ready.ok && (await lookUp(front.base)) === null ? true : undefined;
  });
  front.isUp = true;
}

const headers = () => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' });

/** null: it was answered; else how not. */
async function lookUp(base: string): Promise<string | null> {
  const answer = await fetch(base + LOOKUP, {
    headers: headers(),
    signal: AbortSignal.timeout(LOOKUP_MS),
  });
  const text = await answer.text();
  if (answer.ok && isKnown(text)) load.answered += 1;
  return answer.ok ? null : `${answer.status} ${text.slice(0, 200)}`;
}

/** As a balancer does: where a front breaks off, or says that it is starting, another one is tried. */
async function lookUpSomewhere(turn: number): Promise<void> {
  const open = fronts.filter(({ isUp }) => isUp);
  for (let tried = 0; tried < open.length; tried += 1) {
    const front = open[(turn + tried) % open.length]!;
    try {
      const failure = await lookUp(front.base);
      if (failure?.includes('"starting"') === true) continue;
      if (failure !== null) load.failures.push(`${front.name}, ${phase}: ${failure}`);
      return;
    } catch (error) {
      load.broken += 1;
      if (front.isUp)
        load.failures.push(`${front.name}: ${String((error as Error).cause ?? error)}`);
    }
  }
}

async function sendJob(base: string): Promise<boolean> {
  const rows = Array.from({ length: 500 }, () => ({ x: 647650, y: 6314000 }));
  const answer = await fetch(`${base}/v1/jobs`, {
    method: 'POST',
    headers: headers(),
    body: JSON.stringify({ kind: 'dagi', srid: 25832, rows }),
    signal: AbortSignal.timeout(LOOKUP_MS),
  }).catch(() => null);
  if (answer === null || !answer.ok) return false;
  load.jobs.push(((await answer.json()) as { job: { id: string } }).job.id);
  return true;
}

function startLoad(): () => Promise<void> {
  const stop = new AbortController();
  const clients = Array.from({ length: 6 }, async (_, turn) => {
    for (; !stop.signal.aborted; turn += 1) {
      await lookUpSomewhere(turn);
      await sleep(20);
    }
  });
  const sender = (async () => {
    while (!stop.signal.aborted) {
      const open = fronts.filter(({ isUp }) => isUp);
      await sendJob(open[load.jobs.length % open.length]!.base);
      await sleep(1_000);
    }
  })();
  return async () => {
    stop.abort();
    await Promise.all([...clients, sender]);
  };
}

async function losePrimary(): Promise<void> {
  primary.kill();
  await sleep(3_000);
  await standby.promote();
  await until(() => sendJob(fronts[0]!.base), { everyMs: 100 });
}

/** The leader in the middle of a run no longer reaches the store, and is not told. */
async function cutLeader(): Promise<void> {
  await makeDue();
  const epoch = await leadInRun();
  const front = await leadingFront();
  for (const line of front.lines) line.silent = true;
  await until(async () => (await leading()).epoch > epoch);
  await leadInRun();
  for (const line of front.lines) await line.renew();
}

async function killLeader(): Promise<void> {
  const running = () => rowsOf(`select from sync_run where state = 'running'`);
  await until(async () => (await running()).length === 0, { everyMs: 200 });
  await makeDue();
  const epoch = await leadInRun();
  const front = await leadingFront();
  front.isUp = false;
  await front.program.kill();
  await until(async () => (await leading()).epoch > epoch);
  await until(
    async () => {
      const { n } = await oneOf<{ n: number }>(
        `select count(*)::integer as n from layer_state where synced_at < now() - interval '25 hours'`,
      );
      return n === 0;
    },
    { everyMs: 200 },
  );
  front.program = startProgram(front.env);
  await comeUp(front);
}

describe.skipIf(!here)('past one machine', () => {
  beforeAll(async () => {
    primary = await startCluster({ port: await freePort() });
    closing.push(() => primary.stop());
    const url = primary.url(DATABASE);
    const server = primary.url('postgres');
    await runSql(server, `create database ${DATABASE}`);
    await copyMirrored('served', url);
    standby = await startCluster({ port: await freePort(), standbyOf: server });
    closing.push(() => standby.stop());
    // What is committed is on both, as deploy/kubernetes/examples/cloudnative-pg.yaml has it.
    await runSql(server, `alter system set synchronous_standby_names = '*'`);
    await runSql(server, 'select pg_reload_conf()');
    const store = await openStore({ databaseUrl: url, dataDir: dir, log });
    key = (await mintFirstKey(store, systemClock))!;
    await store.pool.query(RECORD);
    await store.close();
    const places = [primary, standby].map((each) => new URL(each.url('x')).host).join(',');
    const databaseUrl = `postgres://postgres@${places}/${DATABASE}`;
    // The product's own way to the primary.
    const own = await openStore({ databaseUrl, dataDir: dir, log });
    eye = own.pool;
    closing.push(() => own.close());
    settings = { PLANS_FILE: generousPlans(dir), WEBHOOKS: 'off', LOG_LEVEL: 'info' };
    const started = await Promise.all([
      startFront('leader-1', {}),
      startFront('leader-2', {
        CLOCK_AHEAD_MS: String(CLOCK_AHEAD_MS),
        NODE_OPTIONS: `--import=${join(ROOT, 'test/support/wrong-clock.ts')}`,
      }),
      // Every lookup asks the store.
      startFront('store-rung', { LOOKUPS: 'store', SYNC: 'off' }),
    ]);
    fronts.push(...started);
    workers = [1, 2].map((n) => {
      const data = join(dir, `worker-${n}`);
      mkdirSync(data);
      const env = { ...settings, DATA_DIR: data, DATABASE_URL: databaseUrl };
      const program = startProgram(env, { main: join(ROOT, 'src/start/work.ts') });
      closing.push(() => program.stop());
      return program;
    });
  });
  afterAll(async () => {
    for (const close of closing.toReversed()) await close();
  });

  test('lookups go on, one leads at a time, and the bill is exact to the unit', async () => {
    const stop = startLoad();
    await sleep(5_000);
    for (const [name, happens] of Object.entries({ losePrimary, cutLeader, killLeader })) {
      phase = name;
      await happens();
    }
    phase = 'quiet again';
    await sleep(5_000);
    await stop();
    await until(
      async () => {
        const { n } = await oneOf<{ n: number }>(
          'select count(*)::integer as n from job where completed_at is null',
        );
        return n === 0;
      },
      { everyMs: 200 },
    );
    // Where the end of a program has no time for its last lines they wait in its journal.
    await until(isBilled, { everyMs: 200, seen: () => `${load.answered} answered` }).catch(
      () => undefined,
    );
    await Promise.all(fronts.map(({ program }) => program.stop()));
    await Promise.all(workers.map((each) => each.stop()));

    expect(load.failures).toEqual([]);
    await expectOneLeader();
    await expectBill();
  });
});

async function expectOneLeader(): Promise<void> {
  const taken = await rowsOf<{ epoch: number; holder: string }>(
    'select epoch::integer, holder from lead_taken order by at',
  );
  const epochs = taken.map(({ epoch }) => epoch);
  expect(epochs).toEqual([...new Set(epochs)].toSorted((a, b) => a - b));
  expect(taken.length).toBeGreaterThanOrEqual(3);
  expect(new Set(taken.map(({ holder }) => holder)).size).toBeGreaterThanOrEqual(2);
  // Whatever a leader began and finished, it led then.
  const ended = await rowsOf<{ epoch: number | null; led: number }>('select * from run_ended');
  const led = ended.filter(({ epoch }) => epoch !== null);
  expect(led.length).toBeGreaterThan(20);
  expect(led.filter(({ epoch, led: then }) => epoch !== then)).toEqual([]);
}

async function isBilled(): Promise<boolean> {
  const { n } = await oneOf<{ n: number }>(
    `select coalesce(sum(units), 0)::integer as n from usage_line where journal !~ '^job_'`,
  );
  return n >= load.answered;
}

async function expectBill(): Promise<void> {
  const bill = await oneOf<Record<'lookups' | 'jobs' | 'used' | 'undone' | 'done', number>>(
    `select coalesce(sum(units) filter (where journal !~ '^job_'), 0)::integer as lookups,
       coalesce(sum(units) filter (where journal ~ '^job_'), 0)::integer as jobs,
       (select sum(used) from usage_month)::integer as used,
       (select count(*)::integer from job where succeeded + failed <> total_rows
         or status <> 'completed') as undone,
       (select sum(succeeded)::integer from job) as done
     from usage_line`,
  );
  expect(bill.undone).toBe(0);
  expect(bill.used).toBe(bill.lookups + bill.jobs);
  expect(bill.jobs).toBe(bill.done);
  // Every lookup that was answered, and of those whose front was killed what its journal has.
  expect(bill.lookups).toBeGreaterThanOrEqual(load.answered);
  expect(bill.lookups).toBeLessThanOrEqual(load.answered + load.broken);
  const { n } = await oneOf<{ n: number }>(
    `select count(*)::integer as n from job where id = any('{${load.jobs.join(',')}}')`,
  );
  expect(n).toBe(load.jobs.length);
}
