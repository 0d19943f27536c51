/**
 * A thread's side of a session: answers batches that come through its port, one after the other, until the
 * port is closed (sessions.ts).
 */
import type {
  HandedOver,
  SessionAnswer,
  SessionBatch,
  SessionRequest,
  SessionTask,
} from './protocol.ts';

/**
 * `answer` is given a batch with its context, and where it learns that nobody waits for it any more. Of which
 * type a batch is know the pool that sends it and the task that answers it.
 */
export async function serveSession<R>(
  { port, cancelled }: SessionTask,
  answer: (batch: never) => HandedOver<R>,
): Promise<void> {
  let context: SessionBatch['context'] | null = null;
  port.on('message', (order: SessionRequest<SessionBatch>) => {
    context = order.context ?? context;
    try {
      if (context === null)
        throw new Error('A session begins with a request that brings its context.');
      // Put together again as it was taken apart (sessions.ts).
      const { value, give } = answer({ ...order.task, context, cancelled } as never);
      port.postMessage({ result: value } satisfies SessionAnswer<R>, give);
    } catch (error) {
      port.postMessage({ error: error as Error } satisfies SessionAnswer<R>);
    }
  });
  await new Promise((closed) => port.once('close', closed));
}
