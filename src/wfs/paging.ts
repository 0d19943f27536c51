/**
 * Each page starts with the last feature of the previous one, and one more is requested after the
 * announced end, so moved rows are noticed. Yields bytes and counts, which the guards of sync/check
 * compare.
 */
import { createHash } from 'node:crypto';
import { LIMITS } from '../kernel/limits.ts';
import type { WfsSource } from '../layers/source.ts';
import type { WfsClient } from './client.ts';
import type { WfsAnswer } from './exchange.ts';
import { UpstreamFailure } from './failure.ts';
import type { FeaturesEnvelope } from './envelope.ts';
import { featureDigest, withoutFirst } from './join.ts';

export interface PageBytes {
  readonly pageNo: number;
  readonly startIndex: number;
  /** Features requested; null when unpaged. */
  readonly asked: number | null;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly envelope: FeaturesEnvelope;
}

/** Announced numbers are null where the server does not say. */
export interface PagingReport {
  readonly mode: 'paged' | 'unpaged';
  /** The final order; null: the server's own. */
  readonly sortBy: string | null;
  readonly pages: number;
  readonly received: number;
  readonly bytes: number;
  readonly hitsBefore: number | null;
  readonly hitsAfter: number | null;
  /** The first page's number, and whether a later page differed. */
  readonly numberMatched: number | null;
  readonly numberMatchedMoved: boolean;
  /** After halving; the source's page size when nothing was halved. */
  readonly smallestPage: number;
  readonly notes: readonly string[];
}

export interface PagingDeps {
  readonly client: Pick<WfsClient, 'fetchPage' | 'fetchHits'>;
  readonly apiKey?: string | null | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Iterate once; `report()` is final afterwards. */
export interface PageRun extends AsyncIterable<PageBytes> {
  report(): PagingReport;
}

export function readAllPages(source: WfsSource, deps: PagingDeps): PageRun {
  const state: State = {
    mode: 'paged',
    pages: 0,
    received: 0,
    bytes: 0,
    hitsBefore: null,
    hitsAfter: null,
    numberMatched: null,
    numberMatchedMoved: false,
    size: source.pageSize,
    smallestPage: source.pageSize,
    orders: sortOrders(source),
    notes: [],
    lastBody: '',
    lastFeature: null,
    alone: false,
  };
  return {
    [Symbol.asyncIterator]: () => pages(source, deps, state),
    report: () => ({
      mode: state.mode,
      sortBy: state.orders[0] ?? null,
      pages: state.pages,
      received: state.received,
      bytes: state.bytes,
      hitsBefore: state.hitsBefore,
      hitsAfter: state.hitsAfter,
      numberMatched: state.numberMatched,
      numberMatchedMoved: state.numberMatchedMoved,
      smallestPage: state.smallestPage,
      notes: [...state.notes],
    }),
  };
}

type Counted = { -readonly [Key in Exclude<keyof PagingReport, 'sortBy'>]: PagingReport[Key] };

interface State extends Counted {
  size: number;
  /** Orders still to try, best first; the first is in use. Empty: no paging works. */
  orders: (string | null)[];
  readonly notes: string[];
  lastBody: string;
  /** Digest of the last feature received, with which the next page must begin. */
  lastFeature: string | null;
  /** The next page is requested without that feature, because a page held nothing else. */
  alone: boolean;
}

async function* pages(
  source: WfsSource,
  deps: PagingDeps,
  state: State,
): AsyncGenerator<PageBytes, void, void> {
  state.hitsBefore = await hits(source, deps, state);
  for (;;) {
    if (state.pages >= LIMITS.syncPages) {
      throw new UpstreamFailure('paging', `more than ${LIMITS.syncPages} pages`);
    }
    const { startIndex, count } = nextQuery(state);
    const received = await page(source, deps, state);
    if (received === 'end') break;
    if (received === null) continue;
    const answer = joined(received, state);
    // Only the known feature: the end, if it is the announced one.
    if (answer.envelope.members === 0 && startIndex !== state.received && state.pages > 0) {
      if (isComplete(state)) break;
      state.alone = true;
      continue;
    }
    accept(answer, state);
    yield { pageNo: state.pages - 1, startIndex: startIndex ?? 0, asked: count, ...answer };
    if (state.mode === 'unpaged' || answer.envelope.members === 0) break;
    state.size = Math.min(state.size * 2, source.pageSize);
  }
  if (state.hitsBefore !== null) state.hitsAfter = await hits(source, deps, state);
}

function nextQuery(state: State): { startIndex: number | null; count: number | null } {
  if (state.mode === 'unpaged') return { startIndex: null, count: null };
  if (state.received === 0 || state.alone) return { startIndex: state.received, count: state.size };
  return { startIndex: state.received - 1, count: isComplete(state) ? 2 : Math.max(2, state.size) };
}

function isComplete({ numberMatched, received }: State): boolean {
  return numberMatched !== null && received >= numberMatched;
}

/**
 * null when refused, to try another size, order or mode; 'end' when all has come and the server
 * refuses more.
 */
async function page(
  source: WfsSource,
  deps: PagingDeps,
  state: State,
): Promise<WfsAnswer | 'end' | null> {
  const { apiKey, signal } = deps;
  const paged = state.mode === 'paged';
  try {
    return await deps.client.fetchPage(source, {
      ...nextQuery(state),
      sortBy: paged ? (state.orders[0] ?? null) : null,
      apiKey,
      signal,
    });
  } catch (error) {
    if (!(error instanceof UpstreamFailure) || !paged) throw error;
    if (error.status === 400 && state.received > 0 && isComplete(state)) {
      state.notes.push(`nothing more could be asked for at ${state.received}: ${error.message}`);
      return 'end';
    }
    if (!adapt(error, source, state)) throw error;
    return null;
  }
}

function joined(answer: WfsAnswer, state: State): WfsAnswer {
  const overlaps = state.mode === 'paged' && state.received > 0 && !state.alone;
  state.alone = false;
  // A page with only the shared feature may equal the page before.
  if (!overlaps || answer.envelope.members > 1) checkProgress(answer, state);
  if (!overlaps) return answer;
  if (featureDigest(answer.bytes, answer.envelope.first) !== state.lastFeature) {
    throw new UpstreamFailure(
      'paging',
      `the page at ${state.received} does not begin where the one before ended: rows moved`,
    );
  }
  return withoutFirst(answer);
}

/** Changes the mode after a refusal. False: no other mode. */
function adapt(failure: UpstreamFailure, source: WfsSource, state: State): boolean {
  const words = failure.exceptionText ?? '';
  const refused = failure.status === 400 || failure.kind === 'exception_report';
  // Only before the first page: two orders would be two different readings.
  if (refused && state.received === 0 && /natural order|primary key|sort/i.test(words)) {
    return dropOrder(source, state, words);
  }
  const tooMuch = failure.status === 400 || ['too_large', 'timeout'].includes(failure.kind);
  if (tooMuch && state.size > LIMITS.syncPageFloor) {
    state.size = Math.max(LIMITS.syncPageFloor, Math.floor(state.size / 2));
    state.smallestPage = Math.min(state.smallestPage, state.size);
    if (state.notes.length < LIMITS.syncIssuesKept) {
      state.notes.push(`page at ${state.received} halved to ${state.size}: ${failure.message}`);
    }
    return true;
  }
  return failure.status === 400 && state.received === 0 && dropOrder(source, state, words);
}

function dropOrder(source: WfsSource, state: State, words: string): boolean {
  const dropped = state.orders.shift();
  state.notes.push(`order ${dropped ?? 'of the server'} refused: ${words || 'status 400'}`);
  state.size = source.pageSize;
  if (state.orders.length === 0) state.mode = 'unpaged';
  return dropped !== undefined;
}

function checkProgress({ bytes, envelope }: WfsAnswer, state: State): void {
  const body = bodyDigest(bytes, envelope);
  if (envelope.members > 0 && body === state.lastBody) {
    throw new UpstreamFailure('paging', 'the server repeats the same page');
  }
  state.lastBody = body;
}

function accept({ bytes, envelope }: WfsAnswer, state: State): void {
  state.lastFeature = featureDigest(bytes, envelope.last) ?? state.lastFeature;
  if (state.pages === 0) state.numberMatched = envelope.numberMatched;
  else if (envelope.members > 0 && envelope.numberMatched !== state.numberMatched) {
    state.numberMatchedMoved = true;
  }
  state.pages += 1;
  state.received += envelope.members;
  state.bytes += bytes.length;
}

/** Digests the members only, because time stamp and counts change with every call. */
export function bodyDigest(bytes: Uint8Array, { body }: FeaturesEnvelope): string {
  return createHash('sha256').update(bytes.subarray(body.start, body.end)).digest('hex');
}

/** null when the server cannot say. No answer at all is a failure. */
async function hits(source: WfsSource, deps: PagingDeps, state: State): Promise<number | null> {
  try {
    return await deps.client.fetchHits(source, { apiKey: deps.apiKey, signal: deps.signal });
  } catch (error) {
    const cannot =
      error instanceof UpstreamFailure &&
      (error.status === 400 || error.kind === 'exception_report');
    if (!cannot) throw error;
    state.notes.push(`hits refused: ${error.message}`);
    return null;
  }
}

function sortOrders({ keyProperty, typeName }: WfsSource): (string | null)[] {
  const prefix = typeName.includes(':') ? typeName.slice(0, typeName.indexOf(':') + 1) : '';
  return prefix === '' ? [keyProperty, null] : [keyProperty, `${prefix}${keyProperty}`, null];
}
