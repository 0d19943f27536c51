import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { nodeIdOf } from '../../src/metering/node-id.ts';
import { ownFolder } from '../support/opened.ts';
import { amountOf } from '../support/run-settings.ts';

const THREADS = 2;
const ROUNDS = amountOf({ gate: 50, night: 200 });
const module = new URL('../../src/metering/node-id.ts', import.meta.url).href;

/** Names every directory of a row at the moment all the others do. */
const NAMING = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { gate, threads, directories } = workerData;
  import(workerData.module).then(({ nodeIdOf }) => {
    const names = directories.map((directory, round) => {
      Atomics.add(gate, round, 1);
      while (Atomics.load(gate, round) < threads);
      return nodeIdOf(directory);
    });
    parentPort.postMessage(names);
  });`;

const root = ownFolder('places');

test('processes that start together in one directory give it one name', async () => {
  const directories = Array.from({ length: ROUNDS }, (_, i) => join(root, String(i)));
  const gate = new Int32Array(new SharedArrayBuffer(4 * ROUNDS));
  const data = { module, gate, threads: THREADS, directories };
  const named = await Promise.all(
    Array.from({ length: THREADS }, async () => {
      const worker = new Worker(NAMING, { eval: true, workerData: data });
      return await new Promise<string[]>((resolve, reject) => {
        worker.once('message', resolve).once('error', reject);
      });
    }),
  );
  directories.forEach((directory, round) => {
    expect(new Set(named.map((names) => names[round])), directory).toEqual(
      new Set([nodeIdOf(directory)]),
    );
    expect(readdirSync(directory)).toEqual(['place']);
  });
  expect(new Set(directories.map(nodeIdOf)).size).toBe(ROUNDS);
});

test('a directory keeps its name', () => {
  const directory = join(root, 'kept');
  mkdirSync(directory);
  const name = nodeIdOf(directory);
  expect(name).toMatch(/^[0-9a-f]{16}$/);
  expect(nodeIdOf(directory)).toBe(name);
});
