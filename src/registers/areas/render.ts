/** The thread that renders the geometry of an area for all answers that carry it (D43). */
import type { GzipPiece } from '../../kernel/gzip.ts';
import type { ThreadTask } from '../../core/tasks/thread-task.ts';

export interface RenderAreaTask {
  /** 2D WKB, EPSG:25832. Handed over. */
  readonly wkb: Uint8Array;
}

/** The `geometri` value of the answers, compressed once for all of them. */
export type RenderedArea = GzipPiece;

export const RENDER_AREA: ThreadTask<RenderAreaTask, RenderedArea> = {
  file: new URL('./render.thread.ts', import.meta.url),
  give: ({ wkb }) => [wkb],
};
