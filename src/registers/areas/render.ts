/** Renders an area's geometry in a thread (D43). */
import type { GzipPiece } from '../../kernel/gzip.ts';
import type { ThreadTask } from '../../core/tasks/thread-task.ts';

export interface RenderAreaTask {
  /** 2D WKB, EPSG:25832. Transferred. */
  readonly wkb: Uint8Array;
}

/** `geometri`, compressed once for all answers. */
export type RenderedArea = GzipPiece;

export const RENDER_AREA: ThreadTask<RenderAreaTask, RenderedArea> = {
  file: new URL('./render.thread.ts', import.meta.url),
  give: ({ wkb }) => [wkb],
};
