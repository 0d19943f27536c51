/**
 * Worker task: a shift. Answers batches that come through its port, one after the other, until the port
 * is closed (shifts.ts).
 */
import { answerLines } from './lines-page.ts';
import type { LinesPageTask } from '../src/lookups/line-pages.ts';
import type { SessionAnswer, SessionRequest, SessionTask } from './protocol.ts';

export default async function run({ port, givenUp }: SessionTask): Promise<void> {
  let standing: LinesPageTask['context'] | null = null;
  port.on('message', (order: SessionRequest) => {
    standing = order.standing ?? standing;
    try {
      if (standing === null) throw new Error('A shift begins with an order that says what stands.');
      const { value, give } = answerLines({ ...order.task, context: standing, cancelled: givenUp });
      port.postMessage({ result: value } satisfies SessionAnswer, give);
    } catch (error) {
      port.postMessage({ error: error as Error } satisfies SessionAnswer);
    }
  });
  await new Promise((closed) => port.once('close', closed));
}
