import { readlinkSync } from 'node:fs';

/** Steps done, and the operating system's thread number; 0: unknown. */
export type Pulse = Int32Array<SharedArrayBuffer>;

let current: Pulse | null = null;
let threadNumber: number | null = null;

export function newPulse(): Pulse {
  return new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
}

export function takePulse(pulse: Pulse): void {
  threadNumber ??= numberOfThread();
  Atomics.store(pulse, 1, threadNumber);
  current = pulse;
  beat();
}

/** Call in the loops of tasks, per row or batch of rows. */
export function beat(): void {
  if (current !== null) Atomics.add(current, 0, 1);
}

function numberOfThread(): number {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  } catch {
    // Not Linux.
    return 0;
  }
}
