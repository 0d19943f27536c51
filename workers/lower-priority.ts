/**
 * Threads of batches stand back behind the request thread: a batch waits for a single lookup, not the
 * reverse. Linux only; elsewhere, and where it is not allowed, they stay as they are.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { LIMITS } from '../src/kernel/limits.ts';

/** For the calling thread, once, when it starts. */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return;
  // Only ever downwards: a service that was started with less keeps less.
  if (getPriority() < LIMITS.batchThreadNice) setPriority(LIMITS.batchThreadNice);
  becomeIdle();
}

/**
 * For a process that answers nobody, once, when it begins its work: all of it, those threads too that
 * collect and compile for the others. It holds no lock while it waits for the core: its statements are
 * a round trip each. Threads that come later are as the one that makes them.
 */
export function lowerProcessPriority(): void {
  if (process.platform !== 'linux') return;
  for (const thread of readdirSync('/proc/self/task')) idle(thread);
}

/**
 * For a process with such threads, once: a thread that stands back collects its young garbage itself.
 * V8's helpers, of which the process has one set, would do it at everybody's priority, two at a time,
 * and a single lookup wait for them.
 */
export function disableParallelScavenge(): void {
  setFlagsFromString('--no-parallel-scavenge');
}

/**
 * For such a process, once, when it starts. What a chunk needs lies outside the heap and is gone in a
 * moment, but counts as the heap's growth: of its small heap V8 would collect all twice a second, 30 ms
 * on both cores each time. It may grow to five times what is alive first.
 */
export function growHeapBeforeCollecting(): void {
  setFlagsFromString('--heap-growing-percent=400');
}

/**
 * SCHED_IDLE: whatever else wants the core has it at once, where a merely nicer thread may finish its
 * slice of some milliseconds. Of the time nobody wants it has all, of the rest a sliver.
 */
function becomeIdle(): void {
  idle(readlinkSync('/proc/thread-self').split('/').at(-1) ?? '');
}

function idle(thread: string): void {
  try {
    execFileSync('chrt', ['--idle', '--pid', '0', thread], { stdio: 'ignore', timeout: 2_000 });
  } catch {
    // No such tool, or not allowed here: nice is what is left.
  }
}
