/** What the files of a job are read from. */
import { sql } from 'kysely';
import type { Store } from '../../db/connect.ts';
import type { ChunkLengths } from '../chunk-types.ts';

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

export interface PartsQuestion {
  readonly jobId: string;
  readonly chunk: number;
  readonly which: 'results' | 'errors';
  /** null: all. */
  readonly bytes: number | null;
}

/** The parts of a chunk, or as many bytes of them as are wanted; null: they were deleted meanwhile. */
export async function readParts(
  { db }: Db,
  { jobId, chunk, which, bytes }: PartsQuestion,
): Promise<Buffer | null> {
  const column = sql.ref(which === 'results' ? 'output' : 'errors');
  const wanted = bytes === null ? column : sql`substring(${column} from 1 for ${bytes}::integer)`;
  const { rows } = await sql<{ parts: Buffer | null }>`
    select ${wanted} as parts from job_chunk
    where job_id = ${jobId} and chunk = ${chunk}`.execute(db);
  return rows[0]?.parts ?? null;
}
