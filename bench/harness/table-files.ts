/** Tables of registers as the download service has them: zip files on disk, a listing of them, over HTTP. */
import { createHash } from 'node:crypto';
import { closeSync, createReadStream, createWriteStream, openSync, writeSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants } from 'node:zlib';
import { ZipFile } from 'yazl';

/** What a file is called and holds. */
export interface TableText {
  readonly register: string;
  readonly entity: string;
  readonly download: 'TotalDownload' | 'DeltaDownload';
  readonly format: 'csv' | 'json';
  readonly generation: number;
  readonly contents?: 'Current' | 'Bitemporal';
  /** Lines before, of and behind its rows. */
  readonly head: string;
  readonly rows: Iterable<string>;
  readonly foot: string | null;
}

export interface TableFile {
  readonly entity: string;
  readonly name: string;
  readonly md5: string;
  readonly zipBytes: number;
  readonly plainBytes: number;
  readonly rows: number;
}

const FIRST_GENERATION = 690;
/** Of a total, and of what follows it. */
export const GENERATIONS = { total: FIRST_GENERATION, delta: FIRST_GENERATION + 1 } as const;

/** Columns that every table has, in the order of its file. */
export const HEAD = [
  ...['id_lokalId', 'status', 'registreringFra', 'registreringTil', 'virkningFra', 'virkningTil'],
];

/** Answers a listing, or with one of the files in the directory. */
export function answerFiles(
  { dir, files }: { readonly dir: string; readonly files: readonly TableFile[] },
  { searchParams }: URL,
  response: ServerResponse,
): void {
  const name = searchParams.get('Filename');
  if (files.some((file) => file.name === name)) {
    createReadStream(join(dir, name ?? '')).pipe(response);
    return;
  }
  const entity = searchParams.get('Entity')?.toLowerCase();
  const listed = files.filter((file) => file.entity.toLowerCase() === entity);
  const availableFileDownloads = listed.map((file) => ({
    fileName: file.name,
    entityName: file.entity,
    md5Hash: file.md5,
    fileSizeInBytes: file.zipBytes,
  }));
  const paginationMetadata = { currentPage: 1, totalCount: listed.length, totalPages: 1 };
  response.end(JSON.stringify({ paginationMetadata, availableFileDownloads }));
}

export function sumOf(files: readonly TableFile[], of: (file: TableFile) => number): number {
  return files.reduce((all, file) => all + of(file), 0);
}

const FLUSH_CHARS = 256 * 1024;
/** Of every member: what is written twice is the same bytes twice. */
const WRITTEN = new Date('2026-11-01T00:00:00Z');

/** A zip file of one member, of any size, written as it comes; `plain`: where the member lies once more by itself. */
export async function writeTable(
  dir: string,
  table: TableText,
  plain: string | null = null,
): Promise<TableFile> {
  const { register, entity, download, format, generation, contents = 'Current' } = table;
  const name = `${register}_V1_${entity}_${download}_${format}_${contents}_${generation}.zip`;
  const counted = { rows: 0, plainBytes: 0, zipBytes: 0 };
  const md5 = createHash('md5');
  const zip = new ZipFile();
  zip.addReadStream(Readable.from(textOf(table, counted, plain)), name.replace(/zip$/, format), {
    compressionLevel: constants.Z_BEST_SPEED,
    mtime: WRITTEN,
  });
  zip.end();
  await pipeline(
    zip.outputStream,
    async function* (chunks: AsyncIterable<Buffer | string>) {
      for await (const chunk of chunks) {
        md5.update(chunk);
        counted.zipBytes += Buffer.byteLength(chunk);
        yield chunk;
      }
    },
    createWriteStream(join(dir, name)),
  );
  return { entity, name, md5: md5.digest('hex'), ...counted };
}

/** What the member holds; it is written to `plain` and counted on the way. */
function* textOf(
  table: TableText,
  counted: { rows: number; plainBytes: number },
  plain: string | null,
): Generator<Buffer> {
  const plainFile = plain === null ? null : openSync(plain, 'w', 0o644);
  try {
    for (const bytes of blocksOf(linesOf(table, counted))) {
      counted.plainBytes += bytes.length;
      if (plainFile !== null) writeSync(plainFile, bytes);
      yield bytes;
    }
  } finally {
    if (plainFile !== null) closeSync(plainFile);
  }
}

function* linesOf({ head, rows, foot }: TableText, counted: { rows: number }): Generator<string> {
  yield head;
  for (const line of rows) {
    counted.rows += 1;
    yield line;
  }
  if (foot !== null) yield foot;
}

function* blocksOf(lines: Iterable<string>): Generator<Buffer> {
  let some: string[] = [];
  let chars = 0;
  for (const line of lines) {
    some.push(line);
    chars += line.length;
    if (chars < FLUSH_CHARS) continue;
    yield Buffer.from(`${some.join('\n')}\n`);
    some = [];
    chars = 0;
  }
  if (some.length > 0) yield Buffer.from(`${some.join('\n')}\n`);
}
