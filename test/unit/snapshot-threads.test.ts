import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { LineEngine } from '../../src/snapshot/lines.ts';
import type { LineMeasure } from '../../src/snapshot/lines.ts';
import { box, layerOf } from '../support/layer-fixture.ts';

const X = 600_000;
const Y = 6_200_000;

/** Opens the shared buffer in a thread of its own and measures there. */
const THREAD = `
  const { parentPort, workerData } = require('node:worker_threads');
  (async () => {
    const { openLayerSnapshot } = await import(workerData.layer);
    const { LineEngine } = await import(workerData.lines);
    const snapshot = openLayerSnapshot(workerData.buffer, { verified: true });
    const engine = new LineEngine(snapshot);
    const isShared = snapshot.xy.buffer === workerData.buffer;
    const measures = workerData.points.map((point) => engine.measure(point, 500));
    parentPort.postMessage({ isShared, measures });
  })();
`;

describe('a snapshot in a thread', () => {
  it('answers alike from the same memory', async () => {
    const shapes = Array.from({ length: 50 }, (_, i) => {
      const tile = box(X + 60 * (i % 10), Y + 60 * Math.floor(i / 10), 40);
      return { id: `s${i}`, adopted: i % 2 === 0, polygons: [[tile]] };
    });
    const snapshot = layerOf(shapes);
    const points = Array.from({ length: 200 }, (_, i) => {
      return { xUtm32: X + 3.7 * i, yUtm32: Y + 1.3 * i };
    });
    const workerData = {
      buffer: snapshot.buffer,
      points,
      layer: import.meta.resolve('../../src/snapshot/layer.ts'),
      lines: import.meta.resolve('../../src/snapshot/lines.ts'),
    };
    const worker = new Worker(THREAD, { eval: true, workerData });
    const answer = await new Promise<{ isShared: boolean; measures: LineMeasure[] }>(
      (resolve, reject) => {
        worker.once('message', resolve);
        worker.once('error', reject);
      },
    );
    await worker.terminate();
    const engine = new LineEngine(snapshot);
    expect(answer.isShared).toBe(true);
    expect(answer.measures).toEqual(points.map((point) => engine.measure(point, 500)));
  });
});
