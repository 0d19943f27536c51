import { sql } from 'kysely';
import type { Store } from '../../db/connect.ts';
import type { ChunkLengths } from '../../core/rows/chunk-types.ts';

export interface FiledChunk {
  readonly chunk: number;
  readonly lengths: ChunkLengths;
}

export async function readFiledChunks(
  { db }: Pick<Store, 'db'>,
  jobId: string,
): Promise<readonly FiledChunk[]> {
  const { rows } = await sql<FiledChunk>`
    select chunk, lengths from job_chunk
    where job_id = ${jobId} and lengths is not null order by chunk`.execute(db);
  return rows;
}

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
  const { rows } = await sql<JobChunkRow>`
    select chunk, first_row as "firstRow", lengths from job_chunk
    where job_id = ${jobId} order by chunk`.execute(db);
  return rows;
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
  const column = (name: 'output' | 'errors', bytes: number | undefined) =>
    bytes === undefined
      ? sql.ref(name)
      : sql`substring(${sql.ref(name)} from 1 for ${bytes}::integer)`;
  const none = sql`null::bytea`;
  const results = which === 'errors' ? none : column('output', until?.results);
  const errors = which === 'results' ? none : column('errors', until?.errors);
  const { rows } = await sql<StoredChunk>`
    select input, ${results} as results, ${errors} as errors from job_chunk
    where job_id = ${jobId} and chunk = ${chunk}`.execute(db);
  const [stored] = rows;
  if (stored === undefined) throw deleted(jobId);
  return stored;
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
  const column = sql.ref(which === 'results' ? 'output' : 'errors');
  const wanted = bytes === null ? column : sql`substring(${column} from 1 for ${bytes}::integer)`;
  const { rows } = await sql<{ parts: Buffer | null }>`
    select ${wanted} as parts from job_chunk
    where job_id = ${jobId} and chunk = ${chunk}`.execute(db);
  const parts = rows[0]?.parts ?? null;
  if (parts === null) throw deleted(jobId);
  return parts;
}
