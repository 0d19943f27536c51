/**
 * A job's two files (D73), assembled chunk by chunk while sending. Their length is known in
 * advance, so ranges work. A running job's file has the rows finished so far.
 */
import type { Store } from '../../db/connect.ts';
import { JOB_LIMITS } from '../limits.ts';
import { nextTurn } from '../../kernel/turns.ts';
import type { ChunkLengths, SectionBytes } from '../chunk-types.ts';
import { kindOf } from '../kinds/kind.ts';
import type { JobKinds, KindLabels } from '../kinds/kind.ts';
import type { Job } from '../job-types.ts';
import { BYTE_ORDER_MARK, csvHeader } from './cells.ts';
import { readFiledChunks, readParts } from './file-store.ts';
import { readSection } from './chunk-output.ts';
import { makeFile } from './made-file.ts';
import type { MadeFile, MadeFileQuestion } from './made-file.ts';
import { ERROR_COLUMNS, RESULT_COLUMNS } from './result-writer.ts';

/** Formats stored as they are sent. */
export type StoredFormat = 'csv' | 'ndjson' | 'geojson';
export const FILE_FORMATS = ['csv', 'ndjson', 'geojson', 'xlsx'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];
export type FileKind = 'results' | 'errors';

export interface JobFile {
  readonly bytes: number;
  /** Stable while the same rows are on file. */
  readonly etag: string;
  /** `until` is exclusive. Throws when chunks are deleted meanwhile. */
  read(from: number, until: number): AsyncGenerator<Buffer, void, undefined>;
}

export interface JobFiles {
  /** null: the kind has no file of this format. */
  open(job: Job, which: FileKind, format: StoredFormat): Promise<JobFile | null>;
  /** Generated while sending. */
  make(job: Job, question: MadeFileQuestion): Promise<MadeFile>;
}

/** The kinds of jobs, and what files say of their sources. */
export interface KindsWithLabels {
  readonly kinds: JobKinds;
  readonly labels: KindLabels;
}

type FileOfJob = Pick<Job, 'id' | 'kind' | 'inputColumns'>;

interface Segment {
  readonly bytes: number;
  readonly make: () => Promise<Buffer>;
}

export function createJobFiles(
  store: Pick<Store, 'db'>,
  { kinds, labels }: KindsWithLabels,
): JobFiles {
  return {
    make: (job, question) => makeFile({ store, kinds, labels }, job, question),
    open: async (job, which, format) => {
      const kind = kindOf(kinds, job.kind).rows(labels[job.kind]);
      if (format === 'geojson' && (which === 'errors' || !kind.hasPlace)) return null;
      const chunks = await readFiledChunks(store, job.id);
      const filed = chunks.filter(({ lengths }) => countOf(lengths, which) > 0);
      const ours = which === 'results' ? [...RESULT_COLUMNS, ...kind.columns] : ERROR_COLUMNS;
      const made: Segment[] = [fixed(headOf(job, ours, format))];
      for (const [i, { chunk, lengths }] of filed.entries()) {
        const at = { jobId: job.id, chunk, isFirst: i === 0 };
        made.push(segmentOf(store, { ...at, which, format, lengths }));
      }
      if (format === 'geojson') made.push(fixed('\n]}\n'));
      const bytes = made.reduce((sum, segment) => sum + segment.bytes, 0);
      const rows = chunks.reduce((sum, { lengths }) => sum + lengths.rows, 0);
      const etag = `"${job.id}-${which}-${format}-${rows}"`;
      return { bytes, etag, read: (from, until) => readSegments(made, from, until) };
    },
  };
}

function countOf({ succeeded, failed }: ChunkLengths, which: FileKind): number {
  return which === 'results' ? succeeded : failed;
}

function headOf(
  { inputColumns }: FileOfJob,
  ours: readonly string[],
  format: StoredFormat,
): string {
  if (format === 'csv') return BYTE_ORDER_MARK + csvHeader(inputColumns, ours);
  return format === 'ndjson' ? '' : '{"type":"FeatureCollection","features":[';
}

function fixed(text: string): Segment {
  const buffer = Buffer.from(text, 'utf8');
  return { bytes: buffer.length, make: () => Promise.resolve(buffer) };
}

interface SegmentQuestion {
  readonly jobId: string;
  readonly chunk: number;
  readonly which: FileKind;
  readonly format: StoredFormat;
  readonly lengths: ChunkLengths;
  readonly isFirst: boolean;
}

function segmentOf(store: Pick<Store, 'db'>, question: SegmentQuestion): Segment {
  const { which, format, lengths, isFirst } = question;
  const sections: SectionBytes = lengths[which];
  const until = format === 'csv' ? (lengths.csvUntil?.[which] ?? null) : null;
  const read = async (): Promise<Buffer> => {
    const parts = await readParts(store, { ...question, bytes: until });
    if (parts === null) throw new Error(`The rows of ${question.jobId} were deleted meanwhile.`);
    return parts;
  };
  if (format !== 'geojson') {
    const section = format === 'csv' ? 'csv' : 'lines';
    const bytes = sections[section];
    // The chunk may have grown since the lengths were read: cut it.
    const make = async () => (await readSection(await read(), section)).subarray(0, bytes);
    return { bytes, make };
  }
  const features = countOf(lengths, which);
  // Two line ends are removed per feature; a separator is added.
  const text = sections.lines + sections.places - 2 * features + features * FEATURE_BYTES;
  const bytes = text - (isFirst ? 1 : 0);
  const make = async () => {
    const parts = await read();
    const lines = (await readSection(parts, 'lines')).subarray(0, sections.lines);
    const places = (await readSection(parts, 'places')).subarray(0, sections.places);
    return await featuresOf(lines, places, isFirst);
  };
  return { bytes, make };
}

const GEOMETRY = '{"type":"Feature","geometry":';
const PROPERTIES = ',"properties":';
/** `,` and a line end before it, a brace after it. */
const FEATURE_BYTES = GEOMETRY.length + PROPERTIES.length + 3;
/** Between two yields. */
const FEATURES_A_TURN = 200;

/** In latin1, which preserves every byte. */
async function featuresOf(lines: Buffer, places: Buffer, isFirst: boolean): Promise<Buffer> {
  const properties = lines.toString('latin1').split('\n');
  const geometries = places.toString('latin1').split('\n');
  const texts: string[] = [];
  for (let i = 0; i + 1 < properties.length; i++) {
    const separator = isFirst && i === 0 ? '\n' : ',\n';
    texts.push(`${separator}${GEOMETRY}${geometries[i]}${PROPERTIES}${properties[i]}}`);
    if (i % FEATURES_A_TURN === FEATURES_A_TURN - 1) await nextTurn();
  }
  return Buffer.from(texts.join(''), 'latin1');
}

/** Reads some segments ahead, never all. */
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
