/** What the log is told of a run that did not do what it was for. */
import type { Log } from '../src/kernel/log.ts';
import type { MirrorId } from '../src/layers/keys.ts';
import type { Refusal } from './check.ts';
import type { RunKind } from './claim.ts';
import type { Phase, Trigger } from './deps.ts';

export interface RunLogged {
  readonly layer: MirrorId;
  /** null: it is not even on record. */
  readonly run: string | null;
  readonly phase: Phase;
  readonly trigger: Trigger;
  readonly kind: RunKind;
  /** Who asked, where that is to be told. */
  readonly by?: string | null;
}

export interface RefusedRun {
  readonly refusals: readonly Refusal[];
  /** Whether an earlier copy answers on. */
  readonly hasCopy: boolean;
}

/** One line: which guard refused first, its numbers, the others with theirs, and what answers on. */
export function logRefused(
  log: Log,
  { kind: _, ...run }: RunLogged,
  { refusals, hasCopy }: RefusedRun,
): void {
  const [first, ...others] = refusals;
  if (first === undefined) return;
  const { guard, numbers, message } = first;
  log.error(
    { ...run, guard, numbers, ...(others.length > 0 && { others }) },
    `sync of ${run.layer} refused by ${guard}; ${whatStays(hasCopy)}: ${message}`,
  );
}

/** What answers after a refusal. */
export function whatStays(hasCopy: boolean): string {
  return hasCopy ? 'the old copy stays' : 'there is no copy yet';
}

export interface FailedRun {
  /** Free of keys. */
  readonly reason: string;
  readonly error: unknown;
  /** Whoever asked for the run; aborted: the run was stopped, and nothing is wrong with the layer. */
  readonly signal: AbortSignal | undefined;
}

/** One line: where it failed and why, with the error and its causes. */
export function logFailed(
  log: Log,
  { kind, ...run }: RunLogged,
  { reason, error, signal }: FailedRun,
): void {
  const what = kind === 'revert' ? 'revert' : 'sync';
  if (signal?.aborted === true) {
    log.info({ ...run, reason }, `${what} of ${run.layer} stopped in ${run.phase}: ${reason}`);
    return;
  }
  log.error(
    { ...run, reason, err: error },
    `${what} of ${run.layer} failed in ${run.phase}: ${reason}`,
  );
}
