/** GeoJSON: the CSV's columns are properties, which GIS programs show as fields. */
import type { Store } from '../../db/connect.ts';
import { cacheByCount } from '../../kernel/cache.ts';
import type { Cache } from '../../kernel/cache.ts';
import { Slice } from '../../kernel/turns.ts';
import type { Job } from '../../core/rows/job-types.ts';
import type { AnyRows } from '../../core/rows/kind.ts';
import { readSection } from './chunk-output.ts';
import { readFiledChunks, readParts } from './file-store.ts';
import type { FiledChunk } from './file-store.ts';
import { foundRows } from './found-rows.ts';
import { Table } from './table.ts';
import type { CellSink } from './table.ts';

type FileOfJob = Pick<Job, 'id' | 'columns' | 'inputColumns'>;

/** A part of a file, of known length. */
export interface Segment {
  readonly bytes: number;
  readonly make: () => Promise<Buffer>;
}

/** Features are made once to measure them, again to be sent. */
export type FeatureLengths = Cache<Promise<number>>;

const KEPT_LENGTHS = 10_000;
const KEPT_MS = 60 * 60_000;

/** Shared, so that resumed downloads measure nothing again. */
export function featureLengths(): FeatureLengths {
  return cacheByCount(KEPT_LENGTHS, KEPT_MS);
}

export interface FeatureParts {
  readonly store: Pick<Store, 'db'>;
  readonly lengths: FeatureLengths;
  readonly job: FileOfJob;
  readonly kind: AnyRows;
}

/** The first feature has no comma before it. */
export async function featureSegments(parts: FeatureParts): Promise<Segment[]> {
  const filed = await readFiledChunks(parts.store, parts.job.id);
  const chunks = filed.filter(({ lengths }) => lengths.succeeded > 0);
  const segments: Segment[] = [];
  for (const [i, chunk] of chunks.entries()) {
    const make = () => makeFeatures(parts, chunk, { isFirst: i === 0 });
    segments.push({ bytes: await lengthOf(parts, chunk, make), make });
  }
  return segments;
}

async function lengthOf(
  { lengths, job }: FeatureParts,
  { chunk, lengths: { rows } }: FiledChunk,
  make: () => Promise<Buffer>,
): Promise<number> {
  // A chunk may get more rows, but keeps those it has.
  const key = `${job.id}/${chunk}/${rows}`;
  const known = lengths.get(key);
  if (known !== undefined) return await known;
  const measured = make().then(({ length }) => length);
  lengths.set(key, measured);
  measured.catch(() => lengths.delete(key));
  return await measured;
}

async function makeFeatures(
  { store, job, kind }: FeatureParts,
  chunk: FiledChunk,
  { isFirst }: { readonly isFirst: boolean },
): Promise<Buffer> {
  const places = await placesOf(store, job, chunk);
  const { columns: answerColumns, types } = kind;
  const table = new Table({ job, which: 'results', answerColumns, types, isDanish: true });
  const sink = new PropertySink(table.head);
  const asked = { jobId: job.id, columns: job.inputColumns.length, which: 'results' } as const;
  const texts: string[] = [];
  const slice = new Slice();
  for await (const rows of foundRows(store, { ...asked, chunks: [chunk] })) {
    for (const row of rows) {
      table.fill(row, sink);
      const separator = isFirst && texts.length === 0 ? '\n' : ',\n';
      const geometry = places[texts.length] ?? 'null';
      texts.push(
        `${separator}{"type":"Feature","geometry":${geometry},"properties":${sink.take()}}`,
      );
      if (slice.isOver) await slice.next();
    }
  }
  return Buffer.from(texts.join(''));
}

/** In the order of the answers. */
async function placesOf(
  store: Pick<Store, 'db'>,
  { id: jobId }: FileOfJob,
  { chunk, lengths }: FiledChunk,
): Promise<readonly string[]> {
  const parts = await readParts(store, { jobId, chunk, which: 'results', bytes: null });
  const places = await readSection(parts, 'places');
  return places.toString('latin1', 0, lengths.results.places).split('\n');
}

class PropertySink implements CellSink {
  readonly #names: readonly string[];
  #cells = '';
  #column = 0;

  constructor(head: readonly string[]) {
    this.#names = head.map((name) => JSON.stringify(name));
  }

  empty(): void {
    this.#add('null');
  }

  text(text: string): void {
    this.#add(JSON.stringify(text));
  }

  number(text: string): void {
    this.#add(text);
  }

  boolean(value: boolean): void {
    this.#add(String(value));
  }

  take(): string {
    const properties = `{${this.#cells}}`;
    this.#cells = '';
    this.#column = 0;
    return properties;
  }

  #add(value: string): void {
    this.#cells += `${this.#column === 0 ? '' : ','}${this.#names[this.#column]}:${value}`;
    this.#column += 1;
  }
}
