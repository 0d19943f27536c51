/**
 * Files are assembled while sent from parts of known length, so ranges work (D73). A running job's
 * contain the rows so far.
 */
import type { Store } from '../../db/connect.ts';
import { JOB_LIMITS } from '../limits.ts';
import { kindOfJob } from '../../core/rows/kind.ts';
import type { JobKinds } from '../../core/rows/kind.ts';
import type { Job } from '../../core/rows/job-types.ts';
import { BYTE_ORDER_MARK, csvHeader } from '../../core/rows/csv-cells.ts';
import { readFiledChunks, readParts } from './file-store.ts';
import type { FiledChunk } from './file-store.ts';
import { readSection } from './chunk-output.ts';
import { featureLengths, featureSegments } from './features.ts';
import type { Segment } from './features.ts';
import { makeFile } from './made-file.ts';
import type { MadeFileQuestion } from './made-file.ts';
import { ERROR_COLUMNS, RESULT_COLUMNS } from './result-writer.ts';

/** Length known before sending. */
export type StoredFormat = 'csv' | 'ndjson' | 'geojson';
export const FILE_FORMATS = ['csv', 'ndjson', 'geojson', 'xlsx'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];
export type FileKind = 'results' | 'errors';

export interface JobFile {
  readonly bytes: number;
  /** Stable for the same rows. */
  readonly etag: string;
  /** `until` is exclusive. Throws when chunks are deleted meanwhile. */
  read(from: number, until: number): AsyncGenerator<Buffer, void, undefined>;
}

export type JobFiles = ReturnType<typeof createJobFiles>;

export function createJobFiles(store: Pick<Store, 'db'>, kinds: JobKinds) {
  const lengths = featureLengths();
  return {
    make: (job: Job, question: MadeFileQuestion) => makeFile({ store, kinds }, job, question),
    /** null: no file of this format. */
    open: async (job: Job, which: FileKind, format: StoredFormat) => {
      const { rows: kind } = kindOfJob(kinds, job);
      if (format === 'geojson') {
        if (which === 'errors') return null;
        const features = await featureSegments({ store, lengths, job, kind });
        const made = [fixed(FEATURES_HEAD), ...features, fixed('\n]}\n')];
        return fileOf(made, `${job.id}-columns-geojson-${sumOf(features)}`);
      }
      const chunks = await readFiledChunks(store, job.id);
      const filed = chunks.filter(({ lengths: stored }) => stored[which].lines > 0);
      const ours = which === 'results' ? [...RESULT_COLUMNS, ...kind.columns] : ERROR_COLUMNS;
      const head = BYTE_ORDER_MARK + csvHeader(job.inputColumns, ours);
      const made = [
        ...(format === 'csv' ? [fixed(head)] : []),
        ...filed.map((chunk) => segmentOf(store, { ...chunk, jobId: job.id, which, format })),
      ];
      const rows = chunks.reduce((sum, chunk) => sum + chunk.lengths.rows, 0);
      return fileOf(made, `${job.id}-${which}-${format}-${rows}`);
    },
  };
}

const FEATURES_HEAD = '{"type":"FeatureCollection","features":[';

function fileOf(segments: readonly Segment[], name: string): JobFile {
  const read = (from: number, until: number) => readSegments(segments, from, until);
  return { bytes: sumOf(segments), etag: `"${name}"`, read };
}

function sumOf(segments: readonly Segment[]): number {
  return segments.reduce((sum, { bytes }) => sum + bytes, 0);
}

function fixed(text: string): Segment {
  const buffer = Buffer.from(text, 'utf8');
  return { bytes: buffer.length, make: () => Promise.resolve(buffer) };
}

interface SegmentQuestion extends FiledChunk {
  readonly jobId: string;
  readonly which: FileKind;
  readonly format: Exclude<StoredFormat, 'geojson'>;
}

function segmentOf(store: Pick<Store, 'db'>, question: SegmentQuestion): Segment {
  const { which, format, lengths } = question;
  const until = format === 'csv' ? (lengths.csvUntil?.[which] ?? null) : null;
  const section = format === 'csv' ? 'csv' : 'lines';
  const bytes = lengths[which][section];
  const make = async (): Promise<Buffer> => {
    const parts = await readParts(store, { ...question, bytes: until });
    // Cut, because the chunk may have grown since.
    return (await readSection(parts, section)).subarray(0, bytes);
  };
  return { bytes, make };
}

/** Reads only some segments ahead. */
async function* readSegments(
  segments: readonly Segment[],
  from: number,
  until: number,
): AsyncGenerator<Buffer, void, undefined> {
  const wanted: { segment: Segment; start: number }[] = [];
  let start = 0;
  for (const segment of segments) {
    if (start < until && start + segment.bytes > from) wanted.push({ segment, start });
    start += segment.bytes;
  }
  const ahead: Promise<Buffer>[] = [];
  const fetch = (n: number): void => {
    const next = wanted[n];
    if (next === undefined) return;
    const made = next.segment.make();
    made.catch(() => undefined);
    ahead.push(made);
  };
  for (let n = 0; n < JOB_LIMITS.chunksAhead; n++) fetch(n);
  for (const [n, { segment, start: at }] of wanted.entries()) {
    const made = await ahead.shift();
    fetch(n + JOB_LIMITS.chunksAhead);
    if (made?.length !== segment.bytes) throw new Error('A file is not as long as was said.');
    yield made.subarray(Math.max(0, from - at), Math.min(made.length, until - at));
  }
}
