/**
 * Reading a whole feature type page by page, whatever the server makes of it: pages cut short, sizes
 * lowered, orders refused, totals unknown. Each page is asked to begin with the feature the one before
 * ended with, and one more is asked for behind the announced end: rows that moved meanwhile are seen.
 * Yields bytes and counts; whether the numbers agree is never assumed: the guards of sync/check judge
 * announced totals, received members and distinct keys when the whole copy is staged.
 */
import { createHash } from 'node:crypto';
import { LIMITS } from '../kernel/limits.ts';
import type { WfsSource } from '../layers/source.ts';
import type { WfsAnswer, WfsClient } from './client.ts';
import { UpstreamFailure } from './failure.ts';
import type { FeaturesEnvelope } from './inspect.ts';
import { featureDigest, withoutFirst } from './join.ts';

export interface PageBytes {
  /** 0-based. */
  readonly pageNo: number;
  readonly startIndex: number;
  /** Features asked for; null in an unpaged request. */
  readonly asked: number | null;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly envelope: FeaturesEnvelope;
}

/** How the reading went. Announced numbers are null where the server does not say. */
export interface PagingReport {
  readonly mode: 'paged' | 'unpaged';
  /** The order in use at the end; null is the server's own. */
  readonly sortBy: string | null;
  readonly pages: number;
  /** Members counted in the bytes of all pages. */
  readonly received: number;
  readonly bytes: number;
  readonly hitsBefore: number | null;
  readonly hitsAfter: number | null;
  /** `numberMatched` of the first page, and whether a later page said otherwise. */
  readonly numberMatched: number | null;
  readonly numberMatchedMoved: boolean;
  /** Smallest page asked for after halving; the source's own size when nothing was halved. */
  readonly smallestPage: number;
  /** What was given up on the way, in words: orders refused, pages halved. */
  readonly notes: readonly string[];
}

export interface PagingDeps {
  readonly client: Pick<WfsClient, 'fetchPage' | 'fetchHits'>;
  readonly apiKey?: string | null | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Iterate once; `report()` is final when the iteration has ended. */
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

interface State {
  mode: 'paged' | 'unpaged';
  pages: number;
  received: number;
  bytes: number;
  hitsBefore: number | null;
  hitsAfter: number | null;
  numberMatched: number | null;
  numberMatchedMoved: boolean;
  size: number;
  smallestPage: number;
  /** Orders still to try, best first; the first is in use. Empty: no paging works. */
  orders: (string | null)[];
  readonly notes: string[];
  lastBody: string;
  /** Digest of the last feature received, which the next page is asked to begin with. */
  lastFeature: string | null;
  /** The next page is asked for without that feature: a page held nothing else. */
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
    // Nothing but the feature that was known: the end, where it is the announced one.
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

/** What is asked for next. One feature of overlap, and two behind the announced end. */
function nextQuery(state: State): { startIndex: number | null; count: number | null } {
  if (state.mode === 'unpaged') return { startIndex: null, count: null };
  if (state.received === 0 || state.alone) return { startIndex: state.received, count: state.size };
  return { startIndex: state.received - 1, count: isComplete(state) ? 2 : Math.max(2, state.size) };
}

/** As many features as were announced, if any number was. */
function isComplete({ numberMatched, received }: State): boolean {
  return numberMatched !== null && received >= numberMatched;
}

/**
 * One page; null when it was refused and another size, order or mode is to be tried; 'end' when all
 * that was announced is there and the server refuses to be asked for more.
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

/** The page without the feature it shares with the one before. Throws when it does not begin so. */
function joined(answer: WfsAnswer, state: State): WfsAnswer {
  const overlaps = state.mode === 'paged' && state.received > 0 && !state.alone;
  state.alone = false;
  // A page of nothing but the shared feature may well look like the page before.
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

/** Changes the way of asking after a refusal. False when there is no other way. */
function adapt(failure: UpstreamFailure, source: WfsSource, state: State): boolean {
  const words = failure.exceptionText ?? '';
  const refused = failure.status === 400 || failure.kind === 'exception_report';
  // Only before the first page: two orders in one reading would be two different readings.
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

/**
 * Digest of the members alone: time stamp and counts around them change from call to call. Equal
 * digests mean an unchanged page.
 */
export function bodyDigest(bytes: Uint8Array, { body }: FeaturesEnvelope): string {
  return createHash('sha256').update(bytes.subarray(body.start, body.end)).digest('hex');
}

/** The announced total; null when the server cannot say. Failing to answer at all is a failure. */
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

/** Orders to try: the key as named, with the type's prefix, then the server's own. */
function sortOrders({ keyProperty, typeName }: WfsSource): (string | null)[] {
  const prefix = typeName.includes(':') ? typeName.slice(0, typeName.indexOf(':') + 1) : '';
  return prefix === '' ? [keyProperty, null] : [keyProperty, `${prefix}${keyProperty}`, null];
}
