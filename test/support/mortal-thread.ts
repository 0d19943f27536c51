/** A request thread that does nothing but report, and ends or hangs as it is told. */
import { execFileSync } from 'node:child_process';
import process from 'node:process';
import { getHeapStatistics } from 'node:v8';
import { workerData } from 'node:worker_threads';
import { Questions } from '../../src/threads/ask.ts';
import { threadLink } from '../../src/threads/in-thread.ts';
import type { ThreadSetup } from '../../src/threads/request-threads.ts';
import { TASKS } from './hanging.thread.ts';

export type Death = 'throw' | 'exit' | 'fail' | 'stop' | Hang;
export type Hang = keyof typeof HANGS;

/** MiB: more than it may hold, and less than V8 ends it at, however late it is measured. */
const HOARD_MIB = 600;

/** Reports as it takes memory, however slow a busy machine makes that: a silent thread would be ended for its silence. */
function hoard(): never {
  const kept = [];
  for (;;) {
    link.send({ kind: 'report', report: { sent: 1 } });
    if (getHeapStatistics().used_heap_size < HOARD_MIB * 2 ** 20)
      kept.push(Buffer.alloc(1_000_000, 97).toString('latin1'));
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  }
}

const { spin, memory: garbage, wait } = TASKS;
/** Until the file of that name is there. */
const program = () =>
  execFileSync('sh', ['-c', 'until [ -e "$MORTAL_RELEASE" ]; do sleep 0.1; done']);
const HANGS = { spin, garbage, hoard, wait, program };

/** What the first thread answers: how this thread, by its number, is to end. */
export interface Report {
  readonly sent: number;
}

export interface Fates {
  next(number: number): Promise<Death>;
}

const link = threadLink<null, Report>();
const { number, questions } = workerData as ThreadSetup<null>;
const fate = await new Questions(questions).of<Fates>('fates').next(number);
const stopped = link.told('stop');
link.send({ kind: 'report', report: { sent: 1 } });
if (fate === 'fail') {
  link.send({ kind: 'failed', message: 'there is no table' });
  process.exit(0);
}
link.send({ kind: 'listening' });
if (fate === 'exit') process.exit(7);
if (fate in HANGS) HANGS[fate as Hang]();
if (fate === 'throw') throw new RangeError('one too many');
const reporting = setInterval(() => link.send({ kind: 'report', report: { sent: 1 } }), 1_000);
await stopped;
clearInterval(reporting);
process.exit(0);
