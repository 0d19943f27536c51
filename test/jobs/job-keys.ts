/**
 * Whose key a job bills (D70): a revoked one not one unit more, a rotated one goes on under the key in its
 * place, and what nobody touches for 30 days ends.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { createAccounts } from '../../src/account/accounts.ts';
import { createKeys } from '../../src/account/keys.ts';
import { rowErrorInDanish } from '../../src/core/rows/row-errors.ts';
import { claimChunk, endChunk } from '../../src/jobs/engine-store.ts';
import type { Claim } from '../../src/jobs/engine-store.ts';
import { packOutput } from '../../src/jobs/files/chunk-output.ts';
import { JOB_LIMITS } from '../../src/jobs/limits.ts';
import { Calendar } from '../../src/metering/calendar.ts';
import { plansOf, tallyOf } from '../metering/metering-fixture.ts';
import {
  GOOD,
  METRES,
  actAs,
  addJob,
  addKey,
  addOwner,
  runningOn,
  stateOf,
  until,
} from './job-bench.ts';
import type { JobBench, NewJob, Owner } from './job-bench.ts';

let bench: JobBench;
let owner: Owner;

const DRAFT = { status: 'draft' } as const;

const job = (rows: number, change: Partial<NewJob> = {}): Promise<string> =>
  addJob(bench.store, {
    ...owner,
    ...METRES,
    rows: Array.from({ length: rows }, () => GOOD),
    chunkRows: 100,
    ...change,
  });

const deps = () => ({ store: bench.store, clock: bench.deps.clock, onChange: () => undefined });
const keys = () => createKeys(deps());

const running = runningOn(() => bench);

/** Units on the bill of a key. */
async function billed({ keyId }: Pick<Owner, 'keyId'>): Promise<number> {
  const { rows } = await sql<{ units: number }>`
    select coalesce(sum(units), 0)::int as units from usage_line where key_id = ${keyId}`.execute(
    bench.store.db,
  );
  return rows[0]!.units;
}

const claim = async (token: string): Promise<Claim | null> => {
  const { found } = await claimChunk(bench.store, {
    token,
    leaseMs: 60_000,
    month: new Calendar().month(bench.deps.clock.nowMs()),
    plans: plansOf(1_000_000),
    generations: null,
    newest: () => null,
    ...{ resting: [], lacksAddresses: false },
  });
  return found !== null && 'rows' in found ? found : null;
};

async function write(claimed: Claim): Promise<string> {
  const nothing = new Uint8Array();
  const bytes = { csv: 0, lines: 0, places: 0 };
  const packed = packOutput({ csv: nothing, lines: nothing, places: nothing });
  const atMs = bench.deps.clock.nowMs();
  return endChunk(bench.store, {
    claim: claimed,
    output: {
      rows: claimed.rows,
      succeeded: claimed.rows,
      failed: 0,
      results: packed,
      errors: packed,
      resultBytes: bytes,
      errorBytes: bytes,
    },
    generation: null,
    atMs,
    day: new Calendar().date(atMs),
    plans: plansOf(1_000_000),
  });
}

/** Over a bench of the caller's. */
export function jobKeysSuite(opened: () => JobBench): void {
  beforeEach(async () => {
    bench = opened();
    owner = await addOwner(bench.store);
  });

  test('a revoked key bills nothing from the moment its revocation is told', async () => {
    const [long, other, draft] = [await job(4_000), await job(4_000), await job(100, DRAFT)];
    await running({ slow: true }, async () => {
      while ((await stateOf(bench.store, long)).succeeded < 200) await sleep(10);
      await keys().revoke(owner.accountId, owner.keyId);
      const units = await billed(owner);
      for (const id of [long, other]) {
        const { status, error } = await stateOf(bench.store, id);
        expect(status).toBe('paused');
        expect(error).toMatch(/key .* no longer works.*resume the job with another key/);
      }
      expect(await stateOf(bench.store, draft)).toMatchObject({ status: 'draft', error: null });
      // Time for what was under way to come back and be refused.
      await sleep(500);
      expect(await billed(owner)).toBe(units);
      const done = await Promise.all([long, other].map((id) => stateOf(bench.store, id)));
      expect(done.reduce((sum, { succeeded }) => sum + succeeded, 0)).toBe(units);
    });
    expect(await tallyOf(bench.store, owner.accountId)).toMatchObject({ outstanding: 0 });

    const next = await addKey(bench.store, owner.accountId);
    const units = await billed(owner);
    const { succeeded } = await stateOf(bench.store, long);
    await actAs(bench, next, { id: other, action: 'cancel' });
    await actAs(bench, next, { id: long, action: 'resume' });
    await actAs(bench, next, { id: draft, action: 'start' });
    await running({}, async () => {
      expect(await until(bench.store, long)).toMatchObject({ succeeded: 4_000, error: null });
      expect(await until(bench.store, draft)).toMatchObject({ succeeded: 100, error: null });
    });
    expect(await billed(owner)).toBe(units);
    expect(await billed(next)).toBe(4_100 - succeeded);
    const used = units + 4_100 - succeeded;
    expect(await tallyOf(bench.store, owner.accountId)).toMatchObject({ used, outstanding: 0 });
  });

  test('a chunk that was begun with a key goes back when the key was revoked meanwhile', async () => {
    const id = await job(100);
    const begun = await claim('first');
    expect(begun?.jobId).toBe(id);
    await keys().revoke(owner.accountId, owner.keyId);
    expect(await write(begun!)).toBe('dropped');
    expect(await stateOf(bench.store, id)).toMatchObject({ status: 'paused', succeeded: 0 });
    const { rows } = await sql`
      select state, attempts, output from job_chunk where job_id = ${id}`.execute(bench.store.db);
    expect(rows).toEqual([{ state: 'waiting', attempts: 0, output: null }]);
    expect(await billed(owner)).toBe(0);
    expect(await tallyOf(bench.store, owner.accountId)).toMatchObject({ used: 0, outstanding: 0 });
  });

  test('what a revocation did not reach is paused by the engine, not worked on', async () => {
    const id = await job(300);
    // As if its process had died between the two.
    await sql`update api_key set revoked_at = now() where id = ${owner.keyId}`.execute(
      bench.store.db,
    );
    const state = await running({}, () => until(bench.store, id, ['paused']));
    expect(state).toMatchObject({ succeeded: 0, billed_units: 0 });
    expect(rowErrorInDanish(state.error ?? '')).toMatch(/^Nøglen, som .* virker ikke mere/);
  });

  test('the jobs of a closed account are paused with its keys', async () => {
    const id = await job(100);
    await createAccounts(deps()).close(owner.accountId);
    expect(await stateOf(bench.store, id)).toMatchObject({ status: 'paused' });
  });

  test('a job goes on with the key that took the place of its own', async () => {
    const id = await job(100);
    const { minted } = await keys().rotate(owner.accountId, owner.keyId, 24);
    const again = await keys().rotate(owner.accountId, minted.key.id, 24);
    const end = (keyId: string) =>
      sql`update api_key set expires_at = now() - interval '1 s' where id = ${keyId}`.execute(
        bench.store.db,
      );
    await end(owner.keyId);
    await end(minted.key.id);
    expect(await running({}, () => until(bench.store, id))).toMatchObject({ status: 'completed' });
    expect(await billed(owner)).toBe(0);
    expect(await billed({ keyId: again.minted.key.id })).toBe(100);

    // An overlap of nothing is a revocation.
    const next = await job(100, { keyId: again.minted.key.id });
    await keys().rotate(owner.accountId, again.minted.key.id, 0);
    expect(await stateOf(bench.store, next)).toMatchObject({ status: 'paused' });
  });

  test('drafts and paused jobs that nobody touches for 30 days are cancelled, and say so', async () => {
    const ids = {
      draft: await job(10, { status: 'draft' }),
      paused: await job(10, { status: 'paused' }),
      touched: await job(10, { status: 'draft' }),
    };
    const age = (id: string, ms: number) =>
      sql`update job set updated_at = now() - ${ms} * interval '1 ms' where id = ${id}`.execute(
        bench.store.db,
      );
    expect(JOB_LIMITS.untouchedMs).toBe(30 * 24 * 3_600_000);
    await age(ids.draft, JOB_LIMITS.untouchedMs + 60_000);
    await age(ids.paused, JOB_LIMITS.untouchedMs + 60_000);
    await age(ids.touched, JOB_LIMITS.untouchedMs - 60_000);
    await running({ times: { sweepMs: 20 } }, async () => {
      for (const id of [ids.draft, ids.paused]) {
        const { error } = await until(bench.store, id, ['cancelled']);
        expect(error).toContain('30 days');
      }
      await sleep(100);
    });
    expect(await stateOf(bench.store, ids.touched)).toMatchObject({ status: 'draft', error: null });
    const { rows } = await sql`
      select from job where id = ${ids.draft} and completed_at is not null`.execute(bench.store.db);
    expect(rows).toHaveLength(1);
  });
}
