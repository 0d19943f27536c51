import { sql } from 'kysely';
import type { Store } from '../../db/connect.ts';
import { allRows, firstRow, firstValue } from '../../db/rows.ts';
import type { ChunkLengths } from '../../core/rows/chunk-types.ts';

export interface JobChunkRow {
  readonly chunk: number;
  readonly firstRow: number;
  /** null: no results. */
  readonly lengths: ChunkLengths | null;
}

export async function readJobChunks(
  { db }: Pick<Store, 'db'>,
  jobId: string,
): Promise<readonly JobChunkRow[]> {
  return await allRows<JobChunkRow>(db)`
    select chunk, first_row as "firstRow", lengths from job_chunk
    where job_id = ${jobId} order by chunk`;
}

export interface FiledChunk extends JobChunkRow {
  readonly lengths: ChunkLengths;
}

/** Only those with results. */
export async function readFiledChunks(
  store: Pick<Store, 'db'>,
  jobId: string,
): Promise<readonly FiledChunk[]> {
  const chunks = await readJobChunks(store, jobId);
  return chunks.filter((chunk): chunk is FiledChunk => chunk.lengths !== null);
}

export interface ChunkRowsQuestion {
  readonly jobId: string;
  readonly chunk: number;
  readonly which: 'results' | 'errors' | 'all';
  /** Bytes wanted of each section; null: all. */
  readonly until: ChunkLengths['csvUntil'];
}

export interface StoredChunk {
  readonly input: Buffer;
  /** See chunk-output.ts; null: none, or not requested. */
  readonly results: Buffer | null;
  readonly errors: Buffer | null;
}

/** Throws when they were deleted meanwhile. */
export async function readChunkRows(
  { db }: Pick<Store, 'db'>,
  { jobId, chunk, which, until }: ChunkRowsQuestion,
): Promise<StoredChunk> {
  const none = sql`null::bytea`;
  const results = which === 'errors' ? none : firstOf('results', until?.results);
  const errors = which === 'results' ? none : firstOf('errors', until?.errors);
  const stored = await firstRow<StoredChunk>(db)`
    select input, ${results} as results, ${errors} as errors from job_chunk
    where job_id = ${jobId} and chunk = ${chunk}`;
  if (stored === null) throw deleted(jobId);
  return stored;
}

function firstOf(which: PartsQuestion['which'], bytes: number | null | undefined) {
  const column = sql.ref(which === 'results' ? 'output' : 'errors');
  return typeof bytes === 'number'
    ? sql`substring(${column} from 1 for ${bytes}::integer)`
    : column;
}

function deleted(jobId: string): Error {
  return new Error(`The rows of ${jobId} were deleted meanwhile.`);
}

export interface PartsQuestion {
  readonly jobId: string;
  readonly chunk: number;
  readonly which: 'results' | 'errors';
  /** null: all. */
  readonly bytes: number | null;
}

/** All or the first bytes. Throws when they were deleted meanwhile. */
export async function readParts(
  { db }: Pick<Store, 'db'>,
  { jobId, chunk, which, bytes }: PartsQuestion,
): Promise<Buffer> {
  const parts = await firstValue<Buffer | null>(db, null)`
    select ${firstOf(which, bytes)} as parts from job_chunk
    where job_id = ${jobId} and chunk = ${chunk}`;
  if (parts === null) throw deleted(jobId);
  return parts;
}
