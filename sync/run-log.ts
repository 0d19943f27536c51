import type { Log } from '../src/kernel/log.ts';
import type { MirrorId } from '../src/layers/keys.ts';
import type { Refusal } from './check.ts';
import type { RunKind } from './claim.ts';
import type { Phase, Trigger } from './deps.ts';

export interface RunLogged {
  readonly layer: MirrorId;
  /** null: not recorded. */
  readonly run: string | null;
  readonly phase: Phase;
  readonly trigger: Trigger;
  readonly kind: RunKind;
  readonly by?: string | null;
}

export interface RefusedRun {
  readonly refusals: readonly Refusal[];
  readonly hasCopy: boolean;
}

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

export function whatStays(hasCopy: boolean): string {
  return hasCopy ? 'the old copy stays' : 'there is no copy yet';
}

export interface FailedRun {
  readonly reason: string;
  readonly error: unknown;
  /** Aborted: the run was stopped, and the layer is fine. */
  readonly signal: AbortSignal | undefined;
}

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
