/** What the first thread publishes, in several threads at one instant. */
import { once } from 'node:events';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { MessageChannel, Worker } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { Follower, Leader } from '../../src/threads/feed.ts';
import { editionsLoader } from '../support/published-editions.ts';
import { answerBatches } from '../support/publication-thread.ts';
import type { Seen, ThreadData } from '../support/publication-thread.ts';
import { amountOf, seedFrom, SEED_ENV } from '../support/run-settings.ts';
import { testFolder } from '../support/opened.ts';

const PUBLICATIONS = amountOf({ gate: 100, night: 10_000 });
/** Beside the first. */
const SERVERS = 2;
const CLIENTS = 4;

function threadOf(data: ThreadData, transferList: MessagePort[]): Worker {
  const file = new URL('../support/publication-thread.ts', import.meta.url);
  return new Worker(file, { workerData: data, transferList });
}

test('no batch is mixed and no answer is older than one before it, whichever threads gave them', async () => {
  const leader = new Leader();
  let generation = 1;
  const directory = testFolder('publications');
  const first = editionsLoader({
    ...{ directory, generation: () => generation },
    threads: { first: leader },
  });
  await first.refresh();
  const channels = Array.from({ length: CLIENTS }, () =>
    Array.from({ length: SERVERS + 1 }, () => new MessageChannel()),
  );
  const portsOf = (server: number): MessagePort[] => channels.map((each) => each[server]!.port1);
  answerBatches(portsOf(SERVERS), first);
  const servers = Array.from({ length: SERVERS }, (_, server) => {
    const [feed, ports] = [leader.join(), portsOf(server)];
    return threadOf({ kind: 'server', feed, ports }, [feed.port, ...ports]);
  });
  const ports = channels.map((each) => each.map(({ port2 }) => port2));
  const seed = seedFrom(process.env[SEED_ENV]);
  const clients = threadOf({ kind: 'clients', ports, seed }, ports.flat());
  await once(clients, 'message');
  while (generation < PUBLICATIONS) {
    generation += 1;
    await first.refresh();
    await turn();
  }
  const told = once(clients, 'message') as Promise<[Seen]>;
  clients.postMessage('stop');
  const [seen] = await told;
  await Promise.all([...servers, clients].map((worker) => worker.terminate()));
  for (const port of portsOf(SERVERS)) port.close();
  console.log(`${PUBLICATIONS} publications, ${seen.batches} batches of ${seen.generations}`);
  expect(seen).toMatchObject({ mixed: [], older: [] });
  expect(seen.generations).toBeGreaterThan(10);
}, 600_000);

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
