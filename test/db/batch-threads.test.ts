/**
 * Batches answered by threads are what the request thread would have answered, to the byte: over the
 * sample island and a corner of the generated country. Given up, refused when too many wait.
 */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { areaSnapshot } from '../../bench/national/areas.ts';
import { Land } from '../../bench/national/land.ts';
import { lineSnapshot } from '../../bench/national/lines.ts';
import type { Point } from '../../src/geo/point.ts';
import { pointFromUtm32 } from '../../src/geo/project.ts';
import { writeAreasAt } from '../../src/http/v1/dagi/render.ts';
import { LineRenderer } from '../../src/http/v1/natur/render.ts';
import { JsonWriter } from '../../src/http/wire/json-writer.ts';
import { Failure } from '../../src/kernel/failures.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import { REGISTERS_CATALOGUE } from '../../src/layers/catalogue.ts';
import { LINE_KEYS, THEMES } from '../../src/layers/keys.ts';
import type { LayerId } from '../../src/layers/keys.ts';
import { createBuildingLines } from '../../src/lookups/building-lines.ts';
import type { BatchThreads } from '../../src/lookups/batch-threads.ts';
import { createReverseAreas } from '../../src/lookups/reverse-areas.ts';
import { EngineShelf, SnapshotSet } from '../../src/lookups/snapshot-set.ts';
import type { SetLayer } from '../../src/lookups/snapshot-set.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { openLayerSnapshot } from '../../src/snapshot/layer.ts';
import { createWorkers } from '../../workers/pool.ts';
import type { Workers, WorkersOptions } from '../../workers/pool.ts';
import { probesOf } from '../support/differential.ts';
import { openMemoryBench } from '../support/memory.ts';

/** One of each kind in six lies on an edge or a nanometre beside it. */
const POINTS = { random: 5_000, edge: 1_000, seed: 11, exact: true };
const { signal } = new AbortController();

function workersOf(options: Partial<WorkersOptions> = {}): Workers {
  const workers = createWorkers({ threads: 1, ...options });
  onTestFinished(() => workers.close());
  return workers;
}

/** Counts the batches that threads answered. */
function counted(workers: Workers): { threads: BatchThreads; tasks: number } {
  const seen = {
    tasks: 0,
    threads: {
      linesBatch: (...asked: Parameters<BatchThreads['linesBatch']>) => {
        seen.tasks += 1;
        return workers.linesBatch(...asked);
      },
      areasBatch: (...asked: Parameters<BatchThreads['areasBatch']>) => {
        seen.tasks += 1;
        return workers.areasBatch(...asked);
      },
    },
  };
  return seen;
}

function lookupsOf(set: SnapshotSet, threads?: BatchThreads) {
  const never = () => Promise.reject(new Error('Only memory is asked here.'));
  const common = {
    catalogue: REGISTERS_CATALOGUE,
    clock: systemClock,
    memory: () => set,
    readStore: never,
    askOrigin: never,
    ...(threads && { threads }),
  };
  return {
    lines: createBuildingLines({ ...common, searchRadiusM: 500 }),
    areas: createReverseAreas(common),
  };
}

const renderer = new LineRenderer({ catalogue: REGISTERS_CATALOGUE, sourceName: 'Opdigtet' });
const out = new JsonWriter();

async function linesText(set: SnapshotSet, points: readonly Point[], threads?: BatchThreads) {
  const answer = await lookupsOf(set, threads).lines.at(points, LINE_KEYS, { signal });
  const texts = answer.value.map((value) => {
    renderer.writeAll(out.begin(), value);
    return out.take().toString();
  });
  return { generation: answer.generation, texts };
}

async function areasText(set: SnapshotSet, points: readonly Point[], threads?: BatchThreads) {
  const answer = await lookupsOf(set, threads).areas.at(points, { signal });
  const texts = answer.value.map((value) => {
    if (value instanceof Failure) throw value;
    writeAreasAt(out.begin(), value);
    return out.take().toString();
  });
  return { generation: answer.generation, texts };
}

/** Once as one list of thousands, as a job asks, and once in batches as the interface has them. */
async function expectSame(set: SnapshotSet, points: readonly Point[]): Promise<void> {
  const seen = counted(workersOf());
  const lines = await linesText(set, points);
  expect(await linesText(set, points, seen.threads)).toEqual(lines);
  const areas = await areasText(set, points);
  expect(await areasText(set, points, seen.threads)).toEqual(areas);
  expect(seen.tasks).toBe(2 * Math.ceil(points.length / LIMITS.threadPiecePoints));
  const size = LIMITS.linePointsPerBatch;
  for (let from = 0; from < 1_000; from += size) {
    const batch = await linesText(set, points.slice(from, from + size), seen.threads);
    expect(batch.texts).toEqual(lines.texts.slice(from, from + size));
  }
  expect(seen.tasks).toBeGreaterThanOrEqual(1_000 / size);
}

function generatedCorner(): SnapshotSet {
  const land = new Land(0.003);
  const layers = new Map<LayerId, SetLayer>();
  const copy = { version: 1, syncedAtMs: systemClock.nowMs(), held: false };
  const add = (layer: LayerId, buffer: SharedArrayBuffer): void => {
    layers.set(layer, { copy, snapshot: openLayerSnapshot(buffer) });
  };
  for (const key of LINE_KEYS) add(key, lineSnapshot(land, key));
  for (const theme of THEMES) add(theme, areaSnapshot(land, theme));
  return new SnapshotSet(1, layers, new EngineShelf());
}

describe('threads answer to the byte what the request thread answers', () => {
  test('over the sample island', async () => {
    const bench = await openMemoryBench();
    onTestFinished(() => bench.close());
    const memory = bench.memoryIn(bench.newDirectory());
    await memory.keeper.refresh();
    const set = memory.keeper.current!;
    await expectSame(set, [...probesOf(set, POINTS)].map(pointFromUtm32));
  }, 300_000);

  test('over a real connection, whose body has been read to its end', async () => {
    const bench = await openMemoryBench();
    onTestFinished(() => bench.close());
    const memory = bench.memoryIn(bench.newDirectory());
    await memory.keeper.refresh();
    const app = await bench.edge(memory);
    onTestFinished(() => app.close());
    const punkter = [...probesOf(memory.keeper.current!, { ...POINTS, random: 50, edge: 0 })].map(
      (point) => pointFromUtm32(point).wgs84,
    );
    const base = await app.listen({ host: '127.0.0.1', port: 0 });
    const headers = { 'content-type': 'application/json' };
    for (const route of ['natur/byggelinjer:batch', 'dagi/reverse:batch']) {
      const payload = { punkter };
      const url = `/v1/${route}`;
      const expected = await app.inject({ method: 'POST', url, payload });
      const body = JSON.stringify(payload);
      const response = await fetch(`${base}${url}`, { method: 'POST', headers, body });
      expect(response.status).toBe(200);
      expect(await response.text()).toBe(expected.body);
    }
    expect(bench.workers.view().batches.threads).toBe(1);
  }, 300_000);

  test('over a corner of the generated country', async () => {
    const set = generatedCorner();
    await expectSame(set, [...probesOf(set, POINTS)].map(pointFromUtm32));
  }, 300_000);
});

describe('the threads of batches', () => {
  let set: SnapshotSet;
  let points: Point[];
  beforeAll(() => {
    set = generatedCorner();
    points = [...probesOf(set, POINTS)].map(pointFromUtm32);
  }, 60_000);
  afterAll(() => {
    points = [];
  });

  test('leave small questions to the request thread', async () => {
    const seen = counted(workersOf());
    const few = points.slice(0, LIMITS.threadLineMeasures / LINE_KEYS.length - 1);
    await linesText(set, few, seen.threads);
    await areasText(set, points.slice(0, LIMITS.dagiPointsPerBatch), seen.threads);
    expect(seen.tasks).toBe(0);
  });

  test('are let go by who gives up, at once, and go on with the next', async () => {
    const workers = workersOf();
    const { lines } = lookupsOf(set, workers);
    await lines.at(points.slice(0, 50), LINE_KEYS, { signal });
    const impatient = new AbortController();
    const asked = lines.at(points, LINE_KEYS, { signal: impatient.signal });
    setTimeout(() => impatient.abort(), 2);
    await expect(asked).rejects.toMatchObject({ kind: 'aborted' });
    await expect(lines.at(points, LINE_KEYS, { signal: impatient.signal })).rejects.toMatchObject({
      kind: 'aborted',
    });
    const some = points.slice(0, 50);
    expect(await linesText(set, some, workers)).toEqual(await linesText(set, some));
    expect(workers.view().batches).toEqual({ threads: 1, queued: 0 });
  });

  test('refuse what comes when too many wait, and say when to come again', async () => {
    const workers = workersOf({ batchQueue: 2 });
    const some = points.slice(0, 50);
    const expected = await linesText(set, some);
    const asked = await Promise.allSettled(
      Array.from({ length: 12 }, () => linesText(set, some, workers)),
    );
    const refused = asked.filter((each) => each.status === 'rejected');
    const answered = asked.filter((each) => each.status === 'fulfilled');
    expect(answered.length).toBeGreaterThanOrEqual(2);
    expect(refused.length).toBeGreaterThanOrEqual(8);
    for (const { reason } of refused) {
      expect(reason).toMatchObject({ type: 'rate_limited', status: 429, retryAfterS: 1 });
    }
    for (const { value } of answered) expect(value).toEqual(expected);
  });

  test('work on the same memory, with the version that the question began with', async () => {
    const workers = workersOf();
    const newer = new SnapshotSet(2, set.layers, new EngineShelf());
    const some = points.slice(0, 50);
    const expected = await linesText(set, some);
    for (let i = 0; i < 20; i++) {
      const [older, later] = await Promise.all([
        linesText(set, some, workers),
        linesText(newer, some, workers),
      ]);
      expect([older.generation, later.generation]).toEqual([1, 2]);
      expect(older.texts).toEqual(expected.texts);
      expect(later.texts).toEqual(expected.texts);
    }
  });
});
