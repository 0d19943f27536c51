/** A chunk on its way from the store through a thread and back: plain values. */
import type { SharedLand } from '../geo/land.ts';
import type { SharedSnapshot } from '../snapshot/layer.ts';
import type { Kind, RoleColumns, Srid } from './job-types.ts';

export interface ChunkQuestion {
  readonly columns: RoleColumns;
  readonly inputColumns: readonly string[];
  readonly srid: Srid;
  /** chunk-rows.ts. */
  readonly input: Uint8Array;
  /** Number of the chunk's first row in the job, from 1. */
  readonly firstRow: number;
  /** Rows of it that were answered before. */
  readonly skip: number;
  /** Units set aside: answers are never more. */
  readonly mostUnits: number;
}

/** `csv`: rows; `lines`: a JSON object a line; `places`: a GeoJSON geometry a line. */
export const SECTIONS = ['csv', 'lines', 'places'] as const;
export type Section = (typeof SECTIONS)[number];

/** Bytes of each section, as the files have them. */
export type SectionBytes = Readonly<Record<Section, number>>;

/** What came of some rows of a chunk. */
export interface ChunkOutput {
  /** Rows that have an answer or an error. */
  readonly rows: number;
  readonly succeeded: number;
  readonly failed: number;
  /** As files/chunk-output.ts packs them. */
  readonly results: Uint8Array<ArrayBuffer>;
  readonly errors: Uint8Array<ArrayBuffer>;
  readonly resultBytes: SectionBytes;
  readonly errorBytes: SectionBytes;
}

/** What is known of the files of a chunk without reading them: `job_chunk.lengths`. */
export interface ChunkLengths {
  /** Rows that are on file: all of the chunk's, or as many as there were units for. */
  readonly rows: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly results: SectionBytes;
  readonly errors: SectionBytes;
  /**
   * Bytes from the beginning of what is stored to the end of its CSV, so that a CSV is read without
   * the rest; null: there are several parts.
   */
  readonly csvUntil: Readonly<Record<'results' | 'errors', number>> | null;
}

/** What a chunk is answered from without asking anybody, in shared memory. */
export interface JobMemory {
  readonly generation: number;
  readonly snapshots: readonly SharedSnapshot[];
  readonly radiusM: number;
  /** The land that each snapshot's layer covers (D142); null: the country. */
  readonly lands: readonly (SharedLand | null)[] | null;
  /** The land that the addresses cover; null: the country. */
  readonly addressLand: SharedLand | null;
  /** The addresses; null: the kind needs none, or none are in memory. */
  readonly addressIndex: SharedArrayBuffer | null;
}

/**
 * The rows of a chunk of a job. Snapshots of what its kind asks, all of one generation. Worker:
 * `job-chunk.ts`.
 */
export interface JobChunkTask extends ChunkQuestion, JobMemory {
  readonly kind: Kind;
  /** The module of the kind's memory. */
  readonly module: string;
  /** Of every kind, as JSON in UTF-8, in shared memory. */
  readonly labels: Uint8Array<SharedArrayBuffer>;
}

export type JobChunk = ChunkOutput;
