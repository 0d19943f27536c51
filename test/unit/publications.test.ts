/** What the first thread publishes, in several threads at one instant. */
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { Follower, Leader } from '../../src/threads/feed.ts';

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
