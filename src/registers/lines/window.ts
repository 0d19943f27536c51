import type { Box } from '../../geo/box.ts';
import type { PointUtm32 } from '../../geo/point.ts';
import type { WindowMeasure } from '../../snapshot/window.ts';
import type { ParsePageTask } from '../../wfs/page.ts';
import type { ThreadTask } from '../../core/tasks/thread-task.ts';

export interface MeasureWindowTask {
  readonly page: ParsePageTask;
  /** Requested, EPSG:25832 metres; features outside it are ignored. */
  readonly box: Box;
  readonly point: PointUtm32;
  readonly radiusM: number;
}

/** Proves nothing if the page lacks a column that the answer depends on. */
export interface MeasuredWindow extends WindowMeasure {
  /** Needed columns that no feature had, by normalised name. */
  readonly unseenColumns: readonly string[];
}

export const MEASURE_WINDOW: ThreadTask<MeasureWindowTask, MeasuredWindow> = {
  file: new URL('./window.thread.ts', import.meta.url),
  give: ({ page }) => [page.bytes],
};
