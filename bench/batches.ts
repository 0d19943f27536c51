/**
 * From how many points a batch is better answered by a thread: the same batches by the request thread
 * and by one thread of the pool, in one process over one generated country. Time until the answer,
 * and what of it the request thread was kept from other requests.
 */
import type { Point } from '../src/geo/point.ts';
import { pointFromUtm32 } from '../src/geo/project.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { REGISTERS_CATALOGUE } from '../src/registers.ts';
import { LINE_KEYS } from '../src/layers/keys.ts';
import type { LayerId } from '../src/layers/keys.ts';
import { LineRenderer, lineLabels, linesBatch } from '../src/registers/lines/answer.ts';
import { writeBatch } from '../src/answers/batch-writer.ts';
import { JsonWriter } from '../src/answers/json-writer.ts';
import { createBuildingLines } from '../src/registers/lines/lookup.ts';
import { createLinePages, lineThreads } from '../src/registers/lines/pages.ts';
import { EngineCache, SnapshotSet } from '../src/core/held/snapshot-set.ts';
import type { SetLayer } from '../src/core/held/snapshot-set.ts';
import { openLayerSnapshot } from '../src/snapshot/layer.ts';
import { createWorkers } from '../workers/pool.ts';
import type { Workers } from '../src/core/tasks/workers.ts';
import { interleave, seconds } from './harness/measure.ts';
import { scaleOption } from './harness/options.ts';
import { row } from './harness/row.ts';
import type { BenchRow } from './harness/row.ts';
import { Land } from './national/land.ts';
import { lineSnapshot } from './national/lines.ts';

const RADIUS_M = 500;
const PLACES = 5_000;
const SIZES = [5, 10, 20, 50, 500] as const;
const DEADLINE = new AbortController();
/** Of each contestant, interleaved. */
const ROUNDS = 100;
const WARM_ROUNDS = 10;

export async function benchBatches(): Promise<readonly BenchRow[]> {
  const land = new Land(scaleOption());
  const places = land.points(PLACES, 5).map(pointFromUtm32);
  const set = setOf(land);
  const workers = createWorkers({ threads: 1 });
  try {
    return await benchSizes('ten lines', places, linesContest(set, workers));
  } finally {
    await workers.close();
  }
}

/** Both to the whole body of the answer. */
function linesContest(set: SnapshotSet, workers: Workers): Contest {
  const deps = {
    catalogue: REGISTERS_CATALOGUE,
    clock: systemClock,
    searchRadiusM: RADIUS_M,
    memory: () => set,
  };
  const never = () => Promise.reject(new Error('Only memory is asked here.'));
  const lookup = createBuildingLines({ ...deps, readStore: never, askOrigin: never });
  const pages = createLinePages({ ...deps, threads: lineThreads(workers), threadWaitMs: 60_000 });
  const described = lineLabels(REGISTERS_CATALOGUE, 'Opdigtet');
  const renderer = new LineRenderer(described);
  const out = new JsonWriter();
  const text = Buffer.from(JSON.stringify(described));
  const labels = new Uint8Array(new SharedArrayBuffer(text.length));
  labels.set(text);
  return {
    here: async (points) => {
      const { value } = await lookup.at(points, LINE_KEYS, DEADLINE);
      const items = points.map(({ wgs84 }) => wgs84);
      return await writeBatch(out, linesBatch(renderer, { items, answers: value }));
    },
    there: async (points) => {
      const page = await pages.render(points, { ids: null, labels }, DEADLINE);
      return () => page;
    },
  };
}

function setOf(land: Land): SnapshotSet {
  const layers = new Map<LayerId, SetLayer>();
  const copy = { version: 1, syncedAtMs: systemClock.nowMs(), held: false, sourceRows: null };
  const add = (layer: LayerId, buffer: SharedArrayBuffer): void => {
    layers.set(layer, { copy, snapshot: openLayerSnapshot(buffer, { verified: true }) });
  };
  for (const key of LINE_KEYS) add(key, lineSnapshot(land, key));
  return new SnapshotSet(1, layers, new EngineCache());
}

interface Contest {
  readonly here: (points: readonly Point[]) => unknown;
  /** What is left to do when the thread has answered. */
  readonly there: (points: readonly Point[]) => Promise<() => unknown>;
}

async function benchSizes(
  what: string,
  places: readonly Point[],
  { here, there }: Contest,
): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const size of SIZES) {
    const pointsOf = (round: number): readonly Point[] => {
      const from = ((round + WARM_ROUNDS) * size) % (places.length - size + 1);
      return places.slice(from, from + size);
    };
    const times = await interleave(
      {
        here: async (round) => {
          const points = pointsOf(round);
          return 1000 * (await seconds(() => here(points)));
        },
        there: async (round) => {
          const points = pointsOf(round);
          const asked = performance.now();
          const answer = there(points);
          const sentMs = performance.now() - asked;
          const finish = await answer;
          const received = performance.now();
          finish();
          const end = performance.now();
          return { wholeMs: end - asked, heldMs: sentMs + end - received };
        },
      },
      { rounds: ROUNDS, warmUps: WARM_ROUNDS },
    );
    const hereMs = Math.min(...times.here);
    const wholeMs = Math.min(...times.there.map((round) => round.wholeMs));
    const heldMs = Math.min(...times.there.map((round) => round.heldMs));
    const by = `${what}, ${size} points, by a thread`;
    rows.push(
      row(`${by}: until the answer`, wholeMs, 'ms', { beside: ['by the request thread', hereMs] }),
      row(`${by}: the request thread held`, heldMs, 'ms', { beside: ['by itself', hereMs] }),
    );
  }
  return rows;
}
