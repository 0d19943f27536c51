import { expect, test } from 'vitest';
import { ReplicaLag } from '../../src/db/replica-lag.ts';

const place = (at: number, generation = 1) => ({ at, generation, database: 'ours' });

test('is not known before both have answered, nor while the replica does not', () => {
  const lag = new ReplicaLag();
  expect(lag.lagMs(0, null)).toBeNull();
  lag.replicaAt(place(100));
  expect(lag.lagMs(10, null)).toBeNull();
  lag.primaryAt(place(100), 20);
  expect(lag.lagMs(30, null)).toBe(10);
  lag.replicaAt(null);
  expect(lag.lagMs(40, null)).toBeNull();
});

test('of an idle primary is no more than the interval of looking', () => {
  const lag = new ReplicaLag();
  for (let ms = 0; ms <= 100_000; ms += 500) {
    lag.primaryAt(place(100), ms);
    lag.replicaAt(place(100));
  }
  expect(lag.lagMs(100_000, null)).toBe(0);
});

test('grows while the replica stands still and the primary writes, and ends as it catches up', () => {
  const lag = new ReplicaLag();
  for (let ms = 0; ms <= 10_000; ms += 1_000) lag.primaryAt(place(100 + ms, ms), ms);
  lag.replicaAt(place(100 + 3_500, 3));
  expect(lag.lagMs(10_000, null)).toBe(7_000);
  expect([lag.generation, lag.primaryGeneration]).toEqual([3, 10_000]);
  lag.replicaAt(place(10_100));
  expect(lag.lagMs(10_500, null)).toBe(500);
});

test('does not grow while the primary is silent: nothing new is known to have come', () => {
  const lag = new ReplicaLag();
  lag.primaryAt(place(100), 0);
  lag.primaryAt(place(200), 1_000);
  lag.replicaAt(place(200));
  expect(lag.lagMs(60_000, 2_000)).toBe(1_000);
  expect(lag.lagMs(60_000, null)).toBe(59_000);
});

test('is not known of a replica behind all that was seen, nor of another database', () => {
  const lag = new ReplicaLag();
  lag.primaryAt(place(100), 0);
  lag.replicaAt(place(50));
  expect(lag.lagMs(0, null)).toBeNull();
  lag.replicaAt({ ...place(500), database: 'restored' });
  expect(lag.lagMs(0, null)).toBeNull();
});
