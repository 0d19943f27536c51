/**
 * Jobs held to a model (D70): several clients at once send what they like to the same jobs, the engine
 * moves them on, fronts come and go. Whatever they were told must be true of some order of events.
 */
import { expect, test } from 'vitest';
import { ACTIONS, hasEnded, mayBeDeleted, statusAfter, takesRows } from '../../src/jobs/state.ts';
import type { Action } from '../../src/jobs/state.ts';
import { STATUSES } from '../../src/core/rows/job-types.ts';
import type { Status } from '../../src/core/rows/job-types.ts';
import { createRandom } from '../../sample/data/random.ts';
import { jobsEdge } from './jobs-edge.ts';
import type { Caller } from './jobs-edge.ts';
import { TEST_SEED, amountOf } from '../support/run-settings.ts';
import { opened } from '../support/opened.ts';

type EngineStep = Action | 'run' | 'complete' | 'fail' | 'hold' | 'expire';

/** What D70 allows, written out once more and by hand. */
const ALLOWED: readonly (readonly [Status, EngineStep, Status])[] = [
  ['draft', 'start', 'queued'],
  ['queued', 'run', 'running'],
  ['running', 'pause', 'paused'],
  ['paused', 'resume', 'running'],
  ['draft', 'cancel', 'cancelled'],
  ['queued', 'cancel', 'cancelled'],
  ['running', 'cancel', 'cancelled'],
  ['paused', 'cancel', 'cancelled'],
  ['running', 'complete', 'completed'],
  ['running', 'fail', 'failed'],
  ['queued', 'hold', 'paused'],
  ['running', 'hold', 'paused'],
  ['draft', 'expire', 'cancelled'],
  ['paused', 'expire', 'cancelled'],
];

test('a step leads where D70 says, and nowhere else', () => {
  for (const status of STATUSES) {
    for (const step of [...ACTIONS, 'run', 'complete', 'fail', 'hold', 'expire'] as const) {
      const found = ALLOWED.find(([from, by]) => from === status && by === step)?.[2] ?? null;
      expect(statusAfter(status, step), `${status} ${step}`).toBe(found);
    }
  }
  expect(STATUSES.filter(hasEnded)).toEqual(['completed', 'failed', 'cancelled']);
  expect(STATUSES.filter(takesRows)).toEqual(['draft']);
  expect(STATUSES.filter(mayBeDeleted)).toEqual(['draft', 'completed', 'failed', 'cancelled']);
});

/** Null: there is no such job. `key`: the one that its rows are billed to. */
type State = { readonly status: Status; readonly rows: number; readonly key: string } | null;
type Step = Action | 'append' | 'delete' | 'look' | 'run' | 'complete' | 'revoke';

interface Crowd {
  readonly caller: Caller;
  readonly revoked: Caller;
}

function modelled(state: State, step: Step, crowd: Crowd): readonly [State, number] {
  if (step === 'revoke') return [withoutKey(state, crowd.revoked), 200];
  if (state === null) return [null, step === 'run' || step === 'complete' ? 409 : 404];
  const { status, rows } = state;
  if (step === 'look') return [state, 200];
  if (step === 'append')
    return takesRows(status) ? [{ ...state, rows: rows + 1 }, 200] : [state, 409];
  if (step === 'delete') return mayBeDeleted(status) ? [null, 204] : [state, 409];
  return moved(state, step, crowd.caller);
}

function withoutKey(state: State, { keyId }: Caller): State {
  if (state?.key !== keyId) return state;
  return isHeld(state) ? { ...state, status: 'paused' } : state;
}

/** By a service that has no key to bill. */
function isHeld({ status }: NonNullable<State>): boolean {
  return ALLOWED.some(([from, by]) => from === status && by === 'hold');
}

function moved(
  state: NonNullable<State>,
  step: EngineStep,
  { keyId }: Caller,
): readonly [State, number] {
  const { status, rows } = state;
  const next = ALLOWED.find(([from, by]) => from === status && by === step)?.[2];
  if (next === undefined) return [state, 409];
  // Without rows no column stands for anything (D72).
  if (step === 'start' && rows === 0) return [state, 400];
  const key = step === 'start' || step === 'resume' ? keyId : state.key;
  return [{ status: next, rows, key }, 200];
}

const edge = await opened(jobsEdge());
const first = await edge.caller();
const { accountId } = first;
const pool = [first, await edge.caller({ accountId }), await edge.caller({ accountId })];

async function taken(id: string, step: Step, { caller, revoked }: Crowd): Promise<number> {
  const url = `/v1/jobs/${id}`;
  if (step === 'look') return (await caller.ask({ url })).statusCode;
  if (step === 'delete') return (await caller.ask({ method: 'DELETE', url })).statusCode;
  if (step === 'append') return (await caller.send(id, 'text/csv', 'x;y\n1;2')).statusCode;
  if (step === 'revoke') {
    await edge.bench.keyAdmin.revoke(revoked.accountId, revoked.keyId);
    return 200;
  }
  if (step !== 'run' && step !== 'complete') {
    return (await caller.post(`${url}/${step}`)).statusCode;
  }
  const [from, to] = step === 'run' ? ['queued', 'running'] : ['running', 'completed'];
  const { rowCount } = await edge.store.pool.query(
    `update job set status = $2, completed_at = case when $2 = 'completed' then now() end
     where id = $1 and status = $3`,
    [id, to, from],
  );
  return rowCount === 1 ? 200 : 409;
}

function* orders<T>(items: readonly T[]): Generator<readonly T[]> {
  if (items.length < 2) yield items;
  for (const [i, item] of items.entries()) {
    if (items.length < 2) return;
    for (const rest of orders(items.toSpliced(i, 1))) yield [item, ...rest];
  }
}

async function stateOf(id: string, caller: Caller): Promise<State> {
  const response = await caller.ask({ url: `/v1/jobs/${id}` });
  if (response.statusCode === 404) return null;
  const { job } = response.json<{ job: { status: Status; totalRows: number } }>();
  const { rows } = await edge.store.pool.query<{ key_id: string }>(
    'select key_id from job where id = $1',
    [id],
  );
  return { status: job.status, rows: job.totalRows, key: rows[0]?.key_id ?? '' };
}

/** Whether some order of the steps explains what was told of each and what came of them. */
function isExplained(
  { before, after }: { readonly before: State; readonly after: State },
  told: readonly (readonly [Step, number])[],
  crowd: Crowd,
) {
  for (const order of orders(told)) {
    let state = before;
    const fits = order.every(([step, said]) => {
      const [next, status] = modelled(state, step, crowd);
      state = next;
      return status === said;
    });
    if (fits && JSON.stringify(state) === JSON.stringify(after)) return true;
  }
  return false;
}

test('no crowd of clients brings a job where D70 does not lead', async () => {
  const random = createRandom(String(TEST_SEED));
  const steps: readonly Step[] = [
    ...ACTIONS,
    ...(['start', 'start', 'append', 'append', 'append', 'delete'] as const),
    ...(['look', 'run', 'run', 'complete', 'revoke'] as const),
  ];
  const met = new Map<string, number>();
  const jobs: string[] = [];
  for (let round = 0; round < amountOf({ gate: 250, night: 2_000 }); round++) {
    const caller = random.pick(pool);
    if (jobs.length < 4) jobs.push((await caller.draft()).id);
    const id = random.pick(jobs);
    const before = await stateOf(id, caller);
    // The job's own, when somebody else asks.
    const others = pool.filter((each) => each !== caller);
    const revoked = others.find(({ keyId }) => keyId === before?.key) ?? random.pick(others);
    const crowd = { caller, revoked };
    const wanted = Array.from({ length: random.integer(1, 3) }, () => random.pick(steps));
    const told = await Promise.all(
      wanted.map(async (step) => [step, await taken(id, step, crowd)] as const),
    );
    const after = await stateOf(id, caller);
    const said = { seed: TEST_SEED, round, before, told, after };
    expect(isExplained({ before, after }, told, crowd), JSON.stringify(said)).toBe(true);
    if (wanted.includes('revoke')) {
      if (before?.key === revoked.keyId) met.set(isHeld(before) ? 'held' : 'not held', 1);
      // So many keys as a night makes are of many days.
      await edge.store.pool.query("update api_key set created_at = created_at - interval '1 hour'");
      pool[pool.indexOf(revoked)] = await edge.caller({ accountId: caller.accountId });
    }
    for (const [, status] of told) met.set(String(status), (met.get(String(status)) ?? 0) + 1);
    if (after === null || hasEnded(after.status)) {
      jobs.splice(jobs.indexOf(id), 1);
      if (after !== null) await caller.ask({ method: 'DELETE', url: `/v1/jobs/${id}` });
    }
  }
  const all = ['200', '204', '400', '404', '409', 'held'];
  expect([...met.keys()]).toEqual(expect.arrayContaining(all));
});
