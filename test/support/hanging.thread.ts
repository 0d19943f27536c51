/** A task that hangs as it is told, or ends at once. */
import { execFileSync } from 'node:child_process';

import { beat } from '../../src/kernel/pulse.ts';

export type Task = keyof typeof TASKS;

const rest = (ms?: number): string => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  return 'ended';
};

export const TASKS = {
  end: () => 'ended',
  nap: () => rest(100),
  steps: () => {
    for (const end = performance.now() + 3_500; performance.now() < end; rest(20)) beat();
    return 'ended';
  },
  spin: () => {
    for (;;) Math.sqrt(2);
  },
  memory: () => {
    const kept = [];
    for (;;) if (kept.push({}) > 100_000) kept.length = 0;
  },
  objects: () => {
    const kept = [];
    for (;;) kept.push({ n: [kept.length] });
  },
  texts: () => {
    const kept = [];
    for (;;) kept.push(Buffer.alloc(100_000, 97).toString('latin1'));
  },
  table: () => {
    const kept = new Map<number, number>();
    for (;;) kept.set(kept.size, 1);
  },
  buffers: () => {
    const kept = [];
    for (;;) kept.push(Buffer.alloc(1_000_000, 1));
  },
  wait: () => rest(),
  program: () => execFileSync('sleep', ['25']),
};

export default (task: Task): unknown => TASKS[task]();
