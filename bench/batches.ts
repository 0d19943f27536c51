/**
 * From how many points a batch is better answered by a thread: the same batches by the request thread
 * and by one thread of the pool, in one process over one generated country. Time until the answer,
 * and what of it the request thread was kept from other requests.
 */
import type { PointUtm32 } from '../src/geo/point.ts';
import { pointFromUtm32 } from '../src/geo/project.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { REGISTERS_CATALOGUE } from '../src/layers/catalogue.ts';
import { LINE_KEYS, THEMES } from '../src/layers/keys.ts';
import type { LayerId } from '../src/layers/keys.ts';
import { areasInThreads, linesInThreads } from '../src/lookups/batch-threads.ts';
import type { BatchQuestion } from '../src/lookups/batch-threads.ts';
import { EngineShelf, SnapshotSet } from '../src/lookups/snapshot-set.ts';
import type { SetLayer } from '../src/lookups/snapshot-set.ts';
import { openLayerSnapshot } from '../src/snapshot/layer.ts';
import { createWorkers } from '../workers/pool.ts';
import { areaSnapshot } from './national/areas.ts';
import { Land } from './national/land.ts';
import { lineSnapshot } from './national/lines.ts';
import { option } from './option.ts';
import { row } from './row.ts';
import type { BenchRow } from './row.ts';

const RADIUS_M = 500;
const PLACES = 5_000;
/** At most one piece for a thread. */
const SIZES = [5, 10, 20, 50, 500] as const;
/** Of each contestant, interleaved. */
const ROUNDS = 100;
const WARM_ROUNDS = 10;

export async function benchBatches(): Promise<readonly BenchRow[]> {
  const land = new Land(Number(option('scale') ?? '0.03'));
  const xy = land.places(PLACES, 5);
  const places = Array.from({ length: PLACES }, (_, i) =>
    pointFromUtm32({ xUtm32: xy[2 * i] ?? 0, yUtm32: xy[2 * i + 1] ?? 0 }),
  );
  const set = setOf(land);
  const lines = LINE_KEYS.map((key) => REGISTERS_CATALOGUE.lines[key]);
  const ten = set.lineReader({ lines, radiusM: RADIUS_M });
  const six = set.areaReader();
  if (ten === null || six === null) throw new Error('A layer is missing.');
  const workers = createWorkers({ threads: 1 });
  try {
    return [
      ...(await benchSizes('ten lines', places, {
        here: (utm32) => ten.at(utm32),
        there: (question) => linesInThreads(workers, ten, question),
      })),
      ...(await benchSizes('six areas', places, {
        here: (utm32) => six.at(utm32),
        there: (question) => areasInThreads(workers, six, question),
      })),
    ];
  } finally {
    await workers.close();
  }
}

function setOf(land: Land): SnapshotSet {
  const layers = new Map<LayerId, SetLayer>();
  const copy = { version: 1, syncedAtMs: systemClock.nowMs(), held: false };
  const add = (layer: LayerId, buffer: SharedArrayBuffer): void => {
    layers.set(layer, { copy, snapshot: openLayerSnapshot(buffer, { verified: true }) });
  };
  for (const key of LINE_KEYS) add(key, lineSnapshot(land, key));
  for (const theme of THEMES) add(theme, areaSnapshot(land, theme));
  return new SnapshotSet(1, layers, new EngineShelf());
}

interface Contest {
  readonly here: (point: PointUtm32) => unknown;
  readonly there: (question: BatchQuestion) => Promise<(n: number) => unknown>;
}

async function benchSizes(
  what: string,
  places: BatchQuestion['points'],
  { here, there }: Contest,
): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  const patience = new AbortController();
  for (const size of SIZES) {
    const best = { here: Infinity, there: Infinity, held: Infinity };
    for (let round = 0; round < ROUNDS + WARM_ROUNDS; round++) {
      const from = (round * size) % (places.length - size + 1);
      const points = places.slice(from, from + size);
      const begun = performance.now();
      for (const { utm32 } of points) here(utm32);
      const hereMs = performance.now() - begun;
      const asked = performance.now();
      const answer = there({ points, patience });
      const sentMs = performance.now() - asked;
      const read = await answer;
      const received = performance.now();
      for (let n = 0; n < points.length; n++) read(n);
      const end = performance.now();
      if (round < WARM_ROUNDS) continue;
      best.here = Math.min(best.here, hereMs);
      best.there = Math.min(best.there, end - asked);
      best.held = Math.min(best.held, sentMs + end - received);
    }
    rows.push(
      row({
        what: `${what}, ${size} points, by a thread: until the answer`,
        value: best.there,
        unit: 'ms',
        reference: { what: 'by the request thread', value: best.here },
      }),
      row({
        what: `${what}, ${size} points, by a thread: the request thread held`,
        value: best.held,
        unit: 'ms',
        reference: { what: 'by itself', value: best.here },
      }),
    );
  }
  return rows;
}
