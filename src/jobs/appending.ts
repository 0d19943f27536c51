import { setImmediate as nextTurn } from 'node:timers/promises';
import { cutChunk, decodeRows, encodeRows } from './chunk-rows.ts';
import type { Cell } from '../core/rows/cells.ts';
import type { ReadChunk, ReadRows } from './intake/rows-reader.ts';
import { checkColumnCount } from './intake/refusals.ts';
import type { LastChunk } from './job-store.ts';
import type { Job, Kind } from '../core/rows/job-types.ts';
import { JOB_LIMITS } from './limits.ts';

export interface Placed {
  readonly inputColumns: readonly string[];
  readonly fresh: readonly ReadChunk[];
  /** The job's last chunk with all new rows added; null: the rows form their own chunks. */
  readonly merged: LastChunk | null;
  readonly bytes: number;
}

/**
 * `last`: null without a chunk. A small append is merged into it: at most twice the chunks of a
 * job sent whole.
 */
export async function placeRows({
  job,
  rows,
  last,
}: {
  readonly job: Pick<Job, 'inputColumns' | 'kind'>;
  readonly rows: ReadRows;
  readonly last: LastChunk | null;
}): Promise<Placed> {
  const inputColumns = [...new Set([...job.inputColumns, ...rows.columns])];
  checkColumnCount(inputColumns.length);
  const places = rows.columns.map((name) => inputColumns.indexOf(name));
  const isAligned = places.every((place, i) => place === i);
  const most = chunkRowsOf(job.kind);
  const aligned = isAligned ? rows.chunks : await allRearranged(rows.chunks, places);
  const fresh = aligned.flatMap((chunk) => cutChunk(chunk.input, { rows: chunk.rows, most }));
  const [only, ...others] = fresh;
  if (last !== null && only !== undefined && others.length === 0) {
    const count = last.rows + only.rows;
    if (count <= most) {
      const input = encodeRows([...decodeRows(last.input), ...decodeRows(only.input)]);
      const merged = { chunk: last.chunk, rows: count, input };
      return { inputColumns, fresh: [], merged, bytes: input.length - last.input.length };
    }
  }
  const bytes = fresh.reduce((sum, { input }) => sum + input.length, 0);
  return { inputColumns, fresh, merged: null, bytes };
}

function chunkRowsOf(kind: Kind): number {
  const { chunkRows, chunkRowsByKind } = JOB_LIMITS;
  const byKind: Partial<Readonly<Record<Kind, number>>> = chunkRowsByKind;
  return byKind[kind] ?? chunkRows;
}

/** Yields between chunks: a body may have a hundred. */
async function allRearranged(
  chunks: readonly ReadChunk[],
  places: readonly number[],
): Promise<readonly ReadChunk[]> {
  const moved: ReadChunk[] = [];
  for (const chunk of chunks) {
    moved.push(rearranged(chunk, places));
    await nextTurn();
  }
  return moved;
}

/** Cell `i` of every row moves to `places[i]`; other places are absent. */
function rearranged({ input, rows }: ReadChunk, places: readonly number[]): ReadChunk {
  const moved = decodeRows(input).map((row) => {
    const cells: Cell[] = [];
    for (const [i, place] of places.entries()) {
      if (row[i] !== undefined) cells[place] = row[i];
    }
    return cells;
  });
  return { input: encodeRows(moved), rows };
}
