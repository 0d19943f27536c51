/** The download service's two questions: what is there, and give me this file. */
import type { AreaId } from '../../src/layers/keys.ts';
import { AREA_IDS } from '../../src/layers/keys.ts';
import { readParameters, replyOf, UNAUTHORIZED } from '../http.ts';
import type { Parameters, Reply } from '../http.ts';
import type { Shelf } from './shelf.ts';
import { entityOf } from './shelf.ts';

export const LIST_PATH = '/files/list';
export const FETCH_PATH = '/files/get';

/** The server's own page, whatever size is asked for. */
const PAGE_FILES = 3;
const PLAIN = { 'content-type': 'text/plain' };

export type FilesOperation = 'listing' | 'file';

/** What is asked at a path of the service; null at any other. */
export function filesOperation(path: string): FilesOperation | null {
  if (path === LIST_PATH) return 'listing';
  return path === FETCH_PATH ? 'file' : null;
}

/** The theme a listing or a file is asked of, by its entity or by the name of the file. */
export function themeAsked(url: URL): AreaId | null {
  const asked = readParameters(url);
  const words = `${asked.get('entity') ?? ''}_${asked.get('filename') ?? ''}`
    .toLowerCase()
    .split('_');
  return AREA_IDS.find((theme) => words.includes(entityOf(theme).toLowerCase())) ?? null;
}

/** The right answer; a key must be there, as everywhere at the Datafordeler. */
export function answerFiles(shelf: Shelf, url: URL, operation: FilesOperation): Reply {
  const asked = readParameters(url);
  if (!asked.get('apikey')) return replyOf(401, UNAUTHORIZED, PLAIN);
  return operation === 'listing' ? list(shelf, asked) : fetched(shelf, asked.get('filename') ?? '');
}

function list(shelf: Shelf, asked: Parameters): Reply {
  const register = asked.get('register') ?? '';
  const [entity, format] = [asked.get('entity') ?? null, asked.get('format') ?? null];
  const page = Number(asked.get('pagenumber') ?? 1);
  if (register.toUpperCase() !== 'DAGI') {
    const tables = shelf.tables.entries(register, entity, format);
    return pageOf(tables, page, tables.length);
  }
  const entries = shelf.entries(entity, format);
  return pageOf(entries, page, shelf.totalCount(entries.length));
}

function pageOf(entries: readonly unknown[], page: number, totalCount: number): Reply {
  const listed = {
    paginationMetadata: {
      currentPage: page,
      pageSize: PAGE_FILES,
      totalCount,
      totalPages: Math.ceil(entries.length / PAGE_FILES),
    },
    availableFileDownloads: entries.slice((page - 1) * PAGE_FILES, page * PAGE_FILES),
  };
  return replyOf(200, JSON.stringify(listed), {
    'content-type': 'application/json; charset=utf-8',
  });
}

function fetched(shelf: Shelf, name: string): Reply {
  const body = shelf.file(name) ?? shelf.tables.file(name);
  if (body === null) return replyOf(404, 'No such file', PLAIN);
  return replyOf(200, body, { 'content-type': 'application/zip' });
}
