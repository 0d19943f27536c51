/** Lines in which holders take turns: none keeps another waiting behind all it has, and none can fill it. */
import { expect, test } from 'vitest';
import { FairLine } from '../../src/kernel/fair-line.ts';
import { localLimiters } from '../../src/kernel/limiters.ts';
import { Semaphore } from '../../src/kernel/semaphore.ts';

const permits = (atATime: number) => localLimiters().permits('workbooks', atATime);

test('holders take turns, each in the order it came', () => {
  const line = new FairLine<string>({ each: 10, total: 100 });
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) line.push(item.charAt(0), item);
  expect(line.size).toBe(6);
  expect(line.clear()).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  expect([line.size, line.shift()]).toEqual([0, undefined]);
});

test('a holder past its limit is refused, and others are not until all places are taken', () => {
  const line = new FairLine<number>({ each: 2, total: 3 });
  expect([line.push('a', 1), line.push('a', 2), line.push('a', 3)]).toEqual([null, null, 'each']);
  expect([line.push('b', 1), line.push('c', 1)]).toEqual([null, 'total']);
  expect([line.remove('a', 1), line.remove('a', 1), line.remove('x', 1)]).toEqual([
    true,
    false,
    false,
  ]);
  expect(line.push('c', 1)).toBeNull();
  expect(line.clear()).toEqual([2, 1, 1]);
});

test('a permit goes to who has waited for least of them', async () => {
  const semaphore = new Semaphore(permits(1), { each: 3, total: 6 });
  const ran: string[] = [];
  const full = () => new Error('full');
  const run = (holder: string, name: string) =>
    semaphore.run(holder, () => Promise.resolve(ran.push(name)), full);
  const many = ['a1', 'a2', 'a3', 'a4'].map((name) => run('a', name));
  const fifth = run('a', 'a5');
  const other = run('b', 'b1');
  await expect(fifth).rejects.toThrow('full');
  await Promise.all([...many, other]);
  expect(ran).toEqual(['a1', 'a2', 'b1', 'a3', 'a4']);
});

test('work that fails gives its permit on', async () => {
  const semaphore = new Semaphore(permits(1), { each: 1, total: 1 });
  const full = () => new Error('full');
  const failing = semaphore.run('a', () => Promise.reject(new Error('broken')), full);
  const next = semaphore.run('b', () => Promise.resolve('done'), full);
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('done');
});

test('a holder with all that it may have leaves the next permit to others', async () => {
  const holders = localLimiters().counter('workbooks of accounts', { each: 1, total: 2 });
  const semaphore = new Semaphore(permits(2), { each: 9, total: 9 }, holders);
  const ran: string[] = [];
  const gates = new Map<string, PromiseWithResolvers<undefined>>();
  const run = (name: string) => {
    const gate = Promise.withResolvers<undefined>();
    gates.set(name, gate);
    const work = () => (ran.push(name), gate.promise);
    return semaphore.run(name.charAt(0), work, () => new Error('full'));
  };
  const end = async (name: string) => {
    gates.get(name)!.resolve(undefined);
    await new Promise((done) => setTimeout(done, 5));
    return ran.join(' ');
  };
  const all = ['a1', 'a2', 'b1', 'b2', 'c1'].map(run);
  await Promise.resolve();
  expect(ran.join(' ')).toBe('a1 b1');
  expect(await end('b1')).toBe('a1 b1 b2');
  expect(await end('b2')).toBe('a1 b1 b2 c1');
  expect(await end('c1')).toBe('a1 b1 b2 c1');
  expect(await end('a1')).toBe('a1 b1 b2 c1 a2');
  gates.get('a2')!.resolve(undefined);
  await Promise.all(all);
  expect([holders.countOf('a'), holders.countOf('b')]).toEqual([0, 0]);
});
