/** A request thread that does nothing but report, and ends as it is told. */
import process from 'node:process';
import { workerData } from 'node:worker_threads';
import { Questions } from '../../src/threads/ask.ts';
import { threadLink } from '../../src/threads/in-thread.ts';
import type { ThreadSetup } from '../../src/threads/request-threads.ts';

export type Death = 'throw' | 'exit' | 'fail' | 'stop';

/** What the first thread answers: how this thread, by its number, is to end. */
export interface Fates {
  next(number: number): Promise<Death>;
}

const link = threadLink<null, number>();
const { number, questions } = workerData as ThreadSetup<null>;
const fate = await new Questions(questions).of<Fates>('fates').next(number);
const stopped = link.told('stop');
link.send({ kind: 'report', report: 1 });
if (fate === 'fail') {
  link.send({ kind: 'failed', message: 'there is no table' });
  process.exit(0);
}
link.send({ kind: 'listening' });
if (fate === 'exit') process.exit(7);
if (fate === 'throw') throw new RangeError('one too many');
await stopped;
process.exit(0);
