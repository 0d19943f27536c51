import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Plans } from '../account/plans.ts';
import type { Store } from '../db/connect.ts';
import type { Clock } from '../kernel/clock.ts';
import { JOB_LIMITS } from './limits.ts';
import { rowError } from '../core/rows/row-errors.ts';
import type { Log } from '../kernel/log.ts';
import { isServerUnavailable } from '../kernel/server-unavailable.ts';
import { within } from '../kernel/within.ts';
import { Calendar } from '../metering/calendar.ts';
import type { JobChunk, JobChunkTask, ChunkOutput } from '../core/rows/chunk-types.ts';
import { answerByLookups } from './answer-chunk.ts';
import { isDiskFull } from './capacity.ts';
import type { JobData } from './data.ts';
import {
  claimChunk,
  endChunk,
  failJob,
  noteTrouble,
  pauseJob,
  releaseChunk,
  renewLeases,
} from './engine-store.ts';
import type { Candidate, Claim, NoUnits } from './engine-store.ts';
import type { ConcurrencyPolicy } from './concurrency.ts';
import { kindOfJob } from '../core/rows/kind.ts';
import type { JobKinds } from '../core/rows/kind.ts';
import {
  cancelUntouched,
  completeJobs,
  deleteOldRows,
  forgetRequests,
  freeWhatIsHeld,
  noteWait,
  pauseJobsWithoutKeys,
} from './sweep-store.ts';
import type { JobFacts } from './sweep-store.ts';

export interface RunnerOptions {
  readonly store: Store;
  readonly threads: { jobChunk(task: JobChunkTask): Promise<JobChunk> };
  readonly kinds: JobKinds;
  readonly data: JobData;
  readonly plans: Plans;
  readonly clock: Clock;
  /** D23. */
  readonly radiusM: number;
  readonly concurrency: () => ConcurrencyPolicy;
  readonly log: Log;
  /** Another part of the process reports when the store is unavailable. */
  readonly isStoreWatched?: boolean;
  readonly times?: Partial<RunnerTimes>;
}

type Timed = 'leaseMs' | 'leaseRenewMs' | 'sweepMs' | 'retentionMs' | 'untouchedMs';
export type RunnerTimes = Readonly<Record<Timed, number>>;

export interface RunnerView {
  readonly places: number;
  readonly underWay: number;
  readonly rows: number;
  readonly chunks: number;
  readonly failures: number;
  /** Since its loop last turned; null: not started. */
  readonly silentS: number | null;
}

export interface JobView {
  readonly facts: JobFacts;
  readonly runner: RunnerView | null;
}

interface UnderWay {
  readonly claim: Claim;
  readonly work: Promise<void>;
}

export class JobRunner {
  readonly #options: RunnerOptions;
  readonly #times: RunnerTimes;
  readonly #calendar = new Calendar();
  readonly #underWay = new Map<string, UnderWay>();
  readonly #resting = new Map<string, number>();
  readonly #unitless = new Map<string, number>();
  #only: { readonly job: Candidate; readonly untilMs: number } | null = null;
  readonly #stop = new AbortController();
  readonly #name = randomBytes(6).toString('hex');
  #number = 0;
  #wake = Promise.withResolvers<undefined>();
  #loops: Promise<unknown>[] = [];
  #workedMs = 0;
  #rows = 0;
  #chunks = 0;
  #failures = 0;
  #troubled = false;
  #turnedMs: number | null = null;

  constructor(options: RunnerOptions) {
    this.#options = options;
    const { leaseMs, leaseRenewMs, sweepMs, retentionMs, untouchedMs } = JOB_LIMITS;
    this.#times = { leaseMs, leaseRenewMs, sweepMs, retentionMs, untouchedMs, ...options.times };
  }

  start(): void {
    if (this.#loops.length > 0) return;
    const { leaseRenewMs, sweepMs } = this.#times;
    this.#loops = [
      this.#pump(),
      this.#every(leaseRenewMs, () => {
        this.#turnedMs = performance.now();
        return this.#renew();
      }),
      this.#every(sweepMs, () => this.#sweep()),
    ];
  }

  /** Before `start`. Never rejects. */
  async noteLoading(): Promise<void> {
    await noteWait(this.#options.store, 'any').catch(() => undefined);
  }

  nudge(): void {
    this.#wake.resolve(undefined);
  }

  /** Claims no more; finishes or returns what is in progress. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.nudge();
    const ended = Promise.all([...this.#loops, ...this.#works()]);
    await within(JOB_LIMITS.stopMs, ended, () => undefined);
    const left = [...this.#underWay.values()].map(({ claim }) => this.#giveBack(claim));
    await Promise.allSettled(left);
  }

  view(): RunnerView {
    return {
      places: this.#options.concurrency().places,
      underWay: this.#underWay.size,
      rows: this.#rows,
      chunks: this.#chunks,
      failures: this.#failures,
      silentS: this.#turnedMs === null ? null : (performance.now() - this.#turnedMs) / 1000,
    };
  }

  get #isStopping(): boolean {
    return this.#stop.signal.aborted;
  }

  #works(): Promise<void>[] {
    return [...this.#underWay.values()].map(({ work }) => work);
  }

  async #pump(): Promise<void> {
    const { min, max } = JOB_LIMITS.pollMs;
    let pauseMs: number = min;
    while (!this.#isStopping) {
      this.#wake = Promise.withResolvers();
      const { places, rest } = this.#options.concurrency();
      if (this.#underWay.size >= places) {
        await Promise.race([...this.#works(), this.#wake.promise]);
        continue;
      }
      const restMs = this.#takeRestMs(rest);
      if (restMs > 0) {
        await this.#pause(restMs);
        continue;
      }
      const found = await this.#claim();
      if (found !== 'nothing') {
        pauseMs = min;
        continue;
      }
      await Promise.race([this.#pause(pauseMs), this.#wake.promise]);
      pauseMs = Math.min(max, 2 * pauseMs);
    }
  }

  /** `rest`: a multiple of the time worked since the last call. */
  #takeRestMs(rest: number): number {
    const restMs = Math.min(rest * this.#workedMs, JOB_LIMITS.besideRestMs);
    this.#workedMs = 0;
    return restMs;
  }

  async #claim(): Promise<'claimed' | 'rested' | 'nothing'> {
    const { store, plans, data, clock } = this.#options;
    const token = `${this.#name}-${++this.#number}`;
    const resting = this.#restingNow();
    try {
      const { found, only } = await claimChunk(store, {
        token,
        leaseMs: this.#times.leaseMs,
        month: this.#calendar.month(clock.nowMs()),
        plans,
        generations: data.generations,
        newest: (job) => data.newest(job),
        ...{ resting, lacksAddresses: data.lacksAddresses },
        only: data.lacksAddresses ? null : this.#onlyNow(resting),
      });
      this.#recovered();
      this.#noteOnly(only);
      if (found === null) return 'nothing';
      if ('others' in found) {
        await this.#withoutUnits(found);
        return 'rested';
      }
      this.#unitless.delete(found.jobId);
      this.#begin(found);
      return 'claimed';
    } catch (error) {
      this.#inTrouble(error);
      return 'nothing';
    }
  }

  /** Whose turn it is costs the database as much as the rest of a claim. */
  #onlyNow(resting: readonly string[]): Candidate | null {
    if (this.#only === null || performance.now() > this.#only.untilMs) return null;
    const { job } = this.#only;
    return resting.includes(job.id) ? null : job;
  }

  #noteOnly(job: Candidate | null): void {
    if (job !== null && job === this.#only?.job && performance.now() <= this.#only.untilMs) return;
    this.#only = job === null ? null : { job, untilMs: performance.now() + JOB_LIMITS.onlyJobMs };
  }

  #begin(claim: Claim): void {
    const sinceMs = performance.now();
    const work = this.#work(claim).finally(() => {
      this.#underWay.delete(claim.token);
      this.#workedMs += performance.now() - sinceMs;
    });
    this.#underWay.set(claim.token, { claim, work });
  }

  /** Never rejects. */
  async #work(claim: Claim): Promise<void> {
    const { store } = this.#options;
    try {
      if (claim.attempts >= JOB_LIMITS.chunkCrashes) {
        await failJob(store, claim.jobId, failureText(claim));
        await this.#giveBack(claim);
        return;
      }
      const { output, generation } = await this.#answer(claim);
      if (output.rows > 0) await this.#write(claim, output, generation);
      else await this.#stopAtUnits(claim);
    } catch (error) {
      this.#failures += 1;
      if (this.#isStopping) return;
      const { jobId: job, chunk, attempts } = claim;
      this.#options.log.error({ job, chunk, attempts, err: error }, 'a chunk of a job failed');
      this.#rest(claim.jobId);
      const isFailure = !isUnavailable(error);
      await releaseChunk(store, claim, { isFailure }).catch(() => undefined);
    }
  }

  #giveBack(claim: Claim): Promise<void> {
    return releaseChunk(this.#options.store, claim, { isFailure: false });
  }

  /** The next row has an answer but no unit. */
  async #stopAtUnits(claim: Claim): Promise<void> {
    await this.#giveBack(claim);
    await this.#withoutUnits({ jobId: claim.jobId, others: 0, ceiling: claim.ceiling });
  }

  async #answer(claim: Claim): Promise<{ output: ChunkOutput; generation: number | null }> {
    const { data, threads, kinds, radiusM } = this.#options;
    const { columns, inputColumns, srid, input } = claim;
    const question = {
      columns,
      inputColumns,
      srid,
      input,
      firstRow: claim.firstRow + 1,
      skip: claim.before?.rows ?? 0,
      mostAnswers: claim.mostAnswers,
    };
    const found = data.of(claim, claim.generation);
    const { rows, lookups, labels, kind: asked } = kindOfJob(kinds, claim);
    if (found !== null && asked.memory !== undefined) {
      const { name: kind } = asked;
      const task = { ...question, ...found, kind, module: asked.memory.module, radiusM, labels };
      return { output: await threads.jobChunk(task), generation: found.generation };
    }
    const { generation, ...output } = await answerByLookups(question, {
      ...{ kind: rows, lookups },
      findAccess: data.findAccess,
      deadline: { signal: this.#stop.signal, holder: `job ${claim.accountId}` },
    });
    return { output, generation };
  }

  /** Retries while the store is unavailable and the lease may still be ours. */
  async #write(claim: Claim, output: ChunkOutput, generation: number | null): Promise<void> {
    const { store, clock, plans } = this.#options;
    const { startMs, endMs } = claim.month;
    const untilMs = performance.now() + 2 * this.#times.leaseMs;
    let isReported = false;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      // An answer after the month of its units counts in that month's last millisecond.
      const atMs = Math.min(Math.max(clock.nowMs(), startMs), endMs - 1);
      const day = this.#calendar.date(atMs);
      try {
        const outcome = await endChunk(store, { claim, output, generation, atMs, day, plans });
        if (outcome !== 'written') return;
        this.#rows += output.rows;
        this.#chunks += 1;
        this.#options.data.answeredFrom(generation);
        return;
      } catch (error) {
        if (performance.now() > untilMs || this.#isStopping || !isUnavailable(error)) throw error;
        if (!isReported && isDiskFull(error)) {
          isReported = true;
          await this.#tellNoRoom(claim.jobId);
        }
        await this.#pause(pauseMs);
      }
    }
  }

  /** The job's small record may fit where results do not. */
  async #tellNoRoom(jobId: string): Promise<void> {
    this.#options.log.error(
      { job: jobId },
      "the store's disk is full: the job goes on when there is room",
    );
    await noteTrouble(this.#options.store, jobId, rowError('noRoom').error).catch(() => undefined);
  }

  /** Pauses the job (D61), unless others may return units soon. */
  async #withoutUnits({ jobId, others, ceiling }: NoUnits): Promise<void> {
    const nowMs = performance.now();
    const sinceMs = this.#unitless.get(jobId) ?? nowMs;
    this.#unitless.set(jobId, sinceMs);
    if (others > 0 && nowMs - sinceMs < JOB_LIMITS.unitsWaitMs) {
      this.#rest(jobId);
      return;
    }
    this.#unitless.delete(jobId);
    await pauseJob(this.#options.store, jobId, rowError('quotaUsed', { ceiling }).error);
  }

  #rest(jobId: string): void {
    this.#resting.set(jobId, performance.now() + JOB_LIMITS.restMs);
  }

  #restingNow(): string[] {
    const nowMs = performance.now();
    for (const [jobId, untilMs] of this.#resting) {
      if (untilMs <= nowMs) this.#resting.delete(jobId);
    }
    return [...this.#resting.keys()];
  }

  async #renew(): Promise<void> {
    const tokens = [...this.#underWay.keys()];
    if (tokens.length > 0) await renewLeases(this.#options.store, tokens, this.#times.leaseMs);
  }

  async #sweep(): Promise<void> {
    const { store, clock, data } = this.#options;
    if (data.lacksAddresses) await noteWait(store, 'addresses');
    await completeJobs(store);
    await pauseJobsWithoutKeys(store);
    await cancelUntouched(store, this.#times.untouchedMs);
    await freeWhatIsHeld(store);
    await deleteOldRows(store, this.#times.retentionMs);
    await forgetRequests(store, clock.nowMs() - JOB_LIMITS.idempotencyMs);
  }

  async #every(everyMs: number, work: () => Promise<unknown>): Promise<void> {
    while (!this.#isStopping) {
      // Retried next time; claims report an unavailable store.
      await work().catch(() => undefined);
      await this.#pause(everyMs);
    }
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stop.signal, ref: false }).catch(() => undefined);
  }

  #inTrouble(error: unknown): void {
    if (this.#options.isStoreWatched === true && isServerUnavailable(error)) return;
    if (!this.#troubled && !this.#isStopping) {
      this.#options.log.error({ err: error }, 'no work on jobs can be claimed');
    }
    this.#troubled = true;
  }

  #recovered(): void {
    if (this.#troubled) this.#options.log.warn({}, 'work on jobs is claimed again');
    this.#troubled = false;
  }
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/** Transient: server unavailable or restarting, disk full, deadlock. */
function isUnavailable(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  if (/^[0-9A-Z]{5}$/.test(code)) return /^(08|40|53|55|57|58)/.test(code);
  return /^E[A-Z]+$/.test(code) || /timeout|terminated|connection/i.test(message);
}

function failureText({ firstRow, rows }: Claim): string {
  return rowError('unworkable', { first: firstRow + 1, last: firstRow + rows }).error;
}
