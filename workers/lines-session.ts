/**
 * Worker task: a shift. Answers batches that come through its port, one after the other, until the port
 * is closed (shifts.ts).
 */
import { answerLines } from './lines-page.ts';
import type { LinesPageTask } from '../src/lookups/line-pages.ts';
import type { ShiftAnswer, ShiftOrder, ShiftTask } from './protocol.ts';

export default async function run({ port, givenUp }: ShiftTask): Promise<void> {
  let standing: LinesPageTask['standing'] | null = null;
  port.on('message', (order: ShiftOrder) => {
    standing = order.standing ?? standing;
    try {
      if (standing === null) throw new Error('A shift begins with an order that says what stands.');
      const { value, give } = answerLines({ ...order.task, standing, givenUp });
      port.postMessage({ result: value } satisfies ShiftAnswer, give);
    } catch (error) {
      port.postMessage({ error: error as Error } satisfies ShiftAnswer);
    }
  });
  await new Promise((closed) => port.once('close', closed));
}
