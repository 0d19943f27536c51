/**
 * A client in a process of its own: what one client sends without pause must not slow the clock by
 * which another is measured.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { drive } from './load.ts';
import type { Load, LoadResult } from './load.ts';

/** As `drive`, elsewhere. */
export async function driveElsewhere(load: Load): Promise<LoadResult> {
  const child = fork(import.meta.filename, { serialization: 'advanced', stdio: 'inherit' });
  const told = once(child, 'message');
  child.send(load);
  const [result] = (await told) as [LoadResult];
  await once(child, 'exit');
  return result;
}

if (process.argv[1] === import.meta.filename && process.send !== undefined) {
  process.once('message', (load: Load) => {
    const requests = load.requests.map((request) => Buffer.from(request));
    void drive({ ...load, requests }).then((result) => {
      process.send?.(result, undefined, undefined, () => process.disconnect());
    });
  });
}
