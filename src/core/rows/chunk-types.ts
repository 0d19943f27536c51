import type { SharedLand } from '../../geo/land.ts';
import type { SharedSnapshot } from '../../snapshot/layer.ts';
import type { AnsweredKind } from './job-types.ts';
import type { RowReaderOptions } from './row-reader.ts';

export interface ChunkQuestion extends RowReaderOptions {
  readonly input: Uint8Array;
  readonly firstRow: number;
  readonly skip: number;
  readonly mostAnswers: number;
}

/** `csv`: rows; `lines`: a JSON object per line; `places`: a GeoJSON geometry per line. */
export const SECTIONS = ['csv', 'lines', 'places'] as const;
export type Section = (typeof SECTIONS)[number];

export type SectionBytes = Readonly<Record<Section, number>>;

export interface ChunkOutput {
  readonly rows: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly results: Uint8Array<ArrayBuffer>;
  readonly errors: Uint8Array<ArrayBuffer>;
  readonly resultBytes: SectionBytes;
  readonly errorBytes: SectionBytes;
}

/** `job_chunk.lengths`: sizes of a chunk's files, known without reading them. */
export interface ChunkLengths {
  readonly rows: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly results: SectionBytes;
  readonly errors: SectionBytes;
  /** Stored bytes up to the end of the CSV, so that it can be read alone; null: several parts. */
  readonly csvUntil: Readonly<Record<'results' | 'errors', number>> | null;
}

/** Shared memory that answers a chunk without a request. */
export interface JobMemory {
  readonly generation: number;
  readonly snapshots: readonly SharedSnapshot[];
  readonly radiusM: number;
  /** The land of each snapshot's layer (D142); null: the country. */
  readonly lands: readonly (SharedLand | null)[] | null;
  /** The land of the addresses; null: the country. */
  readonly addressLand: SharedLand | null;
  /** null: not needed, or not in memory. */
  readonly addressIndex: SharedArrayBuffer | null;
}

/** Snapshots are of one generation. Worker: `job-chunk.ts`. */
export interface JobChunkTask extends ChunkQuestion, JobMemory {
  readonly kind: AnsweredKind;
  readonly module: string;
  /** JSON. */
  readonly labels: string;
}

export type JobChunk = ChunkOutput;
