/** A batch thread: `n` is answered with itself, and a batch of 0 never. */
import { serveSession } from '../../src/core/tasks/session.ts';
import type { SessionTask } from '../../src/core/tasks/protocol.ts';

export default (task: SessionTask): Promise<void> =>
  serveSession(task, ({ n }: { readonly n: number }) => {
    while (n === 0) Math.sqrt(2);
    return { value: n, give: [] };
  });
