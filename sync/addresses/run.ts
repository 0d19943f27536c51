/**
 * One sync of the addresses, from claim to announcement, as run.ts does it for a layer: every way it
 * ends is a value and on record, and until the one transaction at the end nothing in service moves.
 */
import { ADDRESSES } from '../../src/layers/keys.ts';
import { announce } from '../announce.ts';
import { ClaimLost } from '../apply.ts';
import { beat, claim, finish, hasCopy, keepBeating, runSignal } from '../claim.ts';
import type { Ending } from '../claim.ts';
import { noCounts } from '../deps.ts';
import type { Phase, Progress, RunOutcome, SyncDeps } from '../deps.ts';
import { logFailed, logRefused } from '../run-log.ts';
import type { RunLogged } from '../run-log.ts';
import { isConfigured, reasonOf } from '../run.ts';
import type { SyncOptions } from '../run.ts';
import { prepare } from './prepare.ts';
import type { Prepared } from './prepare.ts';
import { confirmTables, publishTables } from './publish.ts';
import { dropStaged } from './stage.ts';
import { tidyAddresses } from './tidy.ts';
import type { AddressRun, TablesReplay } from './terms.ts';

/** As a layer is synced, but for what may take the place of the register. */
export type AddressSyncOptions = Omit<SyncOptions, 'replay'> & {
  readonly replay?: TablesReplay;
};

/** Always resolves: how it ended is the value, also when the store itself is down. */
export async function syncAddresses(
  deps: SyncDeps,
  options: AddressSyncOptions,
): Promise<RunOutcome> {
  const { store, clock, catalogue, keys, log } = deps;
  const startedAtMs = clock.nowMs();
  const failed = (reason: string): RunOutcome => {
    const elapsedMs = clock.nowMs() - startedAtMs;
    const nothing = { layer: ADDRESSES, runId: null, counts: noCounts(), elapsedMs };
    return { ...nothing, state: 'failed', phase: 'claim', reason };
  };
  const { trigger, liftedGuards = [], by = null, replay } = options;
  if (replay === undefined && !isConfigured(catalogue.addresses, keys)) {
    return failed('The file downloads ask for an API key, and none is configured.');
  }
  try {
    const claimed = await claim(store, {
      layer: ADDRESSES,
      trigger,
      liftedGuards,
      nowMs: startedAtMs,
      kind: replay === undefined ? 'sync' : 'replay',
      by: replay?.by ?? by,
    });
    if (claimed.kind !== 'claimed') {
      const { kind: state, ...rest } = claimed;
      return { layer: ADDRESSES, state, ...rest } as RunOutcome;
    }
    return await new AddressConductor(deps, options, { id: claimed.runId, startedAtMs }).run();
  } catch (error) {
    const reason = reasonOf(error, deps);
    logFailed(
      log,
      { layer: ADDRESSES, run: null, phase: 'claim', trigger },
      { reason, error, signal: options.signal },
    );
    return failed(reason);
  }
}

/** Leads one claimed run through its phases and sees to its end. */
class AddressConductor {
  readonly #deps: SyncDeps;
  readonly #options: AddressSyncOptions;
  readonly #run: AddressRun;
  readonly #lost = new AbortController();
  #phase: Phase = 'claim';

  constructor(
    deps: SyncDeps,
    options: AddressSyncOptions,
    claimed: Pick<AddressRun, 'id' | 'startedAtMs'>,
  ) {
    this.#deps = deps;
    this.#options = options;
    this.#run = {
      ...claimed,
      register: deps.catalogue.addresses,
      counts: { ...noCounts(), source: 'files' },
      liftedGuards: options.liftedGuards ?? [],
      replay: options.replay ?? null,
      // A dry run leaves no trace, in the archive neither; a replay is there already.
      archive:
        options.dryRun === true || options.replay !== undefined
          ? undefined
          : deps.archive?.begin({ ...claimed, layer: deps.catalogue.addresses }),
      signal: runSignal(this.#lost.signal, options.signal),
      report: () => options.onProgress?.(this.#progress()),
    };
  }

  async run(): Promise<RunOutcome> {
    const { store, clock, log } = this.#deps;
    const heart = keepBeating({
      store,
      clock,
      log,
      current: () => this.#record(),
      onLost: () => this.#lost.abort(new ClaimLost()),
    });
    try {
      return await this.#phases();
    } catch (error) {
      return await this.#fail(error);
    } finally {
      heart.stop();
    }
  }

  async #phases(): Promise<RunOutcome> {
    const { store } = this.#deps;
    await dropStaged(store.db);
    const { archive } = this.#run;
    const enter = (phase: Phase) => this.#enter(phase);
    const prepared = await prepare(this.#deps, this.#run, { enter }).then(
      async (made) => {
        await archive?.endTables(true);
        return made;
      },
      async (error: unknown) => {
        await archive?.endTables(false);
        throw error;
      },
    );
    if (prepared.kind === 'refused') {
      const { refusals } = prepared;
      const copy = await hasCopy(store, ADDRESSES);
      logRefused(this.#deps.log, this.#logged(), { refusals, hasCopy: copy });
      await this.#end({ state: 'refused', refusals });
      return { ...this.#ran(), state: 'refused', refusals, hasCopy: copy };
    }
    if (this.#options.dryRun === true) {
      await this.#end({ state: 'forgotten' });
      return { ...this.#ran(), state: prepared.changes ? 'would-publish' : 'unchanged' };
    }
    return await this.#publish(prepared);
  }

  async #publish({ tables, changes }: Extract<Prepared, { kind: 'ready' }>): Promise<RunOutcome> {
    const { store, clock } = this.#deps;
    await this.#enter('apply');
    if (!changes) {
      await confirmTables(store, this.#run, { tables, nowMs: clock.nowMs() });
      await tidyAddresses(this.#deps, { changed: [] });
      return { ...this.#ran(), state: 'unchanged' };
    }
    const nowMs = clock.nowMs();
    const publication = await publishTables(store, this.#run, { tables, nowMs });
    // Committed: nothing below may turn this run into a failure.
    this.#phase = 'announce';
    this.#run.report();
    announce(this.#deps, publication);
    const deltas = tables.flatMap(({ delta, plan }) => (delta === null ? [] : [plan.table.table]));
    await tidyAddresses(this.#deps, { changed: ['address_former', ...deltas] });
    return { ...this.#ran(), state: 'published', publication };
  }

  /** Moves to a phase, on record; a run that has lost its claim stops here. */
  async #enter(phase: Phase): Promise<void> {
    this.#run.signal.throwIfAborted();
    this.#phase = phase;
    this.#run.report();
    const held = await beat(this.#deps.store, this.#record(), this.#deps.clock.nowMs());
    if (!held) throw new ClaimLost();
  }

  async #fail(error: unknown): Promise<RunOutcome> {
    const cause: unknown = this.#run.signal.aborted ? this.#run.signal.reason : error;
    const reason = reasonOf(cause, this.#deps);
    const phase = this.#phase;
    logFailed(this.#deps.log, this.#logged(), {
      reason,
      error: cause,
      signal: this.#options.signal,
    });
    await this.#end({ state: 'failed', reason });
    return { ...this.#ran(), state: 'failed', phase, reason };
  }

  async #end(ending: Ending): Promise<void> {
    const { store, clock } = this.#deps;
    // Only what is of this run: a run that took over has tables of its own.
    await tidyAddresses(this.#deps, { changed: [], runId: this.#run.id });
    const end: Ending = this.#options.dryRun === true ? { state: 'forgotten' } : ending;
    await finish(store, this.#record(), { ...end, nowMs: clock.nowMs() });
  }

  #record() {
    return { id: this.#run.id, phase: this.#phase, counts: this.#run.counts };
  }

  #logged(): RunLogged {
    const { trigger } = this.#options;
    return { layer: ADDRESSES, run: this.#run.id, phase: this.#phase, trigger };
  }

  #ran() {
    const { id: runId, counts, startedAtMs } = this.#run;
    const elapsedMs = this.#deps.clock.nowMs() - startedAtMs;
    return { layer: ADDRESSES, runId, counts, elapsedMs } as const;
  }

  #progress(): Progress {
    const { counts, startedAtMs } = this.#run;
    return {
      layer: ADDRESSES,
      phase: this.#phase,
      pages: counts.pages,
      features: counts.received,
      announced: null,
      elapsedMs: this.#deps.clock.nowMs() - startedAtMs,
    };
  }
}
