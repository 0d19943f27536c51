/**
 * A thread of the datavask benchmark: readies itself, says so, cleanses its texts, says what
 * processor time they took, seconds.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { openAddressIndex } from '../src/registers/addresses/index/address-index.ts';
import { createAddressFinder } from '../src/registers/addresses/index/finder.ts';

const { buffer, texts, begin } = workerData as {
  readonly buffer: SharedArrayBuffer;
  readonly texts: readonly string[];
  readonly begin: Int32Array;
};
const finder = createAddressFinder(openAddressIndex(buffer, { verified: true }));
for (const text of texts.slice(0, 500)) finder.cleanse({ text }, 'unit', 5);
parentPort?.postMessage('ready');
Atomics.wait(begin, 0, 0);
const before = process.threadCpuUsage();
for (const text of texts) finder.cleanse({ text }, 'unit', 5);
const { user, system } = process.threadCpuUsage(before);
parentPort?.postMessage((user + system) / 1e6);
