/** Threads by cores and memory: what they may take never sums to more than there is. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { MEMORY_MIB, plannedMiB, planThreads, workHeapMiB } from '../../src/kernel/thread-plan.ts';

const AUTO = { requests: 'auto', work: null } as const;
const GIB = 2 ** 30;

test.each([
  // cores, GiB, sources: request threads, work, heap of each further one.
  [2, 8, 'sample', 1, 1, 1_024],
  [4, 8, 'live', 3, 3, 1_024],
  [16, 64, 'live', 12, 15, 1_024],
  [16, 2, 'live', 1, 1, 192],
  [16, 4, 'live', 8, 8, 218],
  [16, 1, 'sample', 2, 2, 349],
  [1, 0.25, 'live', 1, 1, 192],
] as const)('%d cores and %d GiB of %s', (...[cores, gib, sources, requests, work, heapMiB]) => {
  const memoryBytes = gib * GIB;
  const plan = planThreads({ cores, memoryBytes, sources }, AUTO);
  expect(plan).toMatchObject({ requests, work, heapMiB });
  expect(plannedMiB(plan, sources)).toBeLessThanOrEqual(
    Math.max(gib * 1_024, MEMORY_MIB.process[sources]),
  );
});

test.each([
  [0.25, 128],
  [1, 256],
  [64, 512],
])('a thread of work has of %d GiB a heap of %d MiB', (gib, mib) => {
  expect(workHeapMiB(gib * GIB)).toBe(mib);
});

test('a number that a person sets holds, with the least heap each', () => {
  const machine = { cores: 16, memoryBytes: 2 * GIB, sources: 'live' } as const;
  expect(planThreads(machine, { requests: 12, work: 4 })).toMatchObject({
    ...{ requests: 12, work: 4, heapMiB: 192 },
  });
});

test('the table for operators is what is planned', () => {
  const text = readFileSync('docs/operations-connections.md', 'utf8').replaceAll(',', '');
  const rows = [...text.matchAll(/^\| (\d+) (\d+) GiB +\| (.*) \|$/gm)];
  expect(rows.length).toBeGreaterThan(4);
  for (const [, cores, gib, cells = ''] of rows) {
    const memoryBytes = Number(gib) * GIB;
    const plan = planThreads({ cores: Number(cores), memoryBytes, sources: 'live' }, AUTO);
    const { requests, work, heapMiB } = plan;
    expect(cells.split('|').map(Number)).toEqual([
      ...[requests, work, heapMiB, workHeapMiB(memoryBytes), plannedMiB(plan, 'live')],
    ]);
  }
});
