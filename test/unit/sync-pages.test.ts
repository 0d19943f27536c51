import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { inOrder } from '../../sync/in-order.ts';

async function* numbers(count: number, onEnd: () => void = () => undefined) {
  try {
    for (let at = 0; at < count; at += 1) yield await Promise.resolve(at);
  } finally {
    onEnd();
  }
}

const giveUp = () => undefined;

async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of source) all.push(item);
  return all;
}

describe('pages in the parser', () => {
  test('come out in the order they came in, however long each takes', async () => {
    const work = async (at: number) => {
      await sleep((7 * at) % 5);
      return at;
    };
    expect(await collect(inOrder(numbers(20), { width: 3, work, giveUp }))).toEqual([
      ...Array(20).keys(),
    ]);
  });

  test('are never more than the width', async () => {
    let now = 0;
    let most = 0;
    const work = async (at: number) => {
      now += 1;
      most = Math.max(most, now);
      await sleep(2);
      now -= 1;
      return at;
    };
    await collect(inOrder(numbers(12), { width: 2, work, giveUp }));
    expect(most).toBe(2);
  });

  test('a page that cannot be parsed ends the reading and closes the source', async () => {
    let closed = false;
    const source = numbers(100, () => (closed = true));
    const work = (at: number) =>
      at === 3 ? Promise.reject(new Error('unreadable')) : Promise.resolve(at);
    await expect(collect(inOrder(source, { width: 2, work, giveUp }))).rejects.toThrow(
      'unreadable',
    );
    expect(closed).toBe(true);
  });
});
