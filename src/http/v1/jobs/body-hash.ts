/**
 * The hash an Idempotency-Key is compared by (D76). For JSON it covers the parsed values: spaces,
 * key order and notation make no difference. For CSV and workbooks it covers the bytes.
 */
import { createHash } from 'node:crypto';
import { setImmediate as otherRequests } from 'node:timers/promises';
import { decodeRows } from '../../../jobs/chunk-rows.ts';
import type { ReadRows } from '../../../jobs/intake/rows-reader.ts';

/** SHA-256 of JSON: the parsed body without its rows, and the rows. `type`: one body or lines. */
export async function hashOfJson(
  type: 'application/json' | 'application/x-ndjson',
  body: unknown,
  { columns, chunks }: ReadRows,
): Promise<Buffer> {
  const { rows: _rows, ...head } = (body ?? {}) as Readonly<Record<string, unknown>>;
  const sorted = columns
    .map((name, at) => ({ name, at }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const order = sorted.map(({ at }) => at);
  const hash = createHash('sha256').update(`${type}\n`).update(canonical(head));
  hash.update(JSON.stringify(sorted.map(({ name }) => name)));
  for (const { input } of chunks) {
    await otherRequests();
    for (const row of decodeRows(input)) {
      // An empty list: a column missing in the row.
      hash.update(JSON.stringify(order.map((at) => (row[at] === undefined ? [] : row[at]))));
    }
  }
  return hash.digest();
}

/** JSON with keys sorted by code unit. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}
