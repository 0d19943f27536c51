/** Every table that the download service has beside the areas, as the registers draw them. */
import type { SampleRows } from '../sample-register.ts';
import { SAMPLES } from '../registers.ts';

/** Each once, whichever register it is in. */
export const SAMPLE_ENTITIES: readonly string[] = SAMPLES.flatMap(({ minRows }) =>
  Object.keys(minRows),
);
export type SampleEntity = string;

/** The same to the last digit every time. */
export function generateTables(): SampleRows {
  return Object.assign({}, ...SAMPLES.map((each) => each.rows?.())) as SampleRows;
}
