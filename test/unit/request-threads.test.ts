/** Threads that end by themselves: said, counted, and replaced. What the first publishes, in several threads at one instant. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { Follower, Leader } from '../../src/threads/feed.ts';
import { RequestThreads } from '../../src/threads/request-threads.ts';
import { keptLog } from '../support/log.ts';
import type { Death, Fates, Report } from '../support/mortal-thread.ts';
import { ownFolder } from '../support/opened.ts';
import { isHeavy } from '../support/run-settings.ts';
import { until } from '../support/until.ts';

/** Once it is there, a program that a thread waits for ends. */
const RELEASE = join(ownFolder('threads'), 'release');

interface Started {
  readonly threads: RequestThreads<null, Report, number>;
  readonly log: ReturnType<typeof keptLog>;
  readonly ended: readonly number[];
  readonly stuck: readonly number[];
}

/** One beside the first: it ends so, one time after the other, and then lives on. */
function threadsThatEnd(deaths: readonly Death[], file = '../support/mortal-thread.ts'): Started {
  const left = [...deaths];
  const fates: Fates = { next: () => Promise.resolve(left.shift() ?? 'stop') };
  const log = keptLog();
  const [ended, stuck]: [number[], number[]] = [[], []];
  const threads = new RequestThreads<null, Report, number>({
    ...{ file: new URL(file, import.meta.url), env: { ...process.env, MORTAL_RELEASE: RELEASE } },
    ...{ count: 1, heapMiB: 256, settings: null },
    ...{ leader: new Leader(), services: { fates }, log },
    merge: (kept, { sent }) => (kept ?? 0) + sent,
    onEnded: (number) => ended.push(number),
    onStuck: (number) => stuck.push(number),
  });
  void threads.start();
  return { threads, log, ended, stuck };
}

const said = ({ log }: Started): string[] => log.lines.map(({ message }) => message);

test('whatever a thread ends by is said, and another takes its place', async () => {
  const started = threadsThatEnd(['throw', 'exit']);
  const { threads, ended, log } = started;
  await until(() => ended.length === 2 && threads.listening === 1);
  expect(said(started)).toEqual([
    'request thread 1 ended: one too many; its connections are lost, and another starts in 250 ms',
    'request thread 1 ended: exit code 7; its connections are lost, and another starts in 500 ms',
  ]);
  // Where it came from, for who has to mend it.
  const { stack = '' } = log.lines[0]!.fields['err'] as Error;
  expect(stack).toMatch(/RangeError: one too many\s+at .*mortal-thread/);
  expect(threads.reports).toMatchObject({ running: [{ sent: 1 }], ended: 2, hung: 0 });
  await threads.stop();
  expect(ended).toEqual([1, 1]);
});

test('a thread that cannot start says why, and is tried again', async () => {
  const started = threadsThatEnd(['fail']);
  await until(() => started.threads.listening === 1);
  expect(said(started)[0]).toMatch(/^request thread 1 ended: there is no table; /);
  await started.threads.stop();
});

test('a file that cannot be read takes no more than the thread', async () => {
  const started = threadsThatEnd([], '../support/no-such-thread.ts');
  await until(() => started.ended.length === 2);
  expect(started.threads.listening).toBe(0);
  await started.threads.stop();
});

/** By day one that takes no processor for its eight seconds; hanging-tasks.test.ts ends one that does. */
const HANGS = ['wait', ...(isHeavy ? (['spin', 'garbage'] as const) : [])] as const;

test.concurrent.each(HANGS)('a thread that hangs (%s) is ended and replaced', async (hang) => {
  const started = threadsThatEnd([hang]);
  const { threads, ended, stuck } = started;
  await until(() => (threads.reports.running[0]?.ageS ?? 0) >= 4);
  await until(() => ended.length === 1 && threads.listening === 1);
  expect(said(started)).toEqual([
    'request thread 1 hangs: no report for 8 s; it is ended',
    expect.stringContaining('another starts in 250 ms'),
  ]);
  expect([threads.reports.hung, stuck]).toEqual([1, []]);
  await threads.stop();
});

test.concurrent('one that takes more memory than it may is ended and replaced', async () => {
  const started = threadsThatEnd(['hoard']);
  const { threads, ended } = started;
  await until(() => ended.length === 1 && threads.listening === 1);
  expect(said(started)).toEqual([
    expect.stringMatching(/^a request thread takes \d+ MiB, and it may hold 768 MiB; it is ended$/),
    expect.stringContaining('another starts in 250 ms'),
  ]);
  await threads.stop();
});

test.concurrent('one that cannot be ended is told of to be stuck', async ({ onTestFinished }) => {
  const { threads, ended, stuck } = threadsThatEnd(['program']);
  onTestFinished(() => writeFileSync(RELEASE, ''));
  await until(() => stuck.length === 1);
  expect(ended).toEqual([]);
  writeFileSync(RELEASE, '');
  await until(() => ended.length === 1);
  await threads.stop();
});

/** As above: by day without the processor. */
const HANG = isHeavy ? 'for (;;);' : 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)';

test.concurrent.for([
  [`setTimeout(() => { ${HANG} }, 1_000)`, 'SIGKILL', 'pipe'],
  [`setTimeout(() => { ${HANG} }, 1_000)`, 'SIGKILL', '/dev/full'],
  ['setTimeout(() => process.exit(3), 4_000)', null, 'pipe'],
] as const)(
  'a process is ended where its first thread hangs: %s, %s, errors to %s',
  async ([code, signal, errors], { onTestFinished }) => {
    const watchdog = new URL('../../src/threads/watchdog.ts', import.meta.url).href;
    const program = `import { startWatchdog } from '${watchdog}'; startWatchdog(); ${code}`;
    const stderr = errors === 'pipe' ? errors : openSync(errors, 'w');
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'ignore', stderr],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let told = '';
    child.stderr?.on('data', (bytes: Buffer) => (told += bytes.toString()));
    const [, by] = (await once(child, 'close')) as [number | null, string | null];
    const isTold = signal !== null && errors === 'pipe';
    expect([by, told.includes('the first thread hangs')]).toEqual([signal, isTold]);
  },
);

test('what is posted is in force when it is counted, not before', async () => {
  const { port1, port2 } = new MessageChannel();
  const count = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const follower = new Follower({ port: port2, count });
  const read: unknown[] = [];
  follower.follow('lines', (state) => read.push(state));
  // The first thread has posted to this thread, and has not come to the next.
  port1.postMessage({ name: 'lines', state: 'new', number: 1 });
  await sleep(20);
  follower.look();
  expect(read).toEqual([]);
  Atomics.add(new Int32Array(count), 0, 1);
  await turn();
  await turn();
  expect(read).toEqual(['new']);
  port1.close();
});

test('a state is counted once it has been posted to every thread, not before', () => {
  const leader = new Leader();
  const ends = [leader.join(), leader.join()];
  const counted: (number | undefined)[] = [];
  leader.announce('lines', {
    get copied() {
      return counted.push(new Int32Array(ends[0]!.count)[0]);
    },
  });
  expect(counted).toEqual([0, 0]);
  for (const { port } of ends) port.close();
});

test('a thread that joins late begins with the last state of each name', () => {
  const leader = new Leader();
  leader.announce('lines', 1);
  leader.announce('places', 2);
  leader.announce('lines', 3);
  const end = leader.join();
  const follower = new Follower(end);
  const read: unknown[] = [];
  follower.follow('places', (state) => read.push(state));
  follower.follow('lines', (state) => read.push(state));
  expect(read).toEqual([2, 3]);
  end.port.close();
});
