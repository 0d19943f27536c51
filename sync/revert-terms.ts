/** What a revert is given, and what its two ways have in common. */
import type { MirrorId } from '../src/layers/keys.ts';
import type { Phase, Publication, RunCounts, SyncDeps } from './deps.ts';
import type { Step } from './history.ts';

export type RevertDeps = Pick<
  SyncDeps,
  'store' | 'catalogue' | 'keys' | 'clock' | 'log' | 'onPublished'
>;

/** A claimed revert, as it is handed to the way of what is reverted. */
export interface Reverting {
  readonly id: string;
  readonly startedAtMs: number;
  readonly by: string;
  readonly counts: RunCounts;
  readonly signal: AbortSignal;
  /** Moves to a phase, on record; throws when the claim is lost. */
  enter(phase: Phase): Promise<void>;
}

/** How a step back is taken: of a layer of features, or of the tables of addresses. */
export interface RevertWay {
  readonly layer: MirrorId;
  /** Publishes what the step leads back to, in one transaction. */
  take(deps: RevertDeps, reverting: Reverting, step: Step): Promise<Publication>;
  /** Never throws. */
  tidy(deps: RevertDeps, reverting: Reverting): Promise<void>;
}
