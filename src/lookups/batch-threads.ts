/**
 * Heavy questions of areas answered by threads over the very snapshots that the request thread holds:
 * points go over as numbers, a piece at a time, and what comes back is read as if it had been found
 * here.
 */
import type { Patience } from '../kernel/patience.ts';
import type { PointUtm32 } from '../geo/point.ts';
import { LIMITS } from '../kernel/limits.ts';
import type { CoveringArea } from '../registers/dagi/store.ts';
import type { BatchTask } from './line-pages.ts';
import type { AreaReader, AreasBatch } from '../memory/snapshot-set.ts';

/** The areas of some themes that cover many points. Worker: `areas-batch.ts`, on a shift. */
export type AreasBatchTask = BatchTask;

/** Throws Failure `rate_limited` when too many batches wait, and when `signal` gives up. */
export interface BatchThreads {
  areasBatch(task: AreasBatchTask, signal?: AbortSignal): Promise<AreasBatch>;
}

/** Points in the order asked. */
export interface BatchQuestion {
  readonly points: readonly { readonly utm32: PointUtm32 }[];
  readonly patience: Patience;
}

/** The areas of the nth point, from threads; null: too few, or no threads, to leave it to them. */
export async function heavyAreas(
  threads: BatchThreads | undefined,
  reader: AreaReader,
  question: BatchQuestion,
): Promise<((n: number) => readonly CoveringArea[]) | null> {
  if (threads === undefined || question.points.length < LIMITS.threadAreaPoints) return null;
  return await areasInThreads(threads, reader, question);
}

/** The areas of the nth point. */
export async function areasInThreads(
  threads: BatchThreads,
  reader: AreaReader,
  { points, patience }: BatchQuestion,
): Promise<(n: number) => readonly CoveringArea[]> {
  const standing = { snapshots: reader.shared };
  const { signal } = patience;
  const batches = await inPieces(points, (piece) =>
    threads.areasBatch({ standing, points: piece }, signal),
  );
  return (n) => reader.read(pieceOf(batches, n), n % LIMITS.threadPiecePoints);
}

/** One after the other: a long list takes one place in the queue, not all of them. */
async function inPieces<B>(
  points: BatchQuestion['points'],
  ask: (piece: Float64Array<ArrayBuffer>) => Promise<B>,
): Promise<B[]> {
  const batches: B[] = [];
  for (let from = 0; from < points.length; from += LIMITS.threadPiecePoints) {
    const some = points.slice(from, from + LIMITS.threadPiecePoints);
    const piece = new Float64Array(2 * some.length);
    let at = 0;
    for (const { utm32 } of some) {
      piece[at++] = utm32.xUtm32;
      piece[at++] = utm32.yUtm32;
    }
    batches.push(await ask(piece));
  }
  return batches;
}

function pieceOf<B>(batches: readonly B[], n: number): B {
  const batch = batches[Math.floor(n / LIMITS.threadPiecePoints)];
  if (batch === undefined) throw new Error(`No answer of a thread for point ${n}.`);
  return batch;
}
