/** What a kind of mirror does in each phase of a run. The order of the phases is run.ts and revert.ts. */
import type { Refusal } from './check.ts';
import type { Publication } from './deps.ts';
import type { Step } from './history.ts';

/** What the fetch phase came to. */
export type Reading =
  /** Staged beside the copy. */
  | { readonly kind: 'staged' }
  /** Nothing was fetched: the copy was made from the very file that is listed. */
  | { readonly kind: 'same' }
  /** There was nothing to do, and nothing was asked. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'refused'; readonly refusals: readonly Refusal[] };

/**
 * One object a run: it keeps what a phase hands to the next, and fills the run's counts. Nothing in
 * service moves before `publish` or `revert`, which are one transaction each.
 */
export interface Mirror {
  /** Whether lookups ask its source live: then they are told when a guard refused what it holds. */
  readonly isAskedLive: boolean;
  /** Takes away what dead runs left. Behind the claim: no other run has anything staged. */
  prepare(): Promise<void>;
  /** Brings the whole source beside the copy. Throws when it is not whole. */
  read(): Promise<Reading>;
  /** Counts what publishing would change. */
  compare(): Promise<void>;
  /** Every guard that refuses, first cause first. */
  judge(): Promise<readonly Refusal[]>;
  /** Behind `compare`: the copy says what the source says. */
  isUnchanged(): boolean;
  /** Prepares what follows from the rows and takes long; absent: nothing does. */
  derive?(): Promise<void>;
  /** Throws, and changes nothing, when the claim is lost. */
  publish(): Promise<Publication>;
  /** Instead of `publish`: only the moment moves at which the copy was proved. */
  confirm(): Promise<void>;
  /** Publishes what the step leads back to, through phases of its own, and holds the mirror. */
  revert(step: Step): Promise<Publication>;
  /** Behind `publish`, `confirm` or `revert`: empties the stage, informs the planner. Never throws. */
  tidy(): Promise<void>;
  /** Empties the stage of a run that ended otherwise. */
  discard(): Promise<void>;
}
