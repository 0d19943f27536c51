/** What accounts had taken of the month when it was last read, for a start without the store. */
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { readLastKnown, saveLastKnown } from '../kernel/last-known-file.ts';
import type { LastKnownFile } from '../kernel/last-known-file.ts';
import { METERING_LIMITS } from './limits.ts';
import type { MonthRow } from './store-grants.ts';

const schema = Type.Object({
  atMs: Type.Number(),
  month: Type.String({ pattern: String.raw`^\d{4}-\d{2}-\d{2}$` }),
  /** Highest first, as the store lists them: who is missing has taken no more than the last. */
  rows: Type.Array(
    Type.Object({
      accountId: Type.String({ maxLength: 300 }),
      environment: Type.Enum(['live', 'test']),
      taken: Type.Number(),
      others: Type.Number(),
    }),
  ),
});

export interface LastMonths {
  /** Milliseconds UTC. */
  readonly atMs: number;
  readonly month: string;
  readonly rows: readonly MonthRow[];
}

export async function saveLastMonths(file: LastKnownFile, last: LastMonths): Promise<void> {
  const rows = last.rows.slice(0, METERING_LIMITS.monthsLastKnown);
  await saveLastKnown(file, { ...last, rows });
}

/** null: none, or too old at `nowMs`. */
export async function readLastMonths(
  file: LastKnownFile,
  nowMs: number,
): Promise<LastMonths | null> {
  const content = await readLastKnown(file);
  if (!Value.Check(schema, content)) return null;
  const isTooOld = Math.abs(nowMs - content.atMs) > METERING_LIMITS.monthsLastKnownMs;
  return isTooOld ? null : content;
}
