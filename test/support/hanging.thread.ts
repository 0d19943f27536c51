/** A task that hangs as it is told, or ends at once. */
import { execFileSync } from 'node:child_process';

export type Task = keyof typeof TASKS;

const TASKS = {
  end: () => 'ended',
  nap: () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    return 'ended';
  },
  spin: () => {
    for (;;) Math.sqrt(2);
  },
  memory: () => {
    const kept = [];
    for (;;) if (kept.push({}) > 100_000) kept.length = 0;
  },
  hoard: () => {
    const kept = [];
    for (;;) kept.push({ n: [kept.length] });
  },
  wait: () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0),
  program: () => execFileSync('sleep', ['4']),
};

export default (task: Task): unknown => TASKS[task]();
