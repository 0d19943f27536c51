import type { Box } from '../geo/box.ts';
import { LIMITS } from '../kernel/limits.ts';
import type { WfsSource } from '../layers/source.ts';
import type { WfsAnswer } from './exchange.ts';
import { UpstreamFailure } from './failure.ts';
import type { FeatureQuery, Where } from './request.ts';

export type Select = { readonly bbox: Box } | { readonly where: Where };

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Sent in the source's `apiKeyParameter`; ignored where it has none. A secret. */
  readonly apiKey?: string | null | undefined;
}

export interface WindowOptions extends CallOptions {
  readonly select: Select;
  readonly limit?: number;
}

export interface TotalOptions extends CallOptions {
  readonly where?: Where | undefined;
}

/** Not exact: the server gives no numbers; 1 then means at least one. */
export interface Total {
  readonly rows: number;
  readonly isExact: boolean;
}

type Ask = (query: FeatureQuery & CallOptions) => Promise<WfsAnswer>;

export async function askWindow(
  source: WfsSource,
  { select, limit = LIMITS.originFeatures, apiKey, signal }: WindowOptions,
  ask: Ask,
): Promise<WfsAnswer> {
  return await inTime(source.pointTimeoutMs, signal, async (both) => {
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

export async function askTotal(
  source: WfsSource,
  { where, apiKey, signal }: TotalOptions,
  ask: Ask,
): Promise<Total> {
  return await inTime(source.pointTimeoutMs, signal, async (both) => {
    const query = { ...(where && { where }), apiKey, signal: both };
    const counted = await announced(() => ask({ ...query, hits: true }));
    if (counted !== null) return { rows: counted, isExact: true };
    const { envelope } = await ask({ ...query, count: 1 });
    return { rows: envelope.members, isExact: false };
  });
}

/** These statuses mean "cannot count", not "cannot answer". */
const CANNOT_COUNT: readonly number[] = [400, 500, 501];

/** null when the server does not say or cannot. Unknown is never 0. */
async function announced(ask: () => Promise<WfsAnswer>): Promise<number | null> {
  try {
    return (await ask()).envelope.numberMatched;
  } catch (error) {
    const { kind, status } = error as Partial<UpstreamFailure>;
    if (kind === 'exception_report' || CANNOT_COUNT.includes(status ?? 0)) return null;
    throw error;
  }
}

/** Limits work to the time of a live answer, whatever the caller's deadline. */
export async function inTime<T>(
  timeoutMs: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    return await work(signal ? AbortSignal.any([signal, deadline]) : deadline);
  } catch (error) {
    // Our own timeout: report "too slow" and blame the host, not "aborted".
    if (error instanceof UpstreamFailure && error.kind === 'aborted' && !signal?.aborted) {
      throw new UpstreamFailure('timeout', `no whole answer within ${timeoutMs} ms`);
    }
    throw error;
  }
}

/**
 * A server without totals (MapServer) may cap its answers below `count`: nothing may follow the
 * last feature. An empty window, which becomes a no, is checked once more.
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
