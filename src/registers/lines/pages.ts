/** Large batches of building lines, rendered by threads from one set of snapshots (D19). */
import type { WrittenLines } from './answer.ts';
import type { BuildingLines, BuildingLinesDeps } from './lookup.ts';
import type { Workers } from '../../core/tasks/workers.ts';
import type { BatchTask } from '../../core/tasks/thread-task.ts';
import { Failure } from '../../kernel/failures.ts';
import type { SharedLand } from '../../geo/land.ts';
import type { Point } from '../../geo/point.ts';
import { bodyBuffers } from '../../kernel/buffer-pool.ts';
import { Last } from '../../kernel/last.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Asker, Deadline } from '../../kernel/deadline.ts';
import type { LineLayer } from '../../layers/catalogue.ts';
import { LINE_KEYS } from '../../layers/keys.ts';
import type { SharedSnapshot } from '../../snapshot/layer.ts';
import type { Provenance, Watcher } from '../../answers/answer.ts';
import type { Lands } from '../../core/land/covered-lands.ts';
import { FreshReaders } from '../../core/standing/freshness.ts';
import type { LineReader } from '../../core/held/snapshot-set.ts';
import { ThreadBreaker } from '../../kernel/thread-breaker.ts';

export interface LinesPageTask {
  /** The same object while unchanged, so that a thread receives it once. */
  readonly context: {
    readonly snapshots: readonly SharedSnapshot[];
    readonly radiusM: number;
    /** In the order of LINE_KEYS; absent: the country. */
    readonly lands?: readonly (SharedLand | null)[];
    readonly labels: Uint8Array<SharedArrayBuffer>;
  };
  /** x, y in EPSG:25832 metres. Transferred. */
  readonly points: Float64Array<ArrayBuffer>;
  readonly degrees: Float64Array<ArrayBuffer>;
  readonly ids: readonly (string | undefined)[] | null;
  readonly buffer: Uint8Array;
  /** Not 0 once the caller no longer waits. */
  readonly cancelled?: Int32Array<SharedArrayBuffer>;
}

export interface LinesPage {
  readonly length: number;
  /** Only if the buffer was too small. */
  readonly longBody: Uint8Array<ArrayBuffer> | null;
  /** Points without any answered line (D62). */
  readonly unansweredPoints: number;
  /** Points without an answer, by line; null: none. */
  readonly unavailable: readonly number[] | null;
  /** Those of them that are outside the copy's coverage. */
  readonly uncovered: readonly number[] | null;
}

/** Throws Failure `rate_limited` when too many batches wait, and the reason of an abort. */
export interface LineThreads {
  linesPage(task: LinesPageTask, asker?: Asker): Promise<LinesPage>;
}

const LINES_PAGE: BatchTask<LinesPageTask, LinesPage> = {
  file: new URL('./pages.thread.ts', import.meta.url),
  transfer: ({ points, degrees }) => [points.buffer, degrees.buffer],
  full: () =>
    new Failure('rate_limited', {
      error: 'Too many batches are waiting. Try again after Retry-After.',
      errorDa: 'For mange samlede opslag venter. Prøv igen efter Retry-After.',
    }),
};

export function lineThreads(workers: Pick<Workers, 'batches'>): LineThreads {
  return { linesPage: workers.batches(LINES_PAGE) };
}

export type PageLayout = Pick<LinesPageTask, 'ids'> & Pick<LinesPageTask['context'], 'labels'>;

export interface LinesBody {
  readonly generation: number;
  readonly provenance: readonly Provenance[];
  readonly body: Buffer;
  /** With at least one answered line (D62). */
  readonly answered: number;
}

export interface LinePages {
  /** null: too few points, or memory cannot answer all; then use `BuildingLines.at`. */
  render(
    points: readonly Point[],
    layout: PageLayout,
    deadline: Deadline,
  ): Promise<LinesBody | null>;
}

export type LinePagesDeps = Pick<
  BuildingLinesDeps,
  'catalogue' | 'clock' | 'searchRadiusM' | 'memory' | 'watcher' | 'lands' | 'isLive'
> & {
  readonly threads: LineThreads;
  readonly threadWaitMs?: number;
};

export function createLinePages(deps: LinePagesDeps): LinePages {
  const layers: readonly LineLayer[] = LINE_KEYS.map((key) => deps.catalogue.lines[key]);
  const readers = new FreshReaders(deps);
  const { lands, threads, threadWaitMs: waitMs = LIMITS.threadWaitMs } = deps;
  const breaker = new ThreadBreaker(waitMs);
  const contexts = new Last<LinesPageTask['context']>();
  return {
    render: async (points, layout, deadline) => {
      if (points.length < LIMITS.threadLinePoints || (lands?.refresh() ?? null) !== null) {
        return null;
      }
      const covered = lands?.all(LINE_KEYS) ?? null;
      const found = readers.of(deps.memory?.() ?? null, layers);
      if (found === null) return null;
      const { reader, provenances, generation } = found;
      const { labels } = layout;
      const context = contexts.of([reader, labels, covered], () =>
        contextOf(reader, labels, covered),
      );
      const buffer = bodyBuffers.acquire(points.length * LIMITS.linesBodyBytesPerPoint);
      // After an abort the thread may still write, so the buffer is not returned to the pool.
      const page = await breaker.ask(
        (asker) =>
          threads.linesPage({ context, ids: layout.ids, ...placesOf(points), buffer }, asker),
        deadline,
      );
      if (page === null) return null;
      const { length, longBody } = page;
      const body = longBody === null ? buffer.subarray(0, length) : Buffer.from(longBody.buffer);
      if (deps.watcher !== undefined) tell(deps.watcher, points.length, page);
      const answered = points.length - page.unansweredPoints;
      const { unavailable } = page;
      const provenance = provenances.flatMap((each, m) =>
        each === null || unavailable?.[m] === points.length ? [] : [each],
      );
      return { generation, provenance, body, answered };
    },
  };
}

function tell(watcher: Watcher, points: number, { unavailable, uncovered }: LinesPage): void {
  for (const [m, key] of LINE_KEYS.entries()) {
    const lacking = unavailable?.[m] ?? 0;
    if (lacking < points) watcher.answered(key, 'snapshot', points - lacking);
    const failed = lacking - (uncovered?.[m] ?? 0);
    if (failed > 0) watcher.answered(key, 'unavailable', failed);
  }
}

function contextOf(
  { shared: snapshots, radiusM }: LineReader,
  labels: PageLayout['labels'],
  lands: Lands | null,
): LinesPageTask['context'] {
  const shared = lands?.map((land) => land && land.shared);
  return { snapshots, radiusM, labels, ...(shared && { lands: shared }) };
}

function placesOf(points: readonly Point[]): Pick<LinesPageTask, 'points' | 'degrees'> {
  const metres = new Float64Array(2 * points.length);
  const degrees = new Float64Array(2 * points.length);
  for (const [i, { utm32, wgs84 }] of points.entries()) {
    metres[2 * i] = utm32.xUtm32;
    metres[2 * i + 1] = utm32.yUtm32;
    degrees[2 * i] = wgs84.lon;
    degrees[2 * i + 1] = wgs84.lat;
  }
  return { points: metres, degrees };
}

export interface LineLookups extends WrittenLines {
  readonly buildingLines: BuildingLines;
  readonly linePages?: LinePages;
}
