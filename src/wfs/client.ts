/** Retries by backoff.ts; threads parse the features. */
import type { Clock } from '../kernel/clock.ts';
import { systemClock } from '../kernel/clock.ts';
import { LIMITS } from '../kernel/limits.ts';
import type { DescribedColumns } from '../layers/contract.ts';
import type { WfsSource } from '../layers/source.ts';
import type { WfsAnswer } from './exchange.ts';
import { readDescription } from './describe.ts';
import { exchange, upstreamAgent } from './exchange.ts';
import { UpstreamFailure, named } from './failure.ts';
import type { FeatureQuery } from './request.ts';
import { descriptionUrl, featureUrl } from './request.ts';
import type { Wait } from './retry.ts';
import { retry } from './retry.ts';
import type { Backoff } from './backoff.ts';
import { LIVE_BACKOFF, SYNC_BACKOFF } from './backoff.ts';
import { getText } from './stream.ts';
import type { CallOptions, Total, TotalOptions, WindowOptions } from './window.ts';
import { askTotal, askWindow } from './window.ts';
import { XmlRefused } from './xml-guard.ts';

export interface PageOptions extends CallOptions {
  /** null for both: one unpaged request. */
  readonly startIndex: number | null;
  readonly count: number | null;
  /** null: the server's order. */
  readonly sortBy: string | null;
}

export interface ColumnsOptions extends CallOptions {
  readonly live?: boolean;
}

export interface WfsClient {
  fetchPage(source: WfsSource, options: PageOptions): Promise<WfsAnswer>;
  /** null: unknown. */
  fetchHits(source: WfsSource, options?: CallOptions): Promise<number | null>;
  /** null: not understandable. `live`: within the time of a live answer. Throws UpstreamFailure. */
  fetchColumns(source: WfsSource, options?: ColumnsOptions): Promise<DescribedColumns | null>;
  /**
   * All features, within `pointTimeoutMs` including retries. Throws UpstreamFailure; `incomplete`
   * when not everything came.
   */
  fetchWindow(source: WfsSource, options: WindowOptions): Promise<WfsAnswer>;
  /** The total of the type, or of its rows with a value, within the same time. Throws UpstreamFailure. */
  fetchTotal(source: WfsSource, options: TotalOptions): Promise<Total>;
  close(): Promise<void>;
}

/** For tests. */
export interface WfsClientOptions {
  readonly clock?: Clock;
  readonly wait?: Wait;
  readonly random?: () => number;
  readonly maxBytes?: number;
  readonly syncBackoff?: Backoff;
  readonly liveBackoff?: Backoff;
}

/** Close it when done. */
export function createWfsClient(options: WfsClientOptions = {}): WfsClient {
  const { wait, random } = options;
  const dispatcher = upstreamAgent();
  const common = { dispatcher, clock: options.clock ?? systemClock };

  const insist = async <T>(source: WfsSource, plan: Plan, work: () => Promise<T>): Promise<T> => {
    try {
      return await retry({ ...plan, host: source.host, wait, random }, work);
    } catch (error) {
      throw named(source.typeName, error);
    }
  };

  const ask = (source: WfsSource, query: FeatureQuery & CallOptions, plan: Plan) => {
    const url = featureUrl(source, query, query.apiKey ?? null);
    const maxBytes = options.maxBytes ?? LIMITS.upstreamPageBytes;
    return insist(source, plan, () => exchange(url, { ...common, ...plan, maxBytes }));
  };

  const syncPlan = (source: WfsSource, { signal }: CallOptions): Plan => ({
    timeoutMs: source.pageTimeoutMs,
    tries: source.tries,
    backoff: options.syncBackoff ?? SYNC_BACKOFF,
    signal,
  });

  const livePlan = (source: WfsSource, { signal }: CallOptions): Plan => ({
    timeoutMs: source.pointTimeoutMs,
    tries: Math.min(source.tries, 2),
    backoff: options.liveBackoff ?? LIVE_BACKOFF,
    signal,
  });

  return {
    fetchPage: (source, page) => ask(source, page, syncPlan(source, page)),
    fetchHits: async (source, call = {}) => {
      const answer = await ask(source, { ...call, hits: true }, syncPlan(source, call));
      return answer.envelope.numberMatched;
    },
    fetchColumns: async (source, call = {}) => {
      const url = descriptionUrl(source, call.apiKey ?? null);
      const backoff = call.live === true ? livePlan(source, call) : syncPlan(source, call);
      const plan = { ...backoff, maxBytes: LIMITS.upstreamDescriptionBytes };
      return await insist(source, plan, async () =>
        columnsIn(await getText(url, { ...common, ...plan }), source.typeName),
      );
    },
    fetchWindow: (source, window) =>
      askWindow(source, window, (query) => ask(source, query, livePlan(source, query))),
    fetchTotal: (source, whole) =>
      askTotal(source, whole, (query) => ask(source, query, livePlan(source, query))),
    close: () => dispatcher.close(),
  };
}

interface Plan {
  readonly timeoutMs: number;
  readonly tries: number;
  readonly backoff: Backoff;
  readonly signal: AbortSignal | undefined;
}

/** A report, an HTML page and a schema of another type are no description. */
function columnsIn(text: string, typeName: string): DescribedColumns | null {
  if (/^[^<]*<!doctype\s+html/i.test(text)) return null;
  try {
    return readDescription(text, typeName);
  } catch (error) {
    if (error instanceof XmlRefused) throw new UpstreamFailure('unreadable', error.message);
    return null;
  }
}
