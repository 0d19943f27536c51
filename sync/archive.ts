/**
 * What the upstreams sent, kept for replays. A page's members are stored by hash, so unchanged
 * pages and files are stored once; the run's manifest has their order and surroundings (time stamp,
 * announced counts).
 *
 *   <dir>/<layer>/runs/<run id>.json      the manifest, written when the reading has ended
 *   <dir>/<layer>/objects/<ab>/<sha256>.zst   a page's members
 *   <dir>/<layer>/objects/<ab>/<sha256>.zip   a downloaded file as it came
 *
 * A full disk costs the run's archive, never the run.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, link, mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { constants, zstdCompress } from 'node:zlib';
import { LIMITS } from '../src/kernel/limits.ts';
import { replaceFile } from '../src/kernel/replace-file.ts';
import type { FetchedFile } from '../src/downloads/client.ts';
import type { TableFile } from '../src/downloads/listing.ts';
import type { Layer } from '../src/layers/catalogue.ts';
import type { TableRegister } from '../src/layers/register.ts';
import type { DownloadSource, FeatureTableSource, FileSource } from '../src/layers/source.ts';
import type { PageBytes, PagingReport } from '../src/wfs/paging.ts';

const compress = promisify(zstdCompress);
const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

export interface ArchivedPage {
  readonly pageNo: number;
  readonly startIndex: number;
  readonly asked: number | null;
  readonly members: number;
  readonly numberMatched: number | null;
  readonly numberReturned: number | null;
  /** Before and after the members, base64. */
  readonly head: string;
  readonly tail: string;
  /** SHA-256 of the members, hexadecimal; null: none. */
  readonly body: string | null;
}

export interface ArchivedFile<Format extends string = FileSource['format']> {
  readonly listed: TableFile;
  readonly format: Format;
  readonly sha256: string;
  readonly md5: string;
  readonly bytes: number;
}

type ArchivedTable = ArchivedFile<DownloadSource['format']>;

export interface ArchivedReading {
  readonly entity: string;
  readonly source: Manifest['source'];
  readonly pages: readonly ArchivedPage[];
  readonly report: PagingReport;
}

export interface Manifest {
  readonly format: 1;
  readonly layer: string;
  readonly run: string;
  readonly startedAtMs: number;
  /** `typeName` of a file is its entity. */
  readonly source: { readonly url: string; readonly typeName: string; readonly format: string };
  readonly file?: ArchivedFile;
  readonly tables?: readonly ArchivedTable[];
  /** Tables of a register read as pages, in addition to `tables`. */
  readonly readings?: readonly ArchivedReading[];
  /** The reading failed: the tables are those read until then. */
  readonly incomplete?: true;
  readonly pages: readonly ArchivedPage[];
  /** null: a file, or a failed reading with the pages until then. */
  readonly report: PagingReport | null;
}

export interface ReadingToKeep {
  readonly entity: string;
  readonly source: Pick<FeatureTableSource, 'url' | 'typeName' | 'format'>;
  readonly report: PagingReport;
}

export interface FileToKeep<From extends DownloadSource = FileSource> {
  readonly file: TableFile;
  readonly source: Pick<From, 'fetchUrl' | 'entity' | 'format'>;
  readonly fetched: FetchedFile;
}

export interface Archive {
  begin(run: {
    readonly id: string;
    readonly layer: Pick<Layer, 'id' | 'source'> | Pick<TableRegister, 'id'>;
    readonly startedAtMs: number;
  }): RunArchive;
}

export interface ArchiveOptions {
  readonly dir: string;
  /** Per layer; at least 1. */
  readonly keepRuns: number;
  /** Never written, even where a server echoes them. */
  readonly secrets: readonly string[];
  readonly log: { warn(detail: object, message: string): void };
}

export function createArchive(options: ArchiveOptions): Archive {
  return { begin: (run) => new RunArchive(options, run) };
}

export class RunArchive {
  readonly #options: ArchiveOptions;
  readonly #run: Parameters<Archive['begin']>[0];
  readonly #dir: string;
  readonly #pages: ArchivedPage[] = [];
  readonly #tables: ArchivedTable[] = [];
  readonly #tablePages = new Map<string, ArchivedPage[]>();
  readonly #readings: ArchivedReading[] = [];
  #tablesFrom = '';
  /** The first failure ends the recording: an incomplete manifest is useless. */
  #failed = false;

  constructor(options: ArchiveOptions, run: Parameters<Archive['begin']>[0]) {
    this.#options = options;
    this.#run = run;
    this.#dir = join(options.dir, run.layer.id);
  }

  /** Resolves when the bytes may be transferred. */
  async keep(page: PageBytes): Promise<void> {
    const kept = await this.#try(() => this.#keepPage(page));
    if (kept !== undefined) this.#pages.push(kept);
  }

  /** A page of one of a run's tables; resolves as `keep`. `keepReading`: the last one. */
  async keepTablePage(entity: string, page: PageBytes): Promise<void> {
    const kept = await this.#try(() => this.#keepPage(page));
    if (kept === undefined) return;
    this.#tablePages.set(entity, [...(this.#tablePages.get(entity) ?? []), kept]);
  }

  keepReading({ entity, source: { url, typeName, format }, report }: ReadingToKeep): void {
    const pages = inOrderOf(this.#tablePages.get(entity) ?? []);
    this.#readings.push({ entity, source: { url, typeName, format }, pages, report });
  }

  async #keepPage(page: PageBytes): Promise<ArchivedPage> {
    const { envelope, bytes, pageNo, startIndex, asked } = page;
    const { members, numberMatched, numberReturned } = envelope;
    const { start, end } = bodyOf(page);
    const { secrets } = this.#options;
    const [head, body, tail] = [
      bytes.subarray(0, start),
      bytes.subarray(start, end),
      bytes.subarray(end),
    ].map((part) => blotted(part, secrets)) as [Buffer, Buffer, Buffer];
    return {
      pageNo,
      startIndex,
      asked,
      members,
      numberMatched,
      numberReturned,
      head: head.toString('base64'),
      tail: tail.toString('base64'),
      body: body.length === 0 ? null : await this.#keepObject(body),
    };
  }

  /** Writes the manifest and deletes the oldest runs. Call once. */
  async end(report: PagingReport | null): Promise<void> {
    const { layer } = this.#run;
    if (!('source' in layer)) throw new Error(`${layer.id} is read from no pages.`);
    const { url, typeName, format } = layer.source;
    const pages = inOrderOf(this.#pages);
    await this.#close({ source: { url, typeName, format }, pages, report });
  }

  /** The only file of a run: also writes the manifest and deletes the oldest runs. Call once. */
  async keepFile(kept: FileToKeep): Promise<void> {
    const { fetchUrl: url, entity: typeName, format } = kept.source;
    const file = await this.#try(() => this.#keepZip(kept));
    const source = { url, typeName, format };
    await this.#close({ source, ...(file && { file }), pages: [], report: null });
  }

  /** `endTables` writes the manifest, once; `whole`: none is missing. */
  async keepTable(kept: FileToKeep<DownloadSource>): Promise<void> {
    this.#tablesFrom = kept.source.fetchUrl;
    const table = await this.#try(() => this.#keepZip(kept));
    if (table !== undefined) this.#tables.push(table);
  }

  async endTables(whole: boolean): Promise<void> {
    const [reading] = this.#readings;
    if (this.#tables.length === 0 && reading === undefined) return;
    await this.#close({
      source: { url: reading?.source.url ?? this.#tablesFrom, typeName: '', format: '' },
      tables: this.#tables,
      ...(reading !== undefined && { readings: this.#readings }),
      ...(!whole && { incomplete: true }),
      pages: [],
      report: null,
    });
  }

  async #close(read: Omit<Manifest, 'format' | 'layer' | 'run' | 'startedAtMs'>): Promise<void> {
    await this.#try(async () => {
      const { id, layer, startedAtMs } = this.#run;
      const manifest: Manifest = { format: 1, layer: layer.id, run: id, startedAtMs, ...read };
      const text = blotted(Buffer.from(JSON.stringify(manifest)), this.#options.secrets);
      await writeWhole(join(this.#dir, 'runs', `${id}.json`), (draft) => writeFile(draft, text));
    });
    await this.#try(() => prune(this.#dir, this.#options.keepRuns), { always: true });
  }

  async #keepObject(body: Buffer): Promise<string> {
    const hash = createHash('sha256').update(body).digest('hex');
    const path = objectPath(this.#dir, hash);
    if (await isThere(path)) return hash;
    const packed = await compress(body, FAST);
    await writeWhole(path, (draft) => writeFile(draft, packed));
    return hash;
  }

  async #keepZip<From extends DownloadSource>({
    file: listed,
    source: { format },
    fetched: { path: from, bytes, md5 },
  }: FileToKeep<From>): Promise<ArchivedFile<From['format']>> {
    const sha256 = await hashOf(from);
    const path = filePath(this.#dir, sha256);
    if (!(await isThere(path))) {
      await writeWhole(path, (draft) => link(from, draft).catch(() => copyFile(from, draft)));
    }
    return { listed, format, sha256, md5, bytes };
  }

  async #try<T>(work: () => Promise<T>, { always = false } = {}): Promise<T | undefined> {
    if (this.#failed && !always) return undefined;
    try {
      return await work();
    } catch (error) {
      this.#failed = true;
      const { layer, id } = this.#run;
      const detail = { layer: layer.id, run: id, reason: String(error) };
      this.#options.log.warn(detail, 'what the upstream sent could not be archived');
      return undefined;
    }
  }
}

function inOrderOf(pages: readonly ArchivedPage[]): readonly ArchivedPage[] {
  return pages.toSorted((a, b) => a.pageNo - b.pageNo);
}

export function objectPath(layerDir: string, hash: string): string {
  return join(layerDir, 'objects', hash.slice(0, 2), `${hash}.zst`);
}

export function filePath(layerDir: string, hash: string): string {
  return join(layerDir, 'objects', hash.slice(0, 2), `${hash}.zip`);
}

export async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** The members; everything, if the surroundings are too large for a manifest. */
function bodyOf({ bytes, envelope }: PageBytes): { readonly start: number; readonly end: number } {
  const { start, end } = envelope.body;
  const around = start + bytes.length - end;
  return around > LIMITS.rawAroundBytes ? { start: 0, end: bytes.length } : { start, end };
}

const SHORTEST_SECRET = 4;

/** A copy without secrets, in any encoding of a URL or document. */
function blotted(part: Uint8Array, secrets: readonly string[]): Buffer {
  const bytes = Buffer.from(part.buffer, part.byteOffset, part.length);
  const found = secrets
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .flatMap((secret) => [secret, encodeURIComponent(secret), escaped(secret)])
    .filter((secret) => bytes.includes(secret));
  if (found.length === 0) return Buffer.from(bytes);
  // Latin 1 preserves every byte.
  const text = found.reduce(
    (clean, secret) => clean.replaceAll(Buffer.from(secret).toString('latin1'), '***'),
    bytes.toString('latin1'),
  );
  return Buffer.from(text, 'latin1');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

async function writeWhole(path: string, write: (draft: string) => Promise<void>): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true });
  await replaceFile(path, write);
}

async function isThere(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.size > 0,
    () => false,
  );
}

/** Keeps the newest runs and their objects; deletes everything else in the layer's folder. */
async function prune(dir: string, keepRuns: number): Promise<void> {
  const runs = await runsIn(dir);
  for (const run of runs.slice(keepRuns)) await rm(join(dir, 'runs', `${run}.json`));
  const used = new Set<string>();
  for (const run of runs.slice(0, keepRuns)) {
    const { pages, file, tables = [], readings = [] } = await readManifest(dir, run);
    for (const { sha256 } of tables) used.add(`${sha256}.zip`);
    if (file !== undefined) used.add(`${file.sha256}.zip`);
    for (const { body } of [pages, ...readings.map((each) => each.pages)].flat()) {
      if (body !== null) used.add(`${body}.zst`);
    }
  }
  const names = await readdir(join(dir, 'objects'), { recursive: true }).catch(() => []);
  for (const name of names) {
    const file = name.slice(3);
    if (file !== '' && !used.has(file)) await rm(join(dir, 'objects', name));
  }
}

export async function runsIn(layerDir: string): Promise<readonly string[]> {
  const names = await readdir(join(layerDir, 'runs')).catch(() => []);
  return names
    .flatMap((name) => /^(\d+)\.json$/.exec(name)?.[1] ?? [])
    .toSorted((a, b) => Number(b) - Number(a));
}

/** Throws when it is missing or of another format. */
export async function readManifest(layerDir: string, run: string): Promise<Manifest> {
  const text = await readFile(join(layerDir, 'runs', `${run}.json`), 'utf8');
  const manifest = JSON.parse(text) as Manifest;
  if ((manifest.format as number) !== 1) throw new Error(`Run ${run} is archived in another form.`);
  return manifest;
}
