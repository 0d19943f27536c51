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
  /** null: new rows form chunks of their own. */
  readonly merged: LastChunk | null;
  readonly bytes: number;
}

/** A small append is merged, so that a job has at most twice the chunks of one sent whole. */
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

/** Yields: a body may have a hundred chunks. */
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

/** Moves cell `i` of every row to `places[i]`. */
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
