/**
 * Batches answered by threads are what the request thread would have answered, to the byte: over the
 * sample island and a corner of the generated country. Given up, refused when too many wait.
 */
import { describe, expect, onTestFinished, test } from 'vitest';
import { areaSnapshot } from '../../bench/national/areas.ts';
import { Land } from '../../bench/national/land.ts';
import { lineSnapshot } from '../../bench/national/lines.ts';
import type { Point } from '../../src/geo/point.ts';
import { pointFromUtm32 } from '../../src/geo/project.ts';
import { LineRenderer, lineLabels, linesBatch } from '../../src/registers/lines/answer.ts';
import { writeBatch } from '../../src/answers/batch-writer.ts';
import { idsOf } from '../../src/core/question/batch.ts';
import type { PointItem } from '../../src/answers/batch-writer.ts';
import { JsonWriter } from '../../src/answers/json-writer.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import type { Deadline } from '../../src/kernel/deadline.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import { LINE_KEYS, THEMES } from '../../src/layers/keys.ts';
import type { LayerId } from '../../src/layers/keys.ts';
import { createBuildingLines } from '../../src/registers/lines/lookup.ts';
import { lineThreads, createLinePages } from '../../src/registers/lines/pages.ts';
import type { LineThreads } from '../../src/registers/lines/pages.ts';
import { EngineCache, SnapshotSet } from '../../src/core/held/snapshot-set.ts';
import type { SetLayer } from '../../src/core/held/snapshot-set.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { openLayerSnapshot } from '../../src/snapshot/layer.ts';
import { createWorkers } from '../../workers/pool.ts';
import type { WorkersOptions } from '../../workers/pool.ts';
import type { Workers } from '../../src/core/tasks/workers.ts';
import { probesOf } from '../support/differential.ts';
import { openMemoryBench } from '../support/memory.ts';
import { amountOf } from '../support/run-settings.ts';

/** One of each kind in six lies on an edge or a nanometre beside it. */
const POINTS = {
  random: amountOf({ gate: 200, night: 5_000 }),
  edge: amountOf({ gate: 50, night: 1_000 }),
  seed: 11,
  exact: true,
};
/** In one batch: a thread is still at them when it is told to let go. */
const MANY = { ...POINTS, random: 5_000, edge: 1_000 };
const { signal } = new AbortController();

function workersOf(options: Partial<WorkersOptions> = {}): Workers {
  const workers = createWorkers({ threads: 1, ...options });
  onTestFinished(() => workers.close());
  return workers;
}

function counted(workers: Workers): { threads: LineThreads; tasks: number } {
  const seen = {
    tasks: 0,
    threads: {
      linesPage: (...asked: Parameters<LineThreads['linesPage']>) => {
        seen.tasks += 1;
        return lineThreads(workers).linesPage(...asked);
      },
    },
  };
  return seen;
}

/** Long enough for a thread to start on a busy machine; those that are starved have the service's own. */
function lookupsOf(set: SnapshotSet, threads?: LineThreads, threadWaitMs = 60_000) {
  const never = () => Promise.reject(new Error('Only memory is asked here.'));
  const common = {
    catalogue: REGISTERS_CATALOGUE,
    clock: systemClock,
    memory: () => set,
    searchRadiusM: 500,
    readStore: never,
    askOrigin: never,
  };
  return {
    lines: createBuildingLines(common),
    pages: threads === undefined ? null : createLinePages({ ...common, threads, threadWaitMs }),
  };
}

const labels = lineLabels(REGISTERS_CATALOGUE, 'Opdigtet');
const renderer = new LineRenderer(labels);
const shared = (() => {
  const bytes = new TextEncoder().encode(JSON.stringify(labels));
  const memory = new Uint8Array(new SharedArrayBuffer(bytes.length));
  memory.set(bytes);
  return memory;
})();
const out = new JsonWriter();

/** Every third point has an id, with letters that take more than a byte. */
const itemsOf = (points: readonly Point[]): PointItem[] =>
  points.map(({ wgs84 }, n) => (n % 3 === 0 ? { ...wgs84, id: `nr. ${n} "æøå"` } : { ...wgs84 }));

/** By the request thread. */
async function linesText(set: SnapshotSet, points: readonly Point[]) {
  const { generation, value } = await lookupsOf(set).lines.at(points, LINE_KEYS, { signal });
  const batch = linesBatch(renderer, { items: itemsOf(points), answers: value });
  const body = await writeBatch(out, batch);
  return { generation, text: body.toString() };
}

/** By threads; null where they leave it to the request thread. */
async function linesPage(
  set: SnapshotSet,
  points: readonly Point[],
  { threads, deadline = { signal } }: { threads: LineThreads; deadline?: Deadline },
) {
  const layout = { ids: idsOf(itemsOf(points)), labels: shared };
  const page = (await lookupsOf(set, threads).pages?.render(points, layout, deadline)) ?? null;
  if (page === null) return null;
  return { generation: page.generation, text: Buffer.from(page.body).toString() };
}

async function expectSame(set: SnapshotSet, points: readonly Point[]): Promise<void> {
  const seen = counted(workersOf());
  const size = LIMITS.linePointsPerBatch;
  for (let from = 0; from < points.length; from += size) {
    const batch = points.slice(from, from + size);
    expect(await linesPage(set, batch, seen)).toEqual(await linesText(set, batch));
  }
  expect(seen.tasks).toBe(points.length / size);
}

function generatedCorner(): SnapshotSet {
  const land = new Land(0.003);
  const layers = new Map<LayerId, SetLayer>();
  const copy = { version: 1, syncedAtMs: systemClock.nowMs(), held: false, sourceRows: null };
  const add = (layer: LayerId, buffer: SharedArrayBuffer): void => {
    layers.set(layer, { copy, snapshot: openLayerSnapshot(buffer) });
  };
  for (const key of LINE_KEYS) add(key, lineSnapshot(land, key));
  for (const theme of THEMES) add(theme, areaSnapshot(land, theme));
  return new SnapshotSet(1, layers, new EngineCache());
}

const set = generatedCorner();

describe('threads answer to the byte what the request thread answers', () => {
  test('over a real connection, whose body has been read to its end', async () => {
    const bench = await openMemoryBench(undefined, workersOf());
    onTestFinished(() => bench.close());
    const memory = bench.memoryIn(bench.newDirectory());
    await memory.refresh();
    const app = await bench.edge(memory);
    onTestFinished(() => app.close());
    const punkter = [...probesOf(memory.current!, { ...POINTS, random: 50, edge: 0 })].map(
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
  });

  test('over a corner of the generated country', async () => {
    await expectSame(set, [...probesOf(set, POINTS)].map(pointFromUtm32));
  });
});

describe('the threads of batches', () => {
  const points = [...probesOf(set, MANY)].map(pointFromUtm32);

  test('leave small questions to the request thread', async () => {
    const seen = counted(workersOf());
    expect(await linesPage(set, points.slice(0, LIMITS.threadLinePoints - 1), seen)).toBeNull();
    expect(seen.tasks).toBe(0);
  });

  test('leave what is old, or not all in memory, to the ladder', async () => {
    const seen = counted(workersOf());
    const old = new Map(set.layers);
    const { snapshot, copy } = old.get('soe')!;
    old.set('soe', { snapshot, copy: { ...copy, syncedAtMs: copy.syncedAtMs - 20 * 86_400_000 } });
    const part = new Map(set.layers);
    part.delete('soe');
    for (const layers of [old, part]) {
      const other = new SnapshotSet(2, layers, new EngineCache());
      expect(await linesPage(other, points.slice(0, 50), seen)).toBeNull();
    }
    expect(seen.tasks).toBe(0);
  });

  test('are let go by who gives up, at once, and go on with the next', async () => {
    const workers = workersOf();
    const some = points.slice(0, 50);
    const expected = await linesText(set, some);
    expect(await linesPage(set, some, { threads: lineThreads(workers) })).toEqual(expected);
    const impatient = new AbortController();
    const asked = linesPage(set, points, { threads: lineThreads(workers), deadline: impatient });
    setTimeout(() => impatient.abort(), 2);
    await expect(asked).rejects.toMatchObject({ kind: 'aborted' });
    const again = linesPage(set, points, { threads: lineThreads(workers), deadline: impatient });
    await expect(again).rejects.toMatchObject({ kind: 'aborted' });
    expect(await linesPage(set, some, { threads: lineThreads(workers) })).toEqual(expected);
    expect(workers.view().batches).toEqual({ threads: 1, queued: 0 });
  });

  test('that hardly run leave the work to the request thread, and for a while nobody waits', async () => {
    const asked: number[] = [];
    const starved: LineThreads = {
      linesPage: (_task, asker) => {
        asked.push(performance.now());
        return new Promise((_answer, fail) => {
          asker?.signal?.addEventListener('abort', () => fail(new Error('given up')));
        });
      },
    };
    const { pages } = lookupsOf(set, starved, LIMITS.threadWaitMs);
    const some = points.slice(0, 50);
    const lay = () => pages!.render(some, { ids: null, labels: shared }, { signal });
    const began = performance.now();
    expect(await lay()).toBeNull();
    expect(performance.now() - began).toBeGreaterThanOrEqual(LIMITS.threadWaitMs - 2);
    for (let n = 0; n < 5; n++) expect(await lay()).toBeNull();
    expect(asked).toHaveLength(1);
  });

  test('refuse what comes when too many wait, and say when to come again', async () => {
    const workers = workersOf({ batchQueue: 2 });
    const some = points.slice(0, 50);
    const expected = await linesText(set, some);
    const asked = await Promise.allSettled(
      Array.from({ length: 12 }, () => linesPage(set, some, { threads: lineThreads(workers) })),
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

  test('tell what failed, and go on with the next', async () => {
    const workers = workersOf();
    const some = points.slice(0, 50);
    const expected = await linesText(set, some);
    const broken = [{ layer: 'soe', buffer: new SharedArrayBuffer(8) }] as const;
    const task = {
      context: { snapshots: broken, radiusM: 500, labels: shared },
      points: Float64Array.of(0, 0),
      degrees: Float64Array.of(0, 0),
      ids: null,
      buffer: new Uint8Array(new SharedArrayBuffer(1024)),
    };
    await expect(lineThreads(workers).linesPage(task)).rejects.toBeInstanceOf(Error);
    // Its points went over with it: it cannot be sent again.
    await expect(lineThreads(workers).linesPage(task)).rejects.toThrow(/transfer/i);
    expect(await linesPage(set, some, { threads: lineThreads(workers) })).toEqual(expected);
    expect(workers.view().batches).toEqual({ threads: 1, queued: 0 });
  });

  test('serve who waits in the order they came, and let go of who gives up waiting', async () => {
    const workers = workersOf();
    const some = points.slice(0, 50);
    const ended: number[] = [];
    const ask = async (turn: number, deadline?: Deadline): Promise<void> => {
      await linesPage(set, some, { threads: lineThreads(workers), ...(deadline && { deadline }) });
      ended.push(turn);
    };
    const impatient = new AbortController();
    const asked = [0, 1, 2, 3].map((turn) => ask(turn));
    const left = ask(4, impatient);
    asked.push(ask(5));
    impatient.abort();
    await expect(left).rejects.toMatchObject({ kind: 'aborted' });
    await Promise.all(asked);
    expect(ended).toEqual([0, 1, 2, 3, 5]);
  });

  test('end what they are at when they are closed, and take no more', async () => {
    const workers = createWorkers({ threads: 1 });
    const some = points.slice(0, 50);
    const expected = await linesText(set, some);
    const asked = linesPage(set, some, { threads: lineThreads(workers) });
    const waiting = linesPage(set, some, { threads: lineThreads(workers) });
    const closed = workers.close();
    await expect(waiting).rejects.toMatchObject({ kind: 'aborted' });
    expect(await asked).toEqual(expected);
    await closed;
    await expect(linesPage(set, some, { threads: lineThreads(workers) })).rejects.toMatchObject({
      kind: 'aborted',
    });
    expect(workers.view().batches.threads).toBe(0);
  });

  test('work on the same memory, with the version that the question began with', async () => {
    const workers = workersOf();
    const newer = new SnapshotSet(2, set.layers, new EngineCache());
    const some = points.slice(0, 50);
    const expected = await linesText(set, some);
    for (let i = 0; i < 20; i++) {
      const [older, later] = await Promise.all([
        linesPage(set, some, { threads: lineThreads(workers) }),
        linesPage(newer, some, { threads: lineThreads(workers) }),
      ]);
      expect(older).toEqual({ generation: 1, text: expected.text });
      expect(later).toEqual({ generation: 2, text: expected.text });
    }
  });
});
