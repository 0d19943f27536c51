/** Results by row, with the caller's cells unescaped. */
import type { Store } from '../../db/connect.ts';
import { decodeRows } from '../chunk-rows.ts';
import type { Row } from '../../core/rows/cells.ts';
import type { ChunkLengths } from '../../core/rows/chunk-types.ts';
import { rowError } from '../../core/rows/row-errors.ts';
import { writtenRows } from '../../core/rows/csv-cells.ts';
import { readSection } from './chunk-output.ts';
import { readChunkRows } from './file-store.ts';
import type { JobChunkRow } from './file-store.ts';

export type Which = 'results' | 'errors' | 'all';

export interface FoundRow {
  readonly number: number;
  readonly given: Row;
  /** The route's status; null: not reached. */
  readonly status: number | null;
  /** null where the row has an answer. */
  readonly error: string | null;
  readonly answer: readonly string[];
}

const ANSWERED = 200;
const NONE: readonly string[] = [];
const NOT_REACHED = rowError('notReached').error;

export interface FoundOptions {
  readonly jobId: string;
  readonly columns: number;
  readonly chunks: readonly JobChunkRow[];
  readonly which: Which;
}

/** Throws when rows are deleted meanwhile. */
export async function* foundRows(
  store: Pick<Store, 'db'>,
  options: FoundOptions,
): AsyncGenerator<readonly FoundRow[], void, undefined> {
  const wanted = options.chunks.filter(({ lengths }) => hasRows(lengths, options.which));
  let next = wanted[0] === undefined ? null : readAhead(store, wanted[0], options);
  for (let n = 1; next !== null; n++) {
    const rows = await next;
    const following = wanted[n];
    next = following === undefined ? null : readAhead(store, following, options);
    yield rows;
  }
}

function hasRows(lengths: ChunkLengths | null, which: Which): boolean {
  if (which === 'all') return true;
  return ((which === 'results' ? lengths?.succeeded : lengths?.failed) ?? 0) > 0;
}

/** Reads a chunk while the previous one is written. */
function readAhead(
  store: Pick<Store, 'db'>,
  chunk: JobChunkRow,
  options: FoundOptions,
): Promise<readonly FoundRow[]> {
  const read = readChunk(store, chunk, options);
  read.catch(() => undefined);
  return read;
}

async function readChunk(
  store: Pick<Store, 'db'>,
  { chunk, firstRow, lengths }: JobChunkRow,
  { jobId, columns, which }: FoundOptions,
): Promise<readonly FoundRow[]> {
  const until = lengths?.csvUntil ?? null;
  const stored = await readChunkRows(store, { jobId, chunk, which, until });
  const given = decodeRows(stored.input);
  const rows: FoundRow[] = [];
  const at = (cells: readonly string[]) => {
    const number = Number(cells[columns]);
    return { number, given: given[number - 1 - firstRow] ?? [] };
  };
  for (const cells of await csvRows(stored.results, lengths?.results.csv ?? 0)) {
    const answer = cells.slice(columns + 1);
    rows.push({ ...at(cells), status: ANSWERED, error: null, answer });
  }
  for (const cells of await csvRows(stored.errors, lengths?.errors.csv ?? 0)) {
    const error = cells[columns + 1] ?? '';
    rows.push({ ...at(cells), status: Number(cells[columns + 2]), error, answer: NONE });
  }
  if (which !== 'all') return rows;
  rows.sort((a, b) => a.number - b.number);
  const rest = given
    .slice(rows.length)
    .map((row, i) => notReached(row, firstRow + rows.length + i));
  return [...rows, ...rest];
}

/** Rows are answered in order, so unanswered ones are last. */
function notReached(given: Row, place: number): FoundRow {
  return { number: place + 1, given, status: null, error: NOT_REACHED, answer: NONE };
}

/** Cut, because the chunk may have grown since. */
async function csvRows(parts: Buffer | null, bytes: number): Promise<readonly string[][]> {
  if (parts === null || bytes === 0) return [];
  const csv = await readSection(parts, 'csv');
  return [...writtenRows(csv.toString('utf8', 0, bytes))];
}
