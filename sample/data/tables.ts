/** Every table that the download service has beside the areas, as the registers draw them. */
import type { SampleRegister, SampleRows } from '../sample-register.ts';
import { SAMPLES } from '../registers.ts';

/** Each once, whichever register it is in. */
export const SAMPLE_ENTITIES: readonly string[] = SAMPLES.flatMap(({ minRows }) =>
  Object.keys(minRows),
);
export type SampleEntity = string;

/** The same to the last digit every time. Throws where two registers are drawn from each other. */
export function generateTables(): SampleRows {
  const waiting = new Set<SampleRegister>(SAMPLES);
  const tables: Record<string, SampleRows[string]> = {};
  while (waiting.size > 0) {
    const ready = [...waiting].find(({ needs = [] }) => needs.every((entity) => entity in tables));
    if (ready === undefined) throw new Error('Rows of the sample are drawn from one another.');
    Object.assign(tables, ready.rows?.(tables));
    waiting.delete(ready);
  }
  return tables;
}

/** The rows of a table that the sample has. */
export function rowsOf(tables: SampleRows, entity: string): SampleRows[string] {
  const rows = tables[entity];
  if (rows === undefined) throw new Error(`The sample has no table ${entity}.`);
  return rows;
}
