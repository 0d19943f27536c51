/**
 * The engine over a real store: units to the last one and never more, leases, pause and cancel at the
 * borders of chunks, turns between accounts, retention, and what a bill is made of.
 */
import { appendFileSync, mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeEach, describe, expect, inject, test } from 'vitest';
import { concurrencyBeside } from '../../src/jobs/concurrency.ts';
import { EngineCache, SnapshotSet } from '../../src/core/held/snapshot-set.ts';
import { JOB_LIMITS } from '../../src/jobs/limits.ts';
import type { Action } from '../../src/jobs/state.ts';
import { journalDirectory } from '../../src/metering/journal.ts';
import { monthOf } from '../../src/metering/calendar.ts';
import { recomputeBill } from '../../src/metering/usage.ts';
import { plansOf, tallyOf } from '../metering/metering-fixture.ts';
import { answersSuite } from './answers.ts';
import { everyCellSuite } from './every-cell.ts';
import { filesSuite } from './files.ts';
import {
  GOOD,
  METRES,
  actAs,
  addJob,
  addOwner,
  linesOf,
  openJobBench,
  runningOn,
  stateOf,
  until,
} from './job-bench.ts';
import { jobKeysSuite } from './job-keys.ts';
import type { NewJob, Owner } from './job-bench.ts';
import { opened } from '../support/opened.ts';
import { HANG_MS } from '../support/run-settings.ts';
import { addEndpoint } from '../webhooks/webhook-bench.ts';

// What takes its time, or is the same whatever store it lies in: once is enough.
const isPostgres = inject('storeTemplate').kind === 'postgres';

const bench = await opened(openJobBench());
let owner: Owner;
beforeEach(async () => {
  owner = await addOwner(bench.store);
});

/** Of a runner with one thread. */
const PLACES = 3;
const BAD = ['her', 'der'];
function job(rows: number, change: Partial<NewJob> = {}): Promise<string> {
  const some = Array.from({ length: rows }, (_, n) => (n % 5 === 4 ? BAD : GOOD));
  return addJob(bench.store, { ...owner, ...METRES, rows: some, chunkRows: 100, ...change });
}

const running = runningOn(() => bench);

/** What was begun is ended first. */
async function untilNobodyWorksOn(id: string): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      select from job_chunk where job_id = ${id} and state = 'leased'`.execute(bench.store.db);
    if (rows.length === 0) return;
    await sleep(20);
  }
}

const act = (id: string, action: Action) => actAs(bench, owner, { id, action });

describe('a job', () => {
  test('puts every row on file once, and its bill can be counted again', async () => {
    const id = await job(1_050);
    const state = await running({}, () => until(bench.store, id));
    expect(state).toMatchObject({ status: 'completed', succeeded: 840, failed: 210 });
    expect(state.billed_units).toBe(840);
    const { results, errors } = await linesOf(bench.store, id);
    const numbers = [...results, ...errors].map(({ raekke }) => raekke).sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 1_050 }, (_, n) => n + 1));
    expect(results.map(({ raekke }) => raekke)).toEqual(
      [...results.map(({ raekke }) => raekke)].sort((a, b) => a - b),
    );
    const month = monthOf(bench.deps.clock.nowMs());
    const bill = await recomputeBill(bench.store, { accountId: owner.accountId, month });
    expect(bill).toMatchObject({ agrees: true, unitsOfLines: 840, lines: 11 });
    expect(await tallyOf(bench.store, owner.accountId)).toMatchObject({ outstanding: 0 });
  });

  test('tells of its end once, with what is on record then; of a test key too', async () => {
    await addEndpoint(bench.store, owner.accountId, ['job.completed', 'job.failed']);
    const live = await job(10);
    const tried = await job(10, { environment: 'test' });
    const empty = await job(0);
    await running({ times: { sweepMs: 50 } }, async () => {
      for (const id of [live, tried, empty]) await until(bench.store, id);
    });
    const { rows } = await sql<{ event: string; data: Record<string, unknown> }>`
      select event, data from account_event
      where account_id = ${owner.accountId} and event like 'job.%'`.execute(bench.store.db);
    expect(rows.map(({ event }) => event)).toEqual(Array(3).fill('job.completed'));
    const told = new Map(rows.map(({ data }) => [data['job_id'], data]));
    const about = { kind: 'dagi', label: null };
    expect(told.get(live)).toEqual({
      ...{ job_id: live, ...about, total_rows: 10, succeeded: 8, failed: 2, billed_units: 8 },
    });
    expect(told.get(tried)).toMatchObject({ succeeded: 8, billed_units: 0 });
    expect(told.get(empty)).toMatchObject({ total_rows: 0, succeeded: 0, failed: 0 });
    // It counts, and bills nothing.
    const { rows: used } = await sql`
      select used from usage_month where account_id = ${owner.accountId}
        and environment = 'test'`.execute(bench.store.db);
    expect(used).toEqual([{ used: 8 }]);
  });
});

describe('the month', () => {
  test('is used to the last unit and not one more; then the job says so and waits', async () => {
    const id = await job(1_000);
    const few = plansOf(333);
    const state = await running({ plans: few }, () => until(bench.store, id, ['paused']));
    expect(state.succeeded).toBe(333);
    expect(state.error).toContain('quota of 333 units');
    const tally = await tallyOf(bench.store, owner.accountId);
    expect(tally).toMatchObject({ used: 333, units: 333, outstanding: 0 });
    // Turned, or the plan grown: it goes on where it stopped.
    await act(id, 'resume');
    const whole = await running({}, () => until(bench.store, id));
    expect(whole).toMatchObject({ status: 'completed', succeeded: 800, failed: 200 });
    expect((await linesOf(bench.store, id)).results).toHaveLength(800);
  });

  test('pays a drawn area with five units, whole or not at all, and a refused one with none', async () => {
    const square = (size: number, height = 100) => {
      const [east, north] = [645_000 + size, 6_312_000 + height];
      const corners = `645000 6312000, ${east} 6312000, ${east} ${north}, 645000 ${north}, 645000 6312000`;
      return [`POLYGON((${corners}))`];
    };
    const crossing = [
      'POLYGON((645000 6312000, 645080 6312060, 645080 6312000, 645000 6312060, 645000 6312000))',
    ];
    const rows = [
      square(50),
      ['POINT(1 2)'],
      square(30_000, 1_000),
      crossing,
      square(60),
      [''],
      square(70),
    ];
    const id = await addJob(bench.store, {
      ...{ ...owner, ...METRES, kind: 'miljoe', rows },
      ...{ columns: { wkt: 'Omrids' }, inputColumns: ['Omrids'] },
    });
    const few = plansOf(13);
    const state = await running({ plans: few }, () => until(bench.store, id, ['paused']));
    expect(state).toMatchObject({ succeeded: 2, failed: 4, billed_units: 10 });
    const tally = await tallyOf(bench.store, owner.accountId);
    expect(tally).toMatchObject({ used: 10, units: 10, outstanding: 0 });
    const { errors } = await linesOf(bench.store, id);
    expect(errors.map(({ raekke, status }) => [raekke, status])).toEqual(
      [2, 3, 4, 6].map((n) => [n, 400]),
    );
    const [point, large, crossed, empty] = errors.map(({ error }) => String(error));
    for (const each of [point, large, crossed, empty]) expect(each).toContain('"Omrids" (wkt)');
    expect(point).toContain('a Polygon or MultiPolygon');
    expect(large).toMatch(/30\.0 km²; it may be 25\.0/);
    expect(crossed).toContain('not valid');
    await act(id, 'resume');
    const whole = await running({}, () => until(bench.store, id));
    expect(whole).toMatchObject({ status: 'completed', succeeded: 3, billed_units: 15 });
    const month = monthOf(bench.deps.clock.nowMs());
    const bill = await recomputeBill(bench.store, { accountId: owner.accountId, month });
    expect(bill).toMatchObject({ agrees: true, unitsOfLines: 15 });
  });

  test('is never passed by jobs and runners side by side', async ({ onTestFinished }) => {
    const limits = JOB_LIMITS as { unitsWaitMs: number };
    const { unitsWaitMs: usual } = limits;
    const ids = await Promise.all([job(600), job(600), job(600)]);
    // Nobody pauses while another may return units, however long a busy machine answers rows.
    limits.unitsWaitMs = 10 * HANG_MS;
    onTestFinished(() => void (limits.unitsWaitMs = usual));
    const few = { plans: plansOf(777) };
    await running(few, () =>
      running(few, async () => {
        for (const id of ids) await until(bench.store, id, ['paused']);
      }),
    );
    const states = await Promise.all(ids.map((id) => stateOf(bench.store, id)));
    expect(states.reduce((sum, { succeeded }) => sum + succeeded, 0)).toBe(777);
    expect(await tallyOf(bench.store, owner.accountId)).toMatchObject({ used: 777, units: 777 });
  });
});

test('gives way while somebody is answered on this machine, and is whole all the same', async () => {
  const directory = journalDirectory(bench.store.dataDir);
  mkdirSync(directory, { recursive: true });
  await running({}, async (runner) => {
    expect(runner.view().places).toBe(PLACES);
    const { places } = concurrencyBeside(PLACES, availableParallelism());
    let most = 0;
    const answers = setInterval(() => {
      appendFileSync(join(directory, 'aaaa-1.journal'), 'an answer\n');
      most = Math.max(most, runner.view().underWay);
    }, 5);
    try {
      // No job is there yet, so that no chunk was begun when nobody was answered.
      await expect.poll(() => runner.view().places, { timeout: HANG_MS }).toBe(places);
      for (const id of await Promise.all([job(1_200), job(1_200)])) {
        const state = await until(bench.store, id);
        expect(state).toMatchObject({ status: 'completed', succeeded: 960, failed: 240 });
      }
      expect(most).toBeGreaterThan(0);
      expect(most).toBeLessThanOrEqual(places);
    } finally {
      clearInterval(answers);
    }
  });
});

test('an account that is closed is not worked for', async () => {
  const id = await job(100);
  await sql`update account set closed_at = now() where id = ${owner.accountId}`.execute(
    bench.store.db,
  );
  const open = await addOwner(bench.store);
  await running({}, async () => until(bench.store, await job(100, open)));
  expect(await stateOf(bench.store, id)).toMatchObject({ status: 'queued', billed_units: 0 });
  await sql`delete from job where id = ${id}`.execute(bench.store.db);
});

describe.runIf(isPostgres)('a lease', () => {
  test('that ends is taken up by another, and what the first wrote late is not counted', async () => {
    const id = await job(100);
    await sql`
      update job set status = 'running' where id = ${id}`.execute(bench.store.db);
    await sql`
      update job_chunk set state = 'leased', lease_owner = 'dead', attempts = 1,
        lease_until = now() + interval '300 ms' where job_id = ${id}`.execute(bench.store.db);
    const state = await running({}, () => until(bench.store, id));
    expect(state).toMatchObject({ status: 'completed', succeeded: 80, failed: 20 });
  });

  test('of a chunk that breaks its workers ends the job, and says which rows', async () => {
    const id = await job(200);
    await sql`update job_chunk set attempts = 60 where job_id = ${id} and chunk = 1`.execute(
      bench.store.db,
    );
    const state = await running({}, () => until(bench.store, id));
    expect(state).toMatchObject({ status: 'failed' });
    expect(state.error).toContain('Rows 101 to 200');
  });
});

describe.runIf(isPostgres)('data', () => {
  test('that is published while a job runs is for the next one: a job has one generation', async () => {
    const first = bench.memory.current!;
    const memory = { current: first };
    const id = await job(6_000, { chunkRows: 200 });
    await running({ memory }, async () => {
      await until(bench.store, id, ['running']);
      memory.current = new SnapshotSet(first.generation + 1, first.layers, new EngineCache());
      const state = await until(bench.store, id);
      expect(state.generation).toBe(first.generation);
      const next = await job(100);
      expect(await until(bench.store, next)).toMatchObject({ generation: first.generation + 1 });
    });
    const { results } = await linesOf(bench.store, id);
    expect(new Set(results.map(({ generation }) => generation))).toEqual(
      new Set([first.generation]),
    );
  });

  test('of a generation that is gone is followed by the newest, and the job says so', async () => {
    const { generation } = bench.memory.current!;
    const id = await job(100);
    await sql`
      update job set generation = 0, status = 'running', updated_at = now() - interval '1 minute'
      where id = ${id}`.execute(bench.store.db);
    expect(await running({}, () => until(bench.store, id))).toMatchObject({ generation });
  });
});

test('addresses that cannot be built into memory are waited for, an hour at most, and the job says so', async () => {
  const still = () =>
    sql`update job set updated_at = updated_at - interval '2 hours'`.execute(bench.store.db);
  const text = { kind: 'datavask', columns: { adresse: 'a' }, inputColumns: ['a'] } as const;
  const id = await addJob(bench.store, { ...owner, ...text, rows: [['Ågade 1, 9991 Prøveby']] });
  await still();
  const error = (words: string) => expect.stringContaining(words) as string;
  await bench.runner().noteLoading();
  expect(await stateOf(bench.store, id)).toMatchObject({ error: error('reading its registers') });
  await sql`update job set updated_at = now() - interval '1 minute' where id = ${id}`.execute(
    bench.store.db,
  );
  let lacks = true;
  await running({ lacksAddresses: () => lacks, times: { sweepMs: 50 } }, async () => {
    await until(bench.store, await job(100));
    const seen = expect.poll(() => stateOf(bench.store, id), { timeout: HANG_MS });
    await seen.toMatchObject({ status: 'queued', error: error('after an hour') });
    await still();
    await seen.toMatchObject({ status: 'paused', failed: 0, error: error('after an hour') });
    lacks = false;
    await act(id, 'resume');
    expect(await until(bench.store, id)).toMatchObject({ status: 'completed', error: null });
  });
});

describe.runIf(isPostgres)('a disk without room', () => {
  test('holds a job up until there is some, and nothing is lost or counted twice', async () => {
    const { db } = bench.store;
    await sql`
      create function no_room() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`.execute(
      db,
    );
    await sql`
      create trigger no_room before update of output on job_chunk
      for each row when (new.output is not null) execute function no_room()`.execute(db);
    const id = await job(500);
    await running({ times: { leaseMs: 300, leaseRenewMs: 100 } }, async () => {
      await until(bench.store, id, ['running']);
      await expect
        .poll(() => stateOf(bench.store, id))
        .toMatchObject({
          status: 'running',
          succeeded: 0,
          error: expect.stringContaining('no room for more results') as string,
        });
      // It is tried again meanwhile.
      await sleep(500);
      expect(await stateOf(bench.store, id)).toMatchObject({ status: 'running', succeeded: 0 });
      await sql`drop trigger no_room on job_chunk`.execute(db);
      await sql`drop function no_room`.execute(db);
      const ended = await until(bench.store, id);
      expect(ended).toMatchObject({ status: 'completed', succeeded: 400, error: null });
    });
    const tally = await tallyOf(bench.store, owner.accountId);
    expect(tally).toMatchObject({ used: 400, units: 400, days: 400, outstanding: 0 });
  });
});

describe.runIf(isPostgres)('commands', () => {
  test('pause and cancel hold at the border of a chunk, and what is answered stays', async () => {
    const id = await job(6_000);
    await running({ slow: true }, async () => {
      await until(bench.store, id, ['running']);
      await sleep(100);
      await act(id, 'pause');
      await untilNobodyWorksOn(id);
      const paused = await stateOf(bench.store, id);
      await sleep(200);
      expect(await stateOf(bench.store, id)).toEqual(paused);
      expect((paused.succeeded + paused.failed) % 100).toBe(0);
      await act(id, 'resume');
      await sleep(100);
      const { succeeded } = await act(id, 'cancel');
      await untilNobodyWorksOn(id);
      const cancelled = await stateOf(bench.store, id);
      expect(cancelled).toMatchObject({ status: 'cancelled', succeeded });
      const { results, errors } = await linesOf(bench.store, id);
      expect(results.length + errors.length).toBe(cancelled.succeeded + cancelled.failed);
    });
    expect(await tallyOf(bench.store, owner.accountId)).toMatchObject({ outstanding: 0 });
  });

  test('an account with one small job does not wait behind one with many large', async () => {
    await Promise.all([job(8_000), job(8_000), job(8_000)]);
    const other = await addOwner(bench.store);
    await running({}, async () => {
      await sleep(150);
      const small = await addJob(bench.store, {
        ...other,
        ...METRES,
        rows: Array.from({ length: 300 }, () => GOOD),
        chunkRows: 100,
      });
      await until(bench.store, small, ['completed']);
      const { rows } = await sql<{ waiting: number }>`
        select count(*)::int as waiting from job_chunk c join job j on j.id = c.job_id
        where j.account_id = ${owner.accountId} and c.state = 'waiting'`.execute(bench.store.db);
      expect(rows[0]!.waiting).toBeGreaterThan(60);
      await sql`delete from job where account_id = ${owner.accountId}`.execute(bench.store.db);
    });
  });
});

test('rows of a job that ended long ago go, and its record says so', async () => {
  const id = await job(20);
  await running({}, () => until(bench.store, id));
  await running({ times: { retentionMs: 0, sweepMs: 20 } }, async () => {
    const left = async () => {
      const { rows } = await sql<{ chunks: number; gone: boolean }>`
        select (select count(*)::int from job_chunk where job_id = ${id}) as chunks,
          rows_deleted_at is not null as gone from job where id = ${id}`.execute(bench.store.db);
      return rows;
    };
    await expect.poll(left).toEqual([{ chunks: 0, gone: true }]);
  });
});
describe.runIf(isPostgres)('answers', () => answersSuite(() => bench));
describe.runIf(isPostgres)('cells', () => everyCellSuite(() => bench));
describe.runIf(isPostgres)('files', () => filesSuite(() => bench));
describe('keys', () => jobKeysSuite(() => bench));
