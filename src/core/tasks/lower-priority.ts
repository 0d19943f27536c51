/** Lookups go first. Linux only, with permission. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { LIMITS } from '../../kernel/limits.ts';

export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return;
  // A service started at a lower priority keeps it.
  if (getPriority() < LIMITS.batchThreadNice) setPriority(LIMITS.batchThreadNice);
  becomeIdle();
}

/**
 * For a process that answers no requests, once at its start: includes V8's helper threads and later
 * threads.
 */
export function lowerProcessPriority(): void {
  if (process.platform !== 'linux') return;
  for (const thread of readdirSync('/proc/self/task')) idle(thread);
}

/**
 * For a process with such threads: V8's helpers would do it at normal priority. They do mark:
 * otherwise a property takes a third longer.
 */
export function collectYoungOnOwnThread(): void {
  setFlagsFromString('--no-parallel-scavenge');
}

/**
 * For such a process. A chunk's memory is off-heap, but counts as heap growth: V8 would collect
 * fully twice a second. The heap may grow to five times what is alive.
 */
export function growHeapBeforeCollecting(): void {
  setFlagsFromString('--heap-growing-percent=400');
}

/** SCHED_IDLE: anything else gets the core at once; a nicer thread would finish its slice. */
function becomeIdle(): void {
  idle(readlinkSync('/proc/thread-self').split('/').at(-1) ?? '');
}

function idle(thread: string): void {
  try {
    execFileSync('chrt', ['--idle', '--pid', '0', thread], { stdio: 'ignore', timeout: 2_000 });
  } catch {
    // No such tool or no permission: nice must do.
  }
}
