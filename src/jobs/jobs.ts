/** Each call is a short transaction; state.ts and JOB_LIMITS decide what is allowed. */
import { newId } from '../account/ids.ts';
import type { Db, Store, Trx } from '../db/connect.ts';
import type { Clock } from '../kernel/clock.ts';
import { Failure } from '../kernel/failures.ts';
import { JOB_LIMITS } from './limits.ts';
import { placeRows } from './appending.ts';
import { decodeRows } from './chunk-rows.ts';
import type { ReadRows } from './intake/rows-reader.ts';
import { tooManyRows } from './intake/refusals.ts';
import {
  changeJob,
  deleteJob,
  growJob,
  insertChunks,
  insertJob,
  listJobs,
  lockHoldings,
  lockJob,
  readBytes,
  readFirstChunk,
  readJob,
  readLastChunk,
  replaceChunk,
} from './job-store.ts';
import type { Owner } from './job-store.ts';
import { diskFull, refuseFullAccount, refuseFullService } from './capacity.ts';
import { readRequest, rememberAnswer, takeKey } from './request-store.ts';
import type { IdempotentRequest, RenderedResponse } from './request-store.ts';
import { hasDoubtfulColumns, resolveColumns, unitColumns } from './roles.ts';
import { hasEnded, mayBeDeleted, statusAfter, takesRows } from './state.ts';
import type { Action } from './state.ts';
import type { Job, Status } from '../core/rows/job-types.ts';

export interface NewJob extends By, Pick<Job, 'kind' | 'label' | 'columns' | 'srid'> {
  /** At once; needs rows. */
  readonly start: boolean;
  readonly rows: ReadRows;
}

/** null: no Idempotency-Key. */
export type IdempotencyKey = Pick<IdempotentRequest, 'key' | 'bodyHash'> | null;

export type Render = (job: Job) => RenderedResponse;

export interface StoredResponse extends RenderedResponse {
  readonly isRepeated: boolean;
}

/** `mayRun` throws without permission for what its rows ask (D64, D157). */
export interface By {
  readonly keyId: string;
  readonly mayRun: (job: Pick<Job, 'kind' | 'columns'>) => void;
}

export interface JobsDeps {
  readonly store: Pick<Store, 'db'>;
  readonly clock: Clock;
  readonly onReady?: () => void;
}

interface JobsPage {
  readonly limit: number;
  readonly after: string | null;
  readonly status: Status | null;
}

interface Act {
  readonly action: Action;
  readonly by: By;
}

interface Asked {
  readonly once: IdempotencyKey;
  readonly render: Render;
}

export type Jobs = ReturnType<typeof createJobs>;

/** Each throws `not_found`, `conflict` (D70 or a limit), or `invalid_request`. */
export function createJobs(deps: JobsDeps) {
  const { store, clock, onReady } = deps;
  const ready = (job: Pick<Job, 'status'>) => {
    if (job.status === 'queued' || job.status === 'running') onReady?.();
  };
  return {
    create: async (owner: Owner, wanted: NewJob, request: Asked) => {
      const asked = { ...request, owner, operation: 'create' };
      return onceOnly(deps, asked, async (db) => {
        const job = await createIn(db, owner, { ...wanted, atMs: clock.nowMs() });
        return { job: await withUnits(db, job), after: () => ready(job) };
      });
    },
    append: async (
      owner: Owner,
      id: string,
      { rows, ...request }: Asked & { readonly rows: ReadRows },
    ) => {
      const asked = { ...request, owner, operation: id };
      return onceOnly(deps, asked, async (db) => {
        const job = await appendIn(db, owner, { id, rows, atMs: clock.nowMs() });
        return { job: await withUnits(db, job) };
      });
    },
    /** Call before reading a body: throws what `append` would throw about the job. */
    checkTakesRows: async (owner: Owner, id: string) =>
      refuseRows(await found(readJob(store.db, owner, id))),
    /** Newest first. */
    list: async (owner: Owner, { limit, after, status }: JobsPage) => {
      const before = after === null ? null : await found(readJob(store.db, owner, after));
      return listJobs(store.db, owner, { limit, before, status });
    },
    find: (owner: Owner, id: string) => found(readJob(store.db, owner, id)),
    /** With `unitColumns`, which needs the rows. */
    findWithUnits: async (owner: Owner, id: string) =>
      withUnits(store.db, await found(readJob(store.db, owner, id))),
    /** The acting key is billed from then on. */
    act: async (owner: Owner, id: string, { action, by }: Act) => {
      const job = await store.db.transaction().execute(async (db) => {
        const locked = await found(lockJob(db, owner, id));
        return withUnits(db, await actIn(db, locked, { action, by, atMs: clock.nowMs() }));
      });
      ready(job);
      return job;
    },
    remove: (owner: Owner, id: string) =>
      store.db.transaction().execute(async (db) => {
        const { status } = await found(lockJob(db, owner, id));
        if (!mayBeDeleted(status)) throw notNow(status, 'delete');
        await deleteJob(db, id);
      }),
  };
}

async function withUnits(db: Db, job: Job): Promise<Job> {
  const { kind, columns: named, inputColumns } = job;
  const given = { named, inputColumns };
  if (!hasDoubtfulColumns(kind, given)) return job;
  const input = await readFirstChunk(db, job.id);
  if (input === null) return job;
  return { ...job, unitColumns: unitColumns(kind, given, decodeRows(input)) };
}

interface JobRequest extends Asked {
  readonly owner: Owner;
  readonly operation: string;
}

interface Done {
  readonly job: Job;
  readonly after?: () => void;
}

async function onceOnly(
  { store, clock }: JobsDeps,
  { owner, operation, once, render }: JobRequest,
  work: (db: Trx) => Promise<Done>,
): Promise<StoredResponse> {
  const asked = once === null ? null : { accountId: owner.accountId, operation, ...once };
  const nowMs = clock.nowMs();
  if (asked !== null) {
    const stored = await repeated(store.db, asked, nowMs);
    if (stored !== null) return stored;
  }
  const done = await store.db
    .transaction()
    .execute(async (db) => {
      if (asked !== null && !(await takeKey(db, asked, nowMs))) return null;
      const { job, after } = await work(db);
      const answer = render(job);
      if (asked !== null) await rememberAnswer(db, asked, answer);
      return { answer, after };
    })
    .catch(diskFull);
  if (done !== null) {
    done.after?.();
    return { ...done.answer, isRepeated: false };
  }
  // A concurrent call with the same key has finished.
  const stored = asked === null ? null : await repeated(store.db, asked, nowMs);
  if (stored === null) throw new Error('A key is taken and has no answer.');
  return stored;
}

async function repeated(
  db: Store['db'],
  asked: IdempotentRequest,
  nowMs: number,
): Promise<StoredResponse | null> {
  const stored = await readRequest(db, asked, nowMs);
  if (stored === null) return null;
  const { status, body, bodyHash } = stored;
  if (bodyHash.equals(asked.bodyHash)) return { status, body, isRepeated: true };
  throw new Failure('conflict', {
    code: 'idempotency_key_reused',
    error: 'The Idempotency-Key was used with another body: take a new key for a new request.',
    errorDa: 'Idempotency-Key er brugt med et andet indhold: brug en ny til en ny forespørgsel.',
  });
}

async function createIn(
  db: Trx,
  owner: Owner,
  { rows, start, atMs, mayRun, ...wanted }: NewJob & { readonly atMs: number },
): Promise<Job> {
  const starts = start && rows.rows > 0;
  // Columns decide what `miljoe` asks, and are known at its start; other kinds are judged before rows are written.
  const isKnown = wanted.kind !== 'miljoe' || (!starts && Object.keys(wanted.columns).length > 0);
  if (isKnown) mayRun(wanted);
  const holdings = await lockHoldings(db, owner.accountId);
  refuseFullAccount(holdings, { jobs: 1, rows: rows.rows });
  refuseFullService(await readBytes(db));
  const id = newId('job');
  await insertJob(db, { ...owner, ...wanted, id, at: new Date(atMs) });
  const draft = await found(lockJob(db, owner, id));
  const job = rows.rows === 0 ? draft : await growBy(db, draft, { rows, atMs });
  const by = { keyId: wanted.keyId, mayRun };
  // Rows may come later (D70).
  return starts ? actIn(db, job, { action: 'start', by, atMs }) : job;
}

async function appendIn(
  db: Trx,
  owner: Owner,
  { id, rows, atMs }: { readonly id: string; readonly rows: ReadRows; readonly atMs: number },
): Promise<Job> {
  const holdings = await lockHoldings(db, owner.accountId);
  const job = await found(lockJob(db, owner, id));
  refuseRows(job);
  refuseFullAccount(holdings, { jobs: 0, rows: rows.rows });
  refuseFullService(await readBytes(db));
  return growBy(db, job, { rows, atMs });
}

async function growBy(
  db: Trx,
  job: Job,
  { rows, atMs }: { readonly rows: ReadRows; readonly atMs: number },
): Promise<Job> {
  if (job.totalRows + rows.rows > JOB_LIMITS.rowsPerJob) throw tooManyRows();
  const last = await readLastChunk(db, job.id);
  const { inputColumns, fresh, merged, bytes } = await placeRows({ job, rows, last });
  if (merged !== null) await replaceChunk(db, job.id, merged);
  const place = { jobId: job.id, chunk: job.chunks, row: job.totalRows };
  await insertChunks(db, place, fresh);
  return growJob(db, job.id, {
    inputColumns,
    rows: rows.rows,
    chunks: fresh.length,
    bytes,
    at: new Date(atMs),
  });
}

async function actIn(
  db: Trx,
  job: Job,
  { action, by, atMs }: Act & { readonly atMs: number },
): Promise<Job> {
  const status = statusAfter(job.status, action);
  if (status === null) throw notNow(job.status, action);
  const { kind, columns: named, inputColumns } = job;
  const starts = action === 'start';
  if (starts && job.totalRows === 0) throw empty();
  const columns = starts ? resolveColumns(kind, { named, inputColumns }) : named;
  if (runs(action)) by.mayRun({ kind, columns });
  return changeJob(db, job.id, {
    status,
    at: new Date(atMs),
    isEnd: hasEnded(status),
    ...(runs(action) && { keyId: by.keyId }),
    ...(starts && { columns }),
  });
}

function runs(action: Action): boolean {
  return action === 'start' || action === 'resume';
}

async function found(job: Promise<Job | null>): Promise<Job> {
  const it = await job;
  if (it !== null) return it;
  throw noSuchJob();
}

export function noSuchJob(): Failure {
  return new Failure('not_found', {
    error: 'The account has no such job.',
    errorDa: 'Kontoen har intet sådant job.',
  });
}

function refuseRows({ status }: Job): void {
  if (takesRows(status)) return;
  throw new Failure('conflict', {
    code: 'job_state',
    error: `Rows are added to a draft; the job is ${status}.`,
    errorDa: `Rækker føjes til en kladde (draft); jobbet er ${status}.`,
  });
}

function empty(): Failure {
  return new Failure('invalid_request', {
    code: 'job_empty',
    error: 'The job has no rows: add some with POST /v1/jobs/:id/rows, then start it.',
    errorDa: 'Jobbet har ingen rækker: tilføj nogle med POST /v1/jobs/:id/rows, og start det så.',
  });
}

function notNow(status: Status, action: Action | 'delete'): Failure {
  const first = action === 'delete' ? ' Cancel it first.' : '';
  const firstDa = action === 'delete' ? ' Annuller det først.' : '';
  return new Failure('conflict', {
    code: 'job_state',
    error: `A job that is ${status} cannot take ${action}.${first}`,
    errorDa: `Et job, der er ${status}, kan ikke tage imod ${action}.${firstDa}`,
  });
}
