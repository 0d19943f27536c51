/** The steps of a job (D70). */
import type { Status } from '../core/rows/job-types.ts';

export const ACTIONS = ['start', 'pause', 'resume', 'cancel'] as const;
export type Action = (typeof ACTIONS)[number];
export type Step = Action | 'run' | 'complete' | 'fail' | 'hold' | 'expire';

interface Transition {
  readonly from: readonly Status[];
  readonly to: Status;
}

const STEPS: Readonly<Record<Step, Transition>> = {
  start: { from: ['draft'], to: 'queued' },
  run: { from: ['queued'], to: 'running' },
  pause: { from: ['running'], to: 'paused' },
  resume: { from: ['paused'], to: 'running' },
  cancel: { from: ['draft', 'queued', 'running', 'paused'], to: 'cancelled' },
  complete: { from: ['running'], to: 'completed' },
  fail: { from: ['running'], to: 'failed' },
  /** By the service: no unit, or no key to bill. */
  hold: { from: ['queued', 'running'], to: 'paused' },
  /** Untouched for JOB_LIMITS.untouchedMs. */
  expire: { from: ['draft', 'paused'], to: 'cancelled' },
};

/** null: not allowed. */
export function statusAfter(status: Status, step: Step): Status | null {
  const { from, to } = STEPS[step];
  return from.includes(status) ? to : null;
}

export function statusesBefore(step: Step): readonly Status[] {
  return STEPS[step].from;
}

const ENDED: readonly Status[] = ['completed', 'failed', 'cancelled'];

export function hasEnded(status: Status): boolean {
  return ENDED.includes(status);
}

/** Only drafts take rows (D71). */
export function takesRows(status: Status): boolean {
  return status === 'draft';
}

/** Work in progress or waiting must be cancelled first. */
export function mayBeDeleted(status: Status): boolean {
  return status === 'draft' || hasEnded(status);
}
