/** Which step a job may take from where (D70). Pure: statements ask here, and nothing else decides. */
import type { Status } from './job-types.ts';

/** What a caller asks for. */
export const ACTIONS = ['start', 'pause', 'resume', 'cancel'] as const;
export type Action = (typeof ACTIONS)[number];
/** Those, and what the engine does. */
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
  /** By the service: there is no unit for it, or no key to bill. */
  hold: { from: ['queued', 'running'], to: 'paused' },
  /** Nobody touched it for JOB_LIMITS.untouchedMs. */
  expire: { from: ['draft', 'paused'], to: 'cancelled' },
};

/** Where a step leads from a status; null: it may not be taken there. */
export function statusAfter(status: Status, step: Step): Status | null {
  const { from, to } = STEPS[step];
  return from.includes(status) ? to : null;
}

/** The statuses a step may be taken from. */
export function statusesBefore(step: Step): readonly Status[] {
  return STEPS[step].from;
}

const ENDED: readonly Status[] = ['completed', 'failed', 'cancelled'];

/** Nothing leads on from here. */
export function hasEnded(status: Status): boolean {
  return ENDED.includes(status);
}

/** Rows are added to drafts alone (D71). */
export function takesRows(status: Status): boolean {
  return status === 'draft';
}

/** A job somebody works on, or will, is cancelled before it is deleted. */
export function mayBeDeleted(status: Status): boolean {
  return status === 'draft' || hasEnded(status);
}
