/** A thread of the test of publications: answers from memory, or is some clients of those that do. */
import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { randomFrom } from '../../src/snapshot/probes.ts';
import { Follower } from '../../src/threads/feed.ts';
import type { FeedEnd } from '../../src/threads/feed.ts';
import { editionsAt, editionsLoader } from './published-editions.ts';
import type { Editions, EditionsLoader } from './published-editions.ts';

export type ThreadData =
  | {
      readonly kind: 'server';
      readonly feed: FeedEnd;
      /** One of each client. */
      readonly ports: readonly MessagePort[];
    }
  | {
      readonly kind: 'clients';
      /** Of each client one to each server. */
      readonly ports: readonly (readonly MessagePort[])[];
      readonly seed: number;
    };

/** What the clients have seen when they were told to stop. */
export interface Seen {
  readonly batches: number;
  readonly generations: number;
  readonly mixed: readonly Editions[];
  /** Two answers of one client, the second older. */
  readonly older: readonly (readonly [number, number])[];
}

/** So many batches, and all threads answer: it is said once. */
const BEGUN = 100;

/** A batch gives the turn away between its two points, as a long one does. */
export function answerBatches(ports: readonly MessagePort[], loader: EditionsLoader): void {
  const answer = async (port: MessagePort): Promise<void> => {
    const serving = loader.current;
    if (serving === null) throw new Error('Nothing is in memory yet.');
    const { skov } = serving.shown;
    await turn();
    const { dige } = serving.shown;
    port.postMessage({ generation: serving.generation, shown: { skov, dige } } satisfies Editions);
  };
  for (const port of ports) port.on('message', () => void answer(port));
}

function serve({ feed, ports }: Extract<ThreadData, { kind: 'server' }>): void {
  const threads = { followed: new Follower(feed) };
  const loader = editionsLoader({ directory: '', generation: () => 0, threads });
  loader.start();
  answerBatches(ports, loader);
}

async function ask({ ports, seed }: Extract<ThreadData, { kind: 'clients' }>): Promise<Seen> {
  const stopped = { is: false };
  parentPort?.once('message', () => (stopped.is = true));
  const mixed: Editions[] = [];
  const older: [number, number][] = [];
  const generations = new Set<number>();
  let batches = 0;
  const client = async (servers: readonly MessagePort[], nth: number): Promise<void> => {
    const random = randomFrom(seed + nth);
    let last = 0;
    while (!stopped.is) {
      const server = servers[Math.floor(random() * servers.length)]!;
      server.postMessage('batch');
      const [answer] = (await once(server, 'message')) as [Editions];
      const { skov, dige } = editionsAt(answer.generation);
      if (answer.shown.skov !== skov || answer.shown.dige !== dige) mixed.push(answer);
      if (answer.generation < last) older.push([last, answer.generation]);
      last = answer.generation;
      batches += 1;
      if (batches === BEGUN) parentPort?.postMessage('begun');
      generations.add(last);
    }
  };
  await Promise.all(ports.map(client));
  return { batches, generations: generations.size, mixed, older };
}

const data = workerData as ThreadData | null;
if (data?.kind === 'server') serve(data);
if (data?.kind === 'clients') {
  const seen = await ask(data);
  parentPort?.postMessage(seen);
}
