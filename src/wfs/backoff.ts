import { LIMITS } from '../kernel/limits.ts';
import type { SourceHost } from '../layers/source.ts';
import type { UpstreamFailure } from './failure.ts';

export interface Backoff {
  readonly baseMs: number;
  readonly maxMs: number;
  readonly unauthorizedMs: number;
  /** Longest Retry-After that is honoured; a longer one is cut to this. */
  readonly retryAfterCapMs: number;
}

/** The cadastre's sudden 401 was seen to pass after five seconds (upstream/byggelinjer.md 2.3). */
export const SYNC_BACKOFF: Backoff = {
  baseMs: 1_000,
  maxMs: 30_000,
  unauthorizedMs: 5_000,
  retryAfterCapMs: LIMITS.retryAfterCapMs,
};

/** A person waits: one quick retry within the deadline, or none. */
export const LIVE_BACKOFF: Backoff = {
  baseMs: 150,
  maxMs: 600,
  unauthorizedMs: 400,
  retryAfterCapMs: 1_000,
};

export interface TryState {
  readonly failure: UpstreamFailure;
  readonly triesMade: number;
  readonly tries: number;
  readonly host: SourceHost;
  readonly unauthorizedBefore: boolean;
  readonly backoff: Backoff;
  /** 0 to 1: jitter, so that layers do not retry in step. */
  readonly random: number;
}

export type Decision =
  | { readonly kind: 'retry'; readonly waitMs: number }
  | { readonly kind: 'give_up' };

const GIVE_UP: Decision = { kind: 'give_up' };
const KEYED_HOSTS: readonly SourceHost[] = ['cadastre', 'dagi', 'datafordeler-files', 'terrain'];

export function nextTry(state: TryState): Decision {
  const { failure, backoff } = state;
  if (failure.status === 401) {
    const again = KEYED_HOSTS.includes(state.host) && !state.unauthorizedBefore;
    return again ? { kind: 'retry', waitMs: backoff.unauthorizedMs } : GIVE_UP;
  }
  if (state.triesMade >= state.tries || !failure.isTransient) return GIVE_UP;
  const doubled = Math.min(backoff.baseMs * 2 ** (state.triesMade - 1), backoff.maxMs);
  const spread = doubled * (0.5 + state.random / 2);
  const asked = failure.retryAfterS === null ? 0 : failure.retryAfterS * 1_000;
  return { kind: 'retry', waitMs: Math.max(spread, Math.min(asked, backoff.retryAfterCapMs)) };
}

/** Seconds, of a header in seconds or as an HTTP date. */
export function retryAfterOf(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header.trim());
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - nowMs) / 1_000));
}
