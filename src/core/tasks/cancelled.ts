import type { SessionTask } from './protocol.ts';

/** Items between two checks: little work for a thread, much compared with a check. */
const EVERY = 16;

export function isCancelled(
  { cancelled }: Partial<Pick<SessionTask, 'cancelled'>>,
  item: number,
): boolean {
  return cancelled !== undefined && item % EVERY === 0 && Atomics.load(cancelled, 0) !== 0;
}
