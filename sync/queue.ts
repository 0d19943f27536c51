/** Each layer at most once, a few at a time, in order. */
import { LIMITS } from '../src/kernel/limits.ts';
import type { MirrorId } from '../src/layers/keys.ts';
import { AUTOMATIC } from './claim.ts';
import type { RunOutcome, SyncDeps, Trigger } from './deps.ts';
import { syncMirror } from './sync-mirror.ts';

/**
 * waiting: already waiting or running. paused: too soon after its last run. full: too many layers
 * wait. stopped: shutting down. following: another process leads, and finds it due.
 */
export type SyncRequest = 'queued' | 'waiting' | 'paused' | 'full' | 'stopped' | 'following';

export interface RequestOptions {
  readonly liftedGuards?: readonly string[];
  readonly by?: string;
}

interface Job {
  readonly layer: MirrorId;
  readonly trigger: Trigger;
  readonly liftedGuards: readonly string[];
  readonly by: string | null;
}

export class SyncQueue {
  readonly #deps: SyncDeps;
  readonly #parallel: number;
  readonly #stop = new AbortController();
  readonly #waiting = new Map<MirrorId, Job>();
  readonly #running = new Map<MirrorId, Promise<void>>();
  readonly #endedAtMs = new Map<MirrorId, number>();

  /** One run at a time on the embedded store, which has a single session. */
  constructor(deps: SyncDeps, parallel: number) {
    this.#deps = deps;
    this.#parallel = parallel;
  }

  request(layer: MirrorId, trigger: Trigger, options: RequestOptions = {}): SyncRequest {
    if (this.#stop.signal.aborted) return 'stopped';
    if (!this.#mayRun(trigger)) return 'following';
    if (this.#waiting.has(layer) || this.#running.has(layer)) return 'waiting';
    if (trigger === 'expired' && this.#isPaused(layer)) return 'paused';
    if (this.#waiting.size >= LIMITS.syncQueue) return 'full';
    const { liftedGuards = [], by = null } = options;
    this.#waiting.set(layer, { layer, trigger, liftedGuards, by });
    this.#fill();
    return 'queued';
  }

  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  /** Drops what waits, aborts what runs, and resolves when their ends are recorded. */
  async stop(): Promise<void> {
    this.#stop.abort(new Error('The service was stopped.'));
    this.#waiting.clear();
    await this.idle();
  }

  #mayRun(trigger: Trigger): boolean {
    return !AUTOMATIC.has(trigger) || this.#deps.leader?.current() !== null;
  }

  /** Every lookup of an expired layer requests a sync; a dead upstream is not asked each time. */
  #isPaused(layer: MirrorId): boolean {
    const endedAtMs = this.#endedAtMs.get(layer);
    if (endedAtMs === undefined) return false;
    return Math.abs(this.#deps.clock.nowMs() - endedAtMs) < LIMITS.syncExpiredPauseMs;
  }

  #fill(): void {
    const isUrgent = ([, { trigger }]: [MirrorId, Job]) => trigger === 'dated';
    const waiting = [...this.#waiting];
    for (const [layer, job] of [
      ...waiting.filter(isUrgent),
      ...waiting.filter((each) => !isUrgent(each)),
    ]) {
      if (this.#running.size >= this.#parallel) return;
      this.#waiting.delete(layer);
      const run = this.#run(job).finally(() => {
        this.#running.delete(layer);
        this.#fill();
      });
      this.#running.set(layer, run);
    }
  }

  async #run({ layer, ...asked }: Job): Promise<void> {
    if (!this.#mayRun(asked.trigger)) return;
    const { signal } = this.#stop;
    const outcome = await syncMirror(this.#deps, layer, { ...asked, signal });
    this.#endedAtMs.set(layer, this.#deps.clock.nowMs());
    tell(this.#deps, outcome);
  }
}

function tell({ log }: SyncDeps, outcome: RunOutcome): void {
  const { layer, state } = outcome;
  if (outcome.state === 'held') {
    log.info({ layer, state, by: outcome.by }, 'sync left alone: an operator holds the layer');
  } else if (outcome.state !== 'busy') {
    log.info({ layer, state, elapsedMs: outcome.elapsedMs }, 'sync ended');
  }
}
