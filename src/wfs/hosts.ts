/**
 * One gate per upstream host for live lookups: a breaker, a number of requests in flight, a bounded
 * queue behind them. A host that is down is noticed once, not once per caller.
 */
import type { Clock } from '../kernel/clock.ts';
import { LIMITS } from '../kernel/limits.ts';
import type { BreakerRules, BreakerState } from './breaker.ts';
import {
  admit,
  afterFailure,
  afterNothing,
  afterSuccess,
  BREAKER_RULES,
  CLOSED,
} from './breaker.ts';
import type { UpstreamFailureKind } from './failure.ts';
import { UpstreamFailure } from './failure.ts';

export interface HostView {
  readonly breaker: BreakerState['phase'];
  readonly inFlight: number;
  readonly queued: number;
}

export interface HostGate {
  /** Runs `work` when there is a place. Throws UpstreamFailure `refused` or `aborted`. */
  run<T>(host: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** For status pages and metrics. */
  view(host: string): HostView;
}

export interface HostGateOptions {
  readonly clock: Clock;
  readonly inFlight?: number;
  readonly queued?: number;
  readonly rules?: BreakerRules;
}

interface Host {
  breaker: BreakerState;
  inFlight: number;
  readonly waiting: (() => void)[];
}

export function createHostGate(options: HostGateOptions): HostGate {
  const { clock, rules = BREAKER_RULES } = options;
  const maxInFlight = options.inFlight ?? LIMITS.originInFlight;
  const maxQueued = options.queued ?? LIMITS.originQueued;
  const hosts = new Map<string, Host>();

  const hostOf = (name: string): Host => {
    const known = hosts.get(name);
    if (known !== undefined) return known;
    const host: Host = { breaker: CLOSED, inFlight: 0, waiting: [] };
    hosts.set(name, host);
    return host;
  };

  const enter = async (host: Host, signal: AbortSignal | undefined): Promise<void> => {
    if (host.inFlight < maxInFlight) {
      host.inFlight += 1;
      return;
    }
    if (host.waiting.length >= maxQueued) {
      throw new UpstreamFailure('refused', 'too many requests wait for this register');
    }
    await place(host, signal);
  };

  const leave = (host: Host): void => {
    const next = host.waiting.shift();
    // The place passes to the next in line without becoming free in between.
    if (next !== undefined) next();
    else host.inFlight -= 1;
  };

  return {
    async run(name, work, signal) {
      const host = hostOf(name);
      await enter(host, signal);
      try {
        const { state, admitted } = admit(host.breaker, clock.nowMs());
        host.breaker = state;
        if (!admitted) {
          throw new UpstreamFailure('refused', 'not asked: this register failed moments ago');
        }
        return await observed(host, work);
      } finally {
        leave(host);
      }
    },
    view(name) {
      const host = hostOf(name);
      return {
        breaker: host.breaker.phase,
        inFlight: host.inFlight,
        queued: host.waiting.length,
      };
    },
  };

  async function observed<T>(host: Host, work: () => Promise<T>): Promise<T> {
    try {
      const result = await work();
      host.breaker = afterSuccess();
      return result;
    } catch (error) {
      host.breaker = blamesHost(error)
        ? afterFailure(host.breaker, clock.nowMs(), rules)
        : afterNothing(host.breaker, clock.nowMs());
      throw error;
    }
  }
}

/** Waits in line; leaves the line when the caller gives up. */
function place(host: Host, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const enter = (): void => {
      signal?.removeEventListener('abort', giveUp);
      resolve();
    };
    const giveUp = (): void => {
      const at = host.waiting.indexOf(enter);
      if (at !== -1) host.waiting.splice(at, 1);
      reject(new UpstreamFailure('aborted', 'given up while waiting in line'));
    };
    if (signal?.aborted) {
      reject(new UpstreamFailure('aborted', 'given up before asking'));
      return;
    }
    signal?.addEventListener('abort', giveUp, { once: true });
    host.waiting.push(enter);
  });
}

/** Failures that say something about the host, not about the question or the caller. */
const BLAMES: Readonly<Record<UpstreamFailureKind, boolean>> = {
  timeout: true,
  connection: true,
  status: true,
  redirect: true,
  not_wfs: true,
  exception_report: true,
  truncated: true,
  too_large: false,
  incomplete: false,
  paging: false,
  unreadable: false,
  refused: false,
  aborted: false,
};

function blamesHost(error: unknown): boolean {
  return error instanceof UpstreamFailure && error.status !== 400 && BLAMES[error.kind];
}
