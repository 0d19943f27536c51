/**
 * The Datafordeler's file listing, not trusted, and its file that is a whole current table
 * (upstream/registers-geo.md 1.4).
 */
import type { DownloadSource } from '../layers/source.ts';
import { errorWords } from '../wfs/error-words.ts';
import { UpstreamFailure } from '../wfs/failure.ts';
import { isRecord } from '../wfs/geojson-remains.ts';

/** null: not stated in the listing. */
export interface ListedFile {
  readonly name: string;
  readonly entity: string | null;
  /** ISO 8601 as written. */
  readonly generatedAt: string | null;
  readonly expiresAtMs: number | null;
  readonly bytes: number | null;
  readonly md5: string | null;
  readonly isPart: boolean;
}

/** A whole table: its counter is only comparable within one version. */
export interface TableFile extends ListedFile {
  readonly version: string;
  readonly generation: number;
}

export interface ListingPage {
  readonly files: readonly ListedFile[];
  /** Pages and files of the whole listing; null: not stated. */
  readonly totalPages: number | null;
  readonly totalCount: number | null;
}

/** `asked`: the URL. Throws UpstreamFailure `unreadable`. */
export function readListingPage(text: string, asked: URL | null = null): ListingPage {
  const words = () => (asked === null ? '' : errorWords(Buffer.from(text), asked));
  const page = parse(text, words);
  const files = isRecord(page) ? page['availableFileDownloads'] : page;
  if (!Array.isArray(files)) {
    throw unreadable('the listing holds no availableFileDownloads', words());
  }
  const totals = isRecord(page) ? page['paginationMetadata'] : null;
  return {
    files: files.map(readFile),
    totalPages: isRecord(totals) ? countOf(totals['totalPages']) : null,
    totalCount: isRecord(totals) ? countOf(totals['totalCount']) : null,
  };
}

function readFile(value: unknown): ListedFile {
  if (!isRecord(value)) throw unreadable('the listing holds a file that is no object');
  const name = textOf(value['fileName']);
  if (name === null) throw unreadable('the listing holds a file without a name');
  const expires = Date.parse(textOf(value['expirationDate']) ?? '');
  return {
    name,
    entity: textOf(value['entityName']),
    generatedAt: textOf(value['generationTime']),
    expiresAtMs: Number.isNaN(expires) ? null : expires,
    bytes: countOf(value['fileSizeInBytes']),
    md5: md5Of(textOf(value['md5Hash'])),
    isPart: textOf(value['municipalityCode']) !== null,
  };
}

/**
 * The newest file of the first version that lists one of at least `minBytes`; if none does, the
 * first version's newest, which a guard refuses.
 */
export function chooseFile(
  listed: readonly ListedFile[],
  source: Pick<
    DownloadSource,
    'register' | 'entity' | 'format' | 'contents' | 'versions' | 'minBytes'
  >,
  nowMs: number,
): TableFile | null {
  const tables = listed.flatMap((file) =>
    tableOf(file, source, { nowMs, download: 'TotalDownload' }),
  );
  const newest = source.versions.flatMap((version) => {
    const [first] = tables
      .filter((file) => file.version === version)
      .sort((a, b) => b.generation - a.generation);
    return first === undefined ? [] : [first];
  });
  return newest.find((file) => !isStub(file, source)) ?? newest[0] ?? null;
}

/** Header only: a new version lists such a file before it has rows. */
export function isStub(
  { bytes }: ListedFile,
  { minBytes }: Pick<DownloadSource, 'minBytes'>,
): boolean {
  return bytes !== null && bytes < minBytes;
}

/** Deltas of a version after a generation, ascending, each once. */
export function chooseDeltas(
  listed: readonly ListedFile[],
  source: Pick<DownloadSource, 'register' | 'entity' | 'format' | 'contents'>,
  since: { readonly version: string; readonly generation: number; readonly nowMs: number },
): readonly TableFile[] {
  const files = listed
    .flatMap((file) => tableOf(file, source, { nowMs: since.nowMs, download: 'DeltaDownload' }))
    .filter(
      ({ version, generation }) => version === since.version && generation > since.generation,
    );
  const byGeneration = new Map(files.map((file) => [file.generation, file]));
  return [...byGeneration.values()].sort((a, b) => a.generation - b.generation);
}

const NAMES_SHOWN = 3;
const NAME_CHARS = 100;

/** Instead of the wanted file: the number of files, and three names, those of the entity first. */
export function heldBy(
  listed: readonly ListedFile[],
  { entity }: Pick<DownloadSource, 'entity'>,
): string {
  if (listed.length === 0) return 'The listing is empty.';
  const isMeant = ({ name }: ListedFile) => name.toLowerCase().includes(entity.toLowerCase());
  const names = [...listed.filter(isMeant), ...listed.filter((file) => !isMeant(file))]
    .slice(0, NAMES_SHOWN)
    .map(({ name }) => printable(name));
  const files = listed.length === 1 ? '1 file' : `${listed.length} files`;
  const more = listed.length > names.length ? ', and more' : '';
  return `The listing holds ${files}: ${names.join(', ')}${more}.`;
}

function printable(name: string): string {
  const plain = name.replaceAll(/[^\p{L}\p{N}._() -]/gu, '?');
  return plain.length > NAME_CHARS ? `${plain.slice(0, NAME_CHARS)}…` : plain;
}

/** null: missing or unreadable. */
export function madeAtMs({ generatedAt }: Pick<ListedFile, 'generatedAt'>): number | null {
  const ms = generatedAt === null ? NaN : Date.parse(generatedAt);
  return Number.isNaN(ms) ? null : ms;
}

type Download = 'TotalDownload' | 'DeltaDownload';

/**
 * By exact name: the listing also has deltas, bitemporal sets, generalised entities
 * (`Kommuneinddeling_250000`) and files per municipality.
 */
function tableOf(
  file: ListedFile,
  {
    register,
    entity,
    format,
    contents = 'Current',
  }: Pick<DownloadSource, 'register' | 'entity' | 'format' | 'contents'>,
  { nowMs, download }: { readonly nowMs: number; readonly download: Download },
): TableFile[] {
  const parts =
    /^([^_]+)_V(\d+)_(.+)_(TotalDownload|DeltaDownload)_([^_]+)_([^_]+)_(\d{1,15})\.zip$/i.exec(
      file.name,
    );
  if (parts === null || file.isPart) return [];
  const [, ofRegister, version = '', ofEntity, ofDownload, ofFormat, ofContents, generation] =
    parts;
  const wanted = [register, entity, download, format, contents].join('/').toLowerCase();
  const found = [ofRegister, ofEntity, ofDownload, ofFormat, ofContents].join('/').toLowerCase();
  if (found !== wanted) return [];
  if (file.entity !== null && file.entity.toLowerCase() !== entity.toLowerCase()) return [];
  if (file.expiresAtMs !== null && file.expiresAtMs <= nowMs) return [];
  return [{ ...file, version, generation: Number(generation) }];
}

function parse(text: string, words: () => string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw unreadable('the listing is not JSON', words());
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

function countOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null;
}

/** Hex or base64. */
function md5Of(text: string | null): string | null {
  if (text === null) return null;
  if (/^[0-9a-f]{32}$/i.test(text)) return text.toLowerCase();
  return /^[A-Za-z0-9+/]{22}==$/.test(text) ? Buffer.from(text, 'base64').toString('hex') : null;
}

function unreadable(message: string, words = ''): UpstreamFailure {
  return new UpstreamFailure('unreadable', `${message}${words && `: ${words}`}`);
}
