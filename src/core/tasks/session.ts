import type {
  HandedOver,
  SessionAnswer,
  SessionBatch,
  SessionRequest,
  SessionTask,
} from './protocol.ts';

/**
 * Until the session is closed. `answer` receives a batch with its context, and the flag that its
 * caller no longer waits.
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
      // Joins what sessions.ts split.
      const { value, give } = answer({ ...order.task, context, cancelled } as never);
      port.postMessage({ result: value } satisfies SessionAnswer<R>, give);
    } catch (error) {
      port.postMessage({ error: error as Error } satisfies SessionAnswer<R>);
    }
  });
  await new Promise((closed) => port.once('close', closed));
}
