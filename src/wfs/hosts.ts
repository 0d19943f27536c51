/**
 * A gate per upstream host for live lookups: a circuit breaker, a limit in flight, and a bounded
 * queue in which accounts take turns.
 */
import type { Clock } from '../kernel/clock.ts';
import type { Asker } from '../kernel/deadline.ts';
import { localLimiters } from '../kernel/limiters.ts';
import type { Limiters } from '../kernel/limiters.ts';
import { LIMITS } from '../kernel/limits.ts';
import { remember } from '../kernel/remember.ts';
import { Semaphore } from '../kernel/semaphore.ts';
import type { BreakerRules, BreakerState } from './breaker.ts';
import { admit, afterFailure, afterNothing, BREAKER_RULES, CLOSED } from './breaker.ts';
import { UpstreamFailure } from './failure.ts';

export interface HostView {
  readonly breaker: BreakerState['phase'];
  readonly inFlight: number;
  readonly queued: number;
}

export interface HostGate {
  /** Throws UpstreamFailure `refused` or `aborted`. */
  run<T>(host: string, work: () => Promise<T>, asker?: Asker): Promise<T>;
  view(host: string): HostView;
}

export interface HostGateOptions {
  readonly clock: Clock;
  readonly inFlight?: number;
  readonly queued?: number;
  readonly rules?: BreakerRules;
  /** Absent: of this thread alone. */
  readonly limiters?: Limiters | undefined;
}

/** All threads share the limit in flight; each has its own breaker and queue. */
interface Host {
  breaker: BreakerState;
  readonly line: Semaphore;
}

export function createHostGate(options: HostGateOptions): HostGate {
  const { clock, queued, inFlight = LIMITS.originInFlight, limiters = localLimiters() } = options;
  const mostWaiting = queued === undefined ? LIMITS.originQueued : { each: queued, total: queued };
  const hosts = new Map<string, Host>();

  const hostOf = (name: string): Host =>
    remember(hosts, name, () => {
      const permits = limiters.permits('upstream', inFlight, name);
      return { breaker: CLOSED, line: new Semaphore(permits, mostWaiting) };
    });

  return {
    run(name, work, { holder = '', signal } = {}) {
      const host = hostOf(name);
      const ask = async () => {
        const { state, admitted } = admit(host.breaker, clock.nowMs());
        host.breaker = state;
        if (!admitted) {
          throw new UpstreamFailure('refused', 'not asked: this register failed moments ago');
        }
        return await observed(host, work, options);
      };
      return host.line.run(holder, ask, tooManyWait, { signal, failure: givenUp });
    },
    view(name) {
      const host = hostOf(name);
      return {
        breaker: host.breaker.phase,
        inFlight: host.line.taken,
        queued: host.line.waiting,
      };
    },
  };
}

async function observed<T>(
  host: Host,
  work: () => Promise<T>,
  { clock, rules = BREAKER_RULES }: Pick<HostGateOptions, 'clock' | 'rules'>,
): Promise<T> {
  try {
    const result = await work();
    host.breaker = CLOSED;
    return result;
  } catch (error) {
    const isBlamed = error instanceof UpstreamFailure && error.blamesHost;
    host.breaker = isBlamed
      ? afterFailure(host.breaker, clock.nowMs(), rules)
      : afterNothing(host.breaker, clock.nowMs());
    throw error;
  }
}

function tooManyWait(): UpstreamFailure {
  return new UpstreamFailure('refused', 'too many requests wait for this register');
}

function givenUp(): UpstreamFailure {
  return new UpstreamFailure('aborted', 'given up while waiting in line');
}
