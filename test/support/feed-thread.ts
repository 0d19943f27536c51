/** A thread that follows a feed as fast as it can, and tells what it saw go wrong. */
import { parentPort, workerData } from 'node:worker_threads';
import { Follower } from '../../src/threads/feed.ts';
import type { FeedEnd } from '../../src/threads/feed.ts';

export interface FeedThreadSetup {
  readonly feed: FeedEnd;
  /** The number that the first thread announced last, and whether it is over. */
  readonly announced: SharedArrayBuffer;
}

export interface Seen {
  readonly reads: number;
  /** Reads of an older state than one that had been announced before. */
  readonly late: number;
  /** Reads of a state older than the one read before. */
  readonly back: number;
  /** States of which one part was of another announcement. */
  readonly mixed: number;
}

interface State {
  readonly one: number;
  readonly other: number;
}

const { feed, announced } = workerData as FeedThreadSetup;
const cells = new Int32Array(announced);
const follower = new Follower(feed);
let state: State = { one: 0, other: 0 };
follower.follow('state', (next: State) => {
  state = next;
});
parentPort?.postMessage('follows');
const seen = { reads: 0, late: 0, back: 0, mixed: 0 };
while (Atomics.load(cells, 1) === 0) {
  const before = state.one;
  const least = Atomics.load(cells, 0);
  follower.look();
  seen.reads += 1;
  if (state.one < least) seen.late += 1;
  if (state.one < before) seen.back += 1;
  if (state.one !== state.other) seen.mixed += 1;
}
parentPort?.postMessage(seen satisfies Seen);
