/**
 * Reads rows as a stream, never as one text or object. The schema judges the head of a JSON body
 * with its first row.
 */
import { createHash } from 'node:crypto';
import type { Hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { CHARSETS } from '../../../core/rows/job-types.ts';
import { CsvReader } from '../../../jobs/intake/csv.ts';
import { JsonReader } from '../../../jobs/intake/json.ts';
import { NdjsonReader } from '../../../jobs/intake/ndjson.ts';
import { readWorkbook } from '../../../jobs/intake/workbook.ts';
import type { ReadRows } from '../../../jobs/intake/rows-reader.ts';
import { Failure, invalidRequest } from '../../../kernel/failures.ts';
import { isHeadRow } from '../../../jobs/intake/head-row.ts';
import { JOB_LIMITS } from '../../../jobs/limits.ts';
import type { Limiters } from '../../../kernel/limiters.ts';
import { Semaphore } from '../../../kernel/semaphore.ts';
import { charsetOf } from '../../plugins/body.ts';
import { parseJsonBody } from '../../wire/json-body.ts';
import { WORKBOOK_TYPE } from './file-schema.ts';
import { setImmediate as otherRequests } from 'node:timers/promises';
import { decodeRows } from '../../../jobs/chunk-rows.ts';

type HeldBytes = ReturnType<typeof createHeldBytes>;

function createHeldBytes(limiters: Limiters) {
  const byHolder = new Map<object, { readonly account: string; bytes: number }>();
  const { account: each, total } = JOB_LIMITS.bodyBytesHeld;
  const counter = limiters.counter('bytes of rows', { each, total });
  return {
    /** Throws `rate_limited` for the account's limit, `overloaded` for the total. */
    take: (holder: object, account: string, bytes: number) => {
      const passed = counter.add(account, bytes);
      if (passed !== null) throw tooMany(passed === 'each' ? 'rate_limited' : 'overloaded');
      const held = byHolder.get(holder) ?? { account, bytes: 0 };
      held.bytes += bytes;
      byHolder.set(holder, held);
    },
    release: (holder: object) => {
      const held = byHolder.get(holder);
      if (held === undefined) return;
      byHolder.delete(holder);
      counter.remove(held.account, held.bytes);
    },
  };
}

function tooMany(type: 'rate_limited' | 'overloaded'): Failure {
  return new Failure(type, {
    error: 'Too many rows are being sent at a time: send one body after the other.',
    errorDa: 'Der sendes for mange rækker på én gang: send ét indhold efter det andet.',
    headers: { connection: 'close' },
  });
}

/**
 * Hashes the parsed body for an Idempotency-Key (D76): spaces, key order and notation make no
 * difference. `type`: one body or lines.
 */
async function hashOfJson(
  type: 'application/json' | 'application/x-ndjson',
  body: unknown,
  { columns, chunks }: ReadRows,
): Promise<Buffer> {
  const { rows: _rows, ...head } = (body ?? {}) as Readonly<Record<string, unknown>>;
  const sorted = columns
    .map((name, at) => ({ name, at }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const order = sorted.map(({ at }) => at);
  const hash = createHash('sha256').update(`${type}\n`).update(canonical(head));
  hash.update(JSON.stringify(sorted.map(({ name }) => name)));
  for (const { input } of chunks) {
    await otherRequests();
    for (const row of decodeRows(input)) {
      // An empty list marks a missing column.
      hash.update(JSON.stringify(order.map((at) => (row[at] === undefined ? [] : row[at]))));
    }
  }
  return hash.digest();
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}

export interface RowsBody {
  readonly rows: ReadRows;
  /** SHA-256, computed only for an Idempotency-Key. */
  readonly hash: () => Buffer | Promise<Buffer>;
}

const read = new WeakMap<FastifyRequest, RowsBody>();

export function rowsBodyOf(request: FastifyRequest): RowsBody {
  const body = read.get(request);
  if (body !== undefined) return body;
  throw unsupported();
}

/** Needs a scope of its own, because JSON is parsed differently. */
export function installRowsBodies(scope: FastifyInstance, limiters: Limiters): void {
  const held = createHeldBytes(limiters);
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    'application/json',
    async (request: FastifyRequest, payload: Readable) => {
      charsetOf(request.headers, ['utf-8']);
      const reader = new JsonReader();
      await pump(payload, reader, { request, held });
      const head = reader.head();
      const body = parseJsonBody(head) as { rows?: unknown } | null;
      if (!reader.isListMet && Array.isArray(body?.rows)) {
        for (const row of body.rows) reader.add(row);
      }
      const rows = reader.end();
      read.set(request, { rows, hash: () => hashOfJson('application/json', body, rows) });
      return body;
    },
  );
  scope.addHook('preParsing', (request, reply, _payload, done) => {
    reply.raw.once('close', () => held.release(request));
    const { ark, overskrift } = request.query as { ark?: unknown; overskrift?: unknown };
    const type = (request.headers['content-type'] ?? '').toLowerCase();
    const isWorkbook = type.startsWith(WORKBOOK_TYPE);
    const isCsv = type.startsWith('text/csv');
    if (Array.isArray(ark)) done(givenTwice('ark'));
    else if (Array.isArray(overskrift)) done(givenTwice('overskrift'));
    else if (ark !== undefined && !isWorkbook) done(noSheets());
    else if (overskrift !== undefined && !isWorkbook && !isCsv) done(noHead());
    else done(isCsv && HEADLESS.test(type) ? withoutHead() : null);
  });
  scope.addContentTypeParser('text/csv', async (request: FastifyRequest, payload: Readable) => {
    const headRow = headRowOf(request);
    const reader = new CsvReader(charsetOf(request.headers, CHARSETS), headRow);
    const hash = hashOfType(request);
    if (headRow !== null) hash.update(`${headRow}\n`);
    await pump(payload, reader, { request, held, hash });
    read.set(request, { rows: reader.end(), hash: () => hash.digest() });
    return '';
  });
  scope.addContentTypeParser(
    'application/x-ndjson',
    async (request: FastifyRequest, payload: Readable) => {
      charsetOf(request.headers, ['utf-8']);
      const reader = new NdjsonReader();
      await pump(payload, reader, { request, held });
      const rows = reader.end();
      read.set(request, { rows, hash: () => hashOfJson('application/x-ndjson', null, rows) });
      return '';
    },
  );
  parseWorkbooks(scope, held, limiters);
  scope.addContentTypeParser('*', (_request, _payload, done) => {
    done(unsupported());
  });
}

function parseWorkbooks(scope: FastifyInstance, held: HeldBytes, limiters: Limiters): void {
  // Workbooks hold their texts while read, so few are read at a time.
  const { reads } = JOB_LIMITS.workbook;
  const workbooks = new Semaphore(
    limiters.permits('workbooks', reads.atATime),
    reads.waiting,
    limiters.counter('workbooks of accounts', reads.each),
  );
  scope.addContentTypeParser(WORKBOOK_TYPE, async (request: FastifyRequest, payload: Readable) => {
    charsetOf(request.headers, CHARSETS);
    const pieces: Buffer[] = [];
    const hash = hashOfType(request);
    const push = (piece: Buffer) => pieces.push(piece);
    await pump(payload, { push }, { request, held, hash });
    const { ark = null } = request.query as { ark?: string };
    const headRow = headRowOf(request);
    hash.update(`\n${ark ?? ''}${headRow === null ? '' : `\n${headRow}`}`);
    const readRows = async () => {
      // The client left while waiting.
      if (request.raw.socket.destroyed) throw cutOff(null);
      return await readWorkbook(Buffer.concat(pieces), ark, headRow);
    };
    const rows = await workbooks.run(accountOf(request), readRows, () => new Failure('overloaded'));
    read.set(request, { rows, hash: () => hash.digest() });
    return '';
  });
}

/** null: guessed, or invalid, which the schema refuses. */
function headRowOf({ query }: FastifyRequest): number | null {
  const { overskrift } = query as { overskrift?: string | number };
  const row = Number(overskrift ?? NaN);
  return isHeadRow(row) ? row : null;
}

function hashOfType({ headers }: FastifyRequest): Hash {
  return createHash('sha256').update(`${(headers['content-type'] ?? '').toLowerCase()}\n`);
}

interface Pumped {
  readonly request: FastifyRequest;
  readonly held: HeldBytes;
  readonly hash?: Hash;
}

/** A body refused midway is drained unread. */
async function pump(
  payload: Readable,
  reader: { readonly push: (bytes: Buffer) => unknown },
  { request, held, hash }: Pumped,
): Promise<void> {
  if (Number(request.headers['content-length'] ?? 0) > JOB_LIMITS.bodyBytes) throw tooLarge();
  const account = accountOf(request);
  let bytes = 0;
  try {
    for await (const piece of payload.iterator({ destroyOnReturn: false })) {
      const buffer = piece as Buffer;
      bytes += buffer.length;
      if (bytes > JOB_LIMITS.bodyBytes) throw tooLarge();
      held.take(request, account, buffer.length);
      hash?.update(buffer);
      reader.push(buffer);
    }
  } catch (error) {
    // A request that was read whole is destroyed, too.
    if (!request.raw.complete && request.raw.destroyed) throw cutOff(error);
    payload.resume();
    throw error;
  }
}

function accountOf({ visit }: FastifyRequest): string {
  return visit?.principal.accountId ?? '';
}

function cutOff(cause: unknown): Failure {
  return new Failure('invalid_request', {
    error: 'The body was cut off.',
    errorDa: 'Indholdet blev afbrudt.',
    cause,
  });
}

function tooLarge(): Failure {
  const { bodyBytes } = JOB_LIMITS;
  return new Failure('payload_too_large', {
    error: `The body may have at most ${bodyBytes} bytes; send the rows in several.`,
    errorDa: `Indholdet må højst fylde ${bodyBytes} byte; send rækkerne i flere.`,
    headers: { connection: 'close' },
  });
}

function noSheets(): Failure {
  return invalidRequest(
    'ark names a sheet of a workbook (.xlsx); a body of another type has none.',
    'ark er navnet på et ark i en projektmappe (.xlsx); indhold af anden slags har ingen.',
  );
}

function noHead(): Failure {
  return invalidRequest(
    'overskrift is a row of a CSV or a workbook (.xlsx); a body of another type has none.',
    'overskrift er en række i en CSV eller en projektmappe (.xlsx); indhold af anden slags har ingen.',
  );
}

/** RFC 4180, 3. */
const HEADLESS = /;\s*header\s*=\s*"?absent/;

function withoutHead(): Failure {
  return invalidRequest(
    'A CSV has names of its columns in its first line; header=absent says that it has none.',
    'En CSV har kolonnernes navne i første linje; header=absent siger, at den ingen har.',
  );
}

function givenTwice(parameter: string): Failure {
  return invalidRequest(
    `The parameter ${parameter} is given more than once.`,
    `Parameteren ${parameter} er angivet mere end én gang.`,
  );
}

export function unsupported(): Failure {
  return new Failure('unsupported_media_type', {
    error: `The Content-Type must be application/json; for rows text/csv, application/x-ndjson or, for .xlsx, ${WORKBOOK_TYPE}.`,
    errorDa: `Content-Type skal være application/json; til rækker text/csv, application/x-ndjson eller, for .xlsx, ${WORKBOOK_TYPE}.`,
  });
}
