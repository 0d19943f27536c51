/**
 * Live windows and what makes them believable: all of the window came, and the register it came from
 * is not an emptied one. Asking is handed in; nothing here knows HTTP.
 */
import { LIMITS } from '../kernel/limits.ts';
import type { WfsSource } from '../layers/source.ts';
import type { WfsAnswer } from './exchange.ts';
import { UpstreamFailure } from './failure.ts';
import type { Bbox, FeatureQuery, Where } from './request.ts';

export type Select = { readonly bbox: Bbox } | { readonly where: Where };

/** What every call may be given. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Sent in the source's `apiKeyParameter`; ignored where it has none. */
  readonly apiKey?: string | null | undefined;
}

export interface WindowOptions extends CallOptions {
  /** Which features: those that meet a box, or those with a value. */
  readonly select: Select;
  /** Features the window may hold at most. */
  readonly limit?: number;
}

export interface TotalOptions extends CallOptions {
  /** Counts only these. */
  readonly where?: Where | undefined;
}

/** What a type holds. Not exact: the server tells no numbers; 1 then means at least one. */
export interface Total {
  readonly rows: number;
  readonly isExact: boolean;
}

type Ask = (query: FeatureQuery & CallOptions) => Promise<WfsAnswer>;

/** Every feature of a window, or a failure: see WfsClient.fetchWindow. */
export async function askWindow(
  source: WfsSource,
  { select, limit = LIMITS.originFeatures, apiKey, signal }: WindowOptions,
  ask: Ask,
): Promise<WfsAnswer> {
  return await inTime(source, signal, async (both) => {
    const query = { ...select, apiKey, signal: both };
    const answer = await ask({ ...query, count: limit + 1 });
    const { members, numberMatched } = answer.envelope;
    if (members > limit || (numberMatched ?? 0) > limit) {
      throw new UpstreamFailure('incomplete', `more than ${limit} features in the window`);
    }
    if (numberMatched === null) await expectNoMore(members, (start) => ask({ ...query, ...start }));
    else if (numberMatched !== members) {
      throw new UpstreamFailure(
        'incomplete',
        `${members} features received of ${numberMatched} announced`,
      );
    }
    return answer;
  });
}

/** How much a type holds: see WfsClient.fetchTotal. */
export async function askTotal(
  source: WfsSource,
  { where, apiKey, signal }: TotalOptions,
  ask: Ask,
): Promise<Total> {
  return await inTime(source, signal, async (both) => {
    const query = { ...(where && { where }), apiKey, signal: both };
    const counted = await announced(() => ask({ ...query, hits: true }));
    if (counted !== null) return { rows: counted, isExact: true };
    const { envelope } = await ask({ ...query, count: 1 });
    return { rows: envelope.members, isExact: false };
  });
}

/** Statuses by which a server says that it cannot do this, not that it cannot do anything. */
const CANNOT_COUNT: readonly number[] = [400, 500, 501];

/** The number of hits; null when the server does not say or cannot. Unknown is never 0. */
async function announced(ask: () => Promise<WfsAnswer>): Promise<number | null> {
  try {
    return (await ask()).envelope.numberMatched;
  } catch (error) {
    const { kind, status } = error as Partial<UpstreamFailure>;
    if (kind === 'exception_report' || CANNOT_COUNT.includes(status ?? 0)) return null;
    throw error;
  }
}

/** Work within the time a live answer has, whatever the caller's own deadline. */
async function inTime<T>(
  source: WfsSource,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = AbortSignal.timeout(source.pointTimeoutMs);
  try {
    return await work(signal ? AbortSignal.any([signal, deadline]) : deadline);
  } catch (error) {
    // The deadline is ours and says "too slow", not "given up".
    if (error instanceof UpstreamFailure && error.kind === 'aborted' && !signal?.aborted) {
      throw new UpstreamFailure('timeout', `no whole answer within ${source.pointTimeoutMs} ms`);
    }
    throw error;
  }
}

/**
 * A server that announces no total (MapServer) may cap its answers below `count`: what would come
 * after the last feature must be nothing, or a capped window would pass for a whole one. An empty
 * window is counted once more, for it is about to become a no.
 */
async function expectNoMore(
  members: number,
  ask: (query: FeatureQuery) => Promise<WfsAnswer>,
): Promise<void> {
  const next = await ask(members === 0 ? { hits: true } : { count: 1, startIndex: members });
  if (next.envelope.members > 0 || (next.envelope.numberMatched ?? members) > members) {
    throw new UpstreamFailure('incomplete', `more than the ${members} features of one answer`);
  }
}
