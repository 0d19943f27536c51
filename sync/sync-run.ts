/** One run at a time per mirror; the outcome is a value, in `sync_run` and in the log. */
import { storeClock } from '../src/db/store-clock.ts';
import type { MirrorId } from '../src/layers/keys.ts';
import {
  AUTOMATIC,
  ClaimLost,
  beat,
  claim,
  finish,
  hasCopy,
  keepBeating,
  runSignal,
} from './claim.ts';
import type { Ending, RunKind } from './claim.ts';
import type { Refusal } from './check.ts';
import { noCounts } from './deps.ts';
import type { ApiKeys, ClaimedRun, Phase, Progress, Replay } from './deps.ts';
import type { RunOutcome, SyncDeps, Trigger } from './deps.ts';
import type { Mirror } from './mirror.ts';
import type { apply } from './mirrors/features/apply.ts';
import { openMirror } from './mirrors/open.ts';
import { logFailed, logRefused } from './run-log.ts';
import type { RunLogged } from './run-log.ts';

export interface RunRequest {
  readonly layer: MirrorId;
  readonly kind: RunKind;
  readonly trigger: Trigger;
  /** An operator vouches for these once. See LIFTABLE_GUARDS. */
  readonly liftedGuards?: readonly string[];
  readonly by?: string | null;
  readonly replay?: Replay;
  /** The mirror's own dates replace the upstream: see sync/dated. */
  readonly dated?: boolean;
  /** Replaces `apply`: several layers may be published as one. */
  readonly publish?: typeof apply;
  readonly dryRun?: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

export type Failed = Extract<RunOutcome, { readonly state: 'failed' }>;
export type NotClaimed = Extract<RunOutcome, { readonly state: 'busy' | 'held' }>;

/**
 * Leads the run through `phases` and ends it. Always resolves, even when the store is down; any
 * error ends the run as failed.
 */
export async function leadRun<End>(
  given: SyncDeps,
  request: RunRequest,
  phases: (run: SyncRun) => Promise<End>,
): Promise<End | Failed | NotClaimed> {
  let deps = given;
  let startedAtMs = deps.clock.nowMs();
  const { layer, kind, trigger, liftedGuards = [], by = null, signal } = request;
  const lease = AUTOMATIC.has(trigger) ? deps.leader?.current() : undefined;
  if (lease === null) return failedUnclaimed(deps, { layer, reason: NOT_LEADING, startedAtMs });
  try {
    deps = { ...given, clock: await storeClock(given.store, given) };
    startedAtMs = deps.clock.nowMs();
    const asked = { layer, kind, trigger, liftedGuards, by, nowMs: startedAtMs };
    const claimed = await claim(deps.store, { ...asked, lease: lease ?? null });
    if (claimed.kind !== 'claimed') {
      const { kind: state, ...rest } = claimed;
      return { layer, state, ...rest } as NotClaimed;
    }
    const run = { id: claimed.runId, startedAtMs, lease };
    return await new SyncRun(deps, request, run).lead(phases);
  } catch (error) {
    // Not even claimed or marked as failed: the store is unavailable. Nothing was published.
    const reason = reasonOf(error, deps);
    const run = { layer, run: null, phase: 'claim', trigger, kind } as const;
    logFailed(deps.log, run, { reason, error, signal });
    return failedUnclaimed(deps, { layer, reason, startedAtMs });
  }
}

const NOT_LEADING = 'Another process leads the syncs.';

export function failedUnclaimed(
  { clock }: Pick<SyncDeps, 'clock'>,
  of: { readonly layer: MirrorId; readonly reason: string; readonly startedAtMs: number },
): Failed {
  const { layer, reason, startedAtMs } = of;
  const elapsedMs = clock.nowMs() - startedAtMs;
  return {
    layer,
    runId: null,
    counts: noCounts(),
    elapsedMs,
    state: 'failed',
    phase: 'claim',
    reason,
  };
}

export class SyncRun {
  readonly mirror: Mirror;
  readonly #deps: SyncDeps;
  readonly #request: RunRequest;
  readonly #claimed: ClaimedRun;
  readonly #lost = new AbortController();
  #phase: Phase = 'claim';

  constructor(
    deps: SyncDeps,
    request: RunRequest,
    claimed: Pick<ClaimedRun, 'id' | 'startedAtMs' | 'lease'>,
  ) {
    this.#deps = deps;
    this.#request = request;
    this.#claimed = {
      ...claimed,
      counts: noCounts(),
      liftedGuards: request.liftedGuards ?? [],
      signal: runSignal(this.#lost.signal, claimed.lease?.signal, request.signal),
      report: () => request.onProgress?.(this.#progress()),
      enter: (phase) => this.enter(phase),
    };
    // A dry run leaves no trace, not even in the archive.
    const archive = request.dryRun === true ? undefined : deps.archive;
    this.mirror = openMirror({ ...deps, archive }, this.#claimed, request);
  }

  async lead<End>(phases: (run: SyncRun) => Promise<End>): Promise<End | Failed> {
    const { store, log } = this.#deps;
    const heart = keepBeating({
      store,
      log,
      current: () => this.#record(),
      onLost: () => this.#lost.abort(new ClaimLost()),
    });
    try {
      await this.mirror.prepare();
      return await phases(this);
    } catch (error) {
      return await this.#fail(error);
    } finally {
      heart.stop();
    }
  }

  /** Throws when the claim is lost. */
  async enter(phase: Phase): Promise<void> {
    this.#claimed.signal.throwIfAborted();
    this.#phase = phase;
    this.#claimed.report();
    const held = await beat(this.#deps.store, this.#record());
    if (!held) throw new ClaimLost();
  }

  /** After the commit: the run can no longer fail. */
  announced(): void {
    this.#phase = 'announce';
    this.#claimed.report();
  }

  async refuse(
    refusals: readonly Refusal[],
  ): Promise<Extract<RunOutcome, { readonly state: 'refused' }>> {
    const copy = await hasCopy(this.#deps.store, this.#request.layer);
    logRefused(this.#deps.log, this.#logged(), { refusals, hasCopy: copy });
    await this.#end({ state: 'refused', refusals, isAskedLive: this.mirror.isAskedLive });
    return { ...this.ran(), state: 'refused', refusals, hasCopy: copy };
  }

  async forget(): Promise<void> {
    await this.#end({ state: 'forgotten' });
  }

  ran() {
    const { id: runId, counts, startedAtMs } = this.#claimed;
    const elapsedMs = this.#deps.clock.nowMs() - startedAtMs;
    return { layer: this.#request.layer, runId, counts, elapsedMs };
  }

  async #fail(error: unknown): Promise<Failed> {
    // An aborted fetch has many kinds of errors; the signal has the reason.
    const { signal } = this.#claimed;
    const cause: unknown = signal.aborted ? signal.reason : error;
    const reason = reasonOf(cause, this.#deps);
    const phase = this.#phase;
    const failure = { reason, error: cause, signal: this.#request.signal };
    logFailed(this.#deps.log, this.#logged(), failure);
    await this.#end({ state: 'failed', reason });
    return { ...this.ran(), state: 'failed', phase, reason };
  }

  async #end(ending: Ending): Promise<void> {
    const { store, clock } = this.#deps;
    await this.mirror.discard();
    const end: Ending = this.#request.dryRun === true ? { state: 'forgotten' } : ending;
    await finish(store, this.#record(), { ...end, nowMs: clock.nowMs() });
  }

  #record() {
    const { id, counts } = this.#claimed;
    return { id, phase: this.#phase, counts };
  }

  #logged(): RunLogged {
    const { layer, trigger, kind, by = null } = this.#request;
    const who = kind === 'revert' ? { by } : {};
    return { layer, run: this.#claimed.id, phase: this.#phase, trigger, kind, ...who };
  }

  #progress(): Progress {
    const { counts, startedAtMs } = this.#claimed;
    return {
      layer: this.#request.layer,
      phase: this.#phase,
      pages: counts.pages,
      features: counts.received,
      announced: counts.announced.at(-1) ?? null,
      elapsedMs: this.#deps.clock.nowMs() - startedAtMs,
    };
  }
}

export function reasonOf(error: unknown, { keys }: { readonly keys: ApiKeys }): string {
  const text = error instanceof Error ? error.message : String(error);
  return Object.values(keys).reduce((clean, key) => clean.replaceAll(key, '***'), text);
}
