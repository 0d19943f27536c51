/** Tables of registers as the download service has them: zip files on disk, a listing of them, over HTTP. */
import { createHash } from 'node:crypto';
import { closeSync, createReadStream, openSync, statSync, writeSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { constants, crc32, createDeflateRaw } from 'node:zlib';

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
const LOCAL = 0x04034b50;
const DIRECTORY = 0x02014b50;
const END = 0x06054b50;
/** A longer member or file wants the other form of zip. */
const MOST_BYTES = 0xffffffff;

/** A zip file of one member, written as it comes; `plain`: where the member lies once more by itself. */
export async function writeTable(
  dir: string,
  table: TableText,
  plain: string | null = null,
): Promise<TableFile> {
  const { register, entity, download, format, generation, contents = 'Current' } = table;
  const name = `${register}_V1_${entity}_${download}_${format}_${contents}_${generation}.zip`;
  const file = openSync(join(dir, name), 'w');
  const plainFile = plain === null ? null : openSync(plain, 'w', 0o644);
  const md5 = createHash('md5');
  const write = (bytes: Buffer): void => {
    md5.update(bytes);
    writeSync(file, bytes);
  };
  const member = { name: Buffer.from(name.replace(/zip$/, format)), crc: 0, packed: 0, bytes: 0 };
  write(headerOf(LOCAL, member));
  const deflate = createDeflateRaw({ level: constants.Z_BEST_SPEED });
  deflate.on('data', (chunk: Buffer) => {
    member.packed += chunk.length;
    write(chunk);
  });
  const ended = new Promise((resolve) => deflate.once('end', resolve));
  const counted = { rows: 0 };
  for (const bytes of blocksOf(linesOf(table, counted))) {
    member.crc = crc32(bytes, member.crc);
    member.bytes += bytes.length;
    if (plainFile !== null) writeSync(plainFile, bytes);
    if (!deflate.write(bytes)) await new Promise((resolve) => deflate.once('drain', resolve));
  }
  deflate.end();
  await ended;
  if (member.bytes > MOST_BYTES) throw new Error(`${name} is too large for this writer of zips.`);
  write(endOf(member));
  closeSync(file);
  if (plainFile !== null) closeSync(plainFile);
  const zipBytes = statSync(join(dir, name)).size;
  const { rows } = counted;
  return { entity, name, md5: md5.digest('hex'), zipBytes, plainBytes: member.bytes, rows };
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
  yield Buffer.from(`${some.join('\n')}\n`);
}

interface Member {
  readonly name: Buffer;
  readonly crc: number;
  readonly packed: number;
  readonly bytes: number;
}

function endOf(member: Member): Buffer {
  const directory = headerOf(DIRECTORY, member);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(END, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(member.packed + 30 + member.name.length, 16);
  return Buffer.concat([directory, end]);
}

/** Sizes are known at the end only: they are in the directory, not before the data. */
function headerOf(signature: number, { name, crc, packed, bytes }: Member): Buffer {
  const isDirectory = signature === DIRECTORY;
  const header = Buffer.alloc(isDirectory ? 46 : 30);
  const at = isDirectory ? 2 : 0;
  header.writeUInt32LE(signature, 0);
  header.writeUInt16LE(20, 4 + at);
  header.writeUInt16LE(0x0808, 6 + at);
  header.writeUInt16LE(8, 8 + at);
  if (isDirectory) {
    header.writeUInt32LE(crc, 16);
    header.writeUInt32LE(packed, 20);
    header.writeUInt32LE(bytes, 24);
  }
  header.writeUInt16LE(name.length, 26 + at);
  return Buffer.concat([header, name]);
}
