/** What the files of a job are read from. */
import { sql } from 'kysely';
import type { Store } from '../../db/connect.ts';
import type { ChunkLengths } from '../chunk-terms.ts';

type Db = Pick<Store, 'db'>;

export interface FiledChunk {
  readonly chunk: number;
  readonly lengths: ChunkLengths;
}

/** Chunks that have something on file, in their order. */
export async function readFiledChunks({ db }: Db, jobId: string): Promise<readonly FiledChunk[]> {
  const { rows } = await sql<FiledChunk>`
    select chunk, lengths from job_chunk
    where job_id = ${jobId} and lengths is not null order by chunk`.execute(db);
  return rows;
}

/** The parts of a chunk; null: they were deleted meanwhile. */
export async function readParts(
  { db }: Db,
  { jobId, chunk }: { readonly jobId: string; readonly chunk: number },
  which: 'results' | 'errors',
): Promise<Buffer | null> {
  const column = sql.ref(which === 'results' ? 'output' : 'errors');
  const { rows } = await sql<{ parts: Buffer | null }>`
    select ${column} as parts from job_chunk
    where job_id = ${jobId} and chunk = ${chunk}`.execute(db);
  return rows[0]?.parts ?? null;
}
