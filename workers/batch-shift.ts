/**
 * Worker task: a shift. Answers batches that come through its port, one after the other, until the port
 * is closed (shifts.ts).
 */
import { answerAreas } from './areas-batch.ts';
import { answerLines } from './lines-page.ts';
import type { AreasBatchTask } from '../src/lookups/batch-threads.ts';
import type { BatchTask, LinesPageTask } from '../src/lookups/line-pages.ts';
import type { BatchTasks, HandedOver, ShiftAnswer, ShiftOrder, ShiftTask } from './protocol.ts';

export default async function run({ port, givenUp }: ShiftTask): Promise<void> {
  const standing = new Map<ShiftOrder['name'], BatchTask['standing']>();
  port.on('message', (order: ShiftOrder) => {
    if (order.standing !== null) standing.set(order.name, order.standing);
    const task = { ...order.task, standing: standing.get(order.name), givenUp };
    try {
      const { value, give } = answerOf(order.name, task as LinesPageTask);
      port.postMessage({ result: value } satisfies ShiftAnswer, give);
    } catch (error) {
      port.postMessage({ error: error as Error } satisfies ShiftAnswer);
    }
  });
  await new Promise((closed) => port.once('close', closed));
}

function answerOf(
  name: ShiftOrder['name'],
  task: LinesPageTask | AreasBatchTask,
): HandedOver<BatchTasks[ShiftOrder['name']]['result']> {
  return name === 'lines-page' ? answerLines(task as LinesPageTask) : answerAreas(task);
}
