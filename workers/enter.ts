/** What the pool's threads run: a task's file, with a pulse. */
import { takePulse } from '../src/kernel/pulse.ts';
import type { Pulse } from '../src/kernel/pulse.ts';

export interface EnteredTask {
  /** Its default export takes `task`. */
  readonly href: string;
  readonly task: unknown;
  readonly pulse: Pulse;
}

type Run = (task: unknown) => unknown;

const known = new Map<string, Run>();

export default async function enter({ href, task, pulse }: EnteredTask): Promise<unknown> {
  takePulse(pulse);
  let run = known.get(href);
  if (run === undefined) {
    ({ default: run } = (await import(href)) as { readonly default: Run });
    known.set(href, run);
  }
  return await run(task);
}
