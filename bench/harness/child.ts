/** The program of every measured process: does the tasks it is sent, and ends with its parent. */
import type { TaskMessage } from './process.ts';
import { closeAll, TASKS } from './tasks.ts';

process.on('message', ({ task, input }: TaskMessage) => {
  // The parent pairs them by the same type.
  const run = TASKS[task] as (given: typeof input) => Promise<unknown>;
  run(input).then(
    (output) => process.send?.(output ?? null),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => {
  void closeAll().finally(() => process.exit(0));
});
