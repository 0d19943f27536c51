/**
 * Worker task: a session. Answers batches that come through its port, one after the other, until the port
 * is closed (sessions.ts).
 */
import { answerLines } from './lines-page.ts';
import type { LinesPageTask } from '../src/lookups/line-pages.ts';
import type { SessionAnswer, SessionRequest, SessionTask } from './protocol.ts';

export default async function run({ port, cancelled }: SessionTask): Promise<void> {
  let context: LinesPageTask['context'] | null = null;
  port.on('message', (order: SessionRequest) => {
    context = order.context ?? context;
    try {
      if (context === null)
        throw new Error('A session begins with a request that brings its context.');
      const { value, give } = answerLines({ ...order.task, context, cancelled });
      port.postMessage({ result: value } satisfies SessionAnswer, give);
    } catch (error) {
      port.postMessage({ error: error as Error } satisfies SessionAnswer);
    }
  });
  await new Promise((closed) => port.once('close', closed));
}
