/** The order of phases is in run.ts and revert.ts. */
import type { Refusal } from './check.ts';
import type { Publication } from './deps.ts';
import type { Step } from './history.ts';

export type Reading =
  | { readonly kind: 'staged' }
  /** Nothing was fetched: the copy was made from the listed file. */
  | { readonly kind: 'same' }
  /** Nothing to do, and nothing was asked. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'refused'; readonly refusals: readonly Refusal[] };

/**
 * One object per run: keeps state between phases and fills the counts. Only `publish` and `revert`,
 * one transaction each, change what is in service.
 */
export interface Mirror {
  readonly isAskedLive: boolean;
  /** Removes leftovers of dead runs. Call after the claim: no other run has a stage then. */
  prepare(): Promise<void>;
  /** Reads the whole source into the stage. Throws when it is not whole. */
  read(): Promise<Reading>;
  compare(): Promise<void>;
  judge(): Promise<readonly Refusal[]>;
  isUnchanged(): boolean;
  derive?(): Promise<void>;
  /** Throws, and changes nothing, when the claim is lost. */
  publish(): Promise<Publication>;
  /** Instead of `publish`: only the verification time changes. */
  confirm(): Promise<void>;
  /** Publishes the step's content, with its own phases, and holds the mirror. */
  revert(step: Step): Promise<Publication>;
  /**
   * After `publish`, `confirm` or `revert`: empties the stage and updates statistics. Never throws.
   */
  tidy(): Promise<void>;
  discard(): Promise<void>;
}
