/**
 * What an Idempotency-Key is held against (D76). Of JSON it is what was read: spaces, the order of keys and the
 * way a text or a number is written make no other request. A CSV or a workbook is its bytes.
 */
import { createHash } from 'node:crypto';
import { setImmediate as otherRequests } from 'node:timers/promises';
import { decodeRows } from '../../../jobs/chunk-rows.ts';
import type { ReadRows } from '../../../jobs/intake/rows-reader.ts';

/** SHA-256 of JSON: all of the body but its rows, as parsed, and the rows. `type`: one body or lines. */
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
      // An empty list: a column that the row does not name.
      hash.update(JSON.stringify(order.map((at) => (row[at] === undefined ? [] : row[at]))));
    }
  }
  return hash.digest();
}

/** JSON with the keys of every object in the order of their code units. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}
