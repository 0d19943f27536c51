import { monitorEventLoopDelay } from 'node:perf_hooks';
import { memoryUsage } from 'node:process';
import type { MeteringView } from '../metering/metering.ts';
import { sumOfLookups } from '../ops/metrics.ts';
import type { LayerTallies } from '../ops/metrics.ts';
import type { TaskView } from '../core/tasks/workers.ts';
import type { UpstreamHost } from '../ops/overview.ts';
import { RequestTally } from './request-tally.ts';
import type { RouteTally } from './request-tally.ts';

/** Seconds since the last reset. */
export interface LoopDelay {
  readonly p50S: number;
  readonly p99S: number;
  readonly maxS: number;
}

export interface ThreadReport {
  readonly thread: number;
  /** Seconds since the report. */
  readonly ageS: number;
  readonly requests: readonly RouteTally[];
  readonly lookups: LayerTallies;
  readonly unlistedCodes: ReadonlyMap<string, number>;
  readonly hosts: readonly UpstreamHost[];
  readonly metering: MeteringView | null;
  readonly connections: Connections;
  readonly tasks: TaskView;
  readonly delay: LoopDelay;
  readonly heapBytes: number;
}

export interface Connections {
  readonly busy: number;
  readonly idle: number;
  /** Statements waiting for one. */
  readonly waiting: number;
}

export interface ProcessThreads {
  reports(): Promise<ThreadReports>;
  /** Resets the event-loop delay after each scrape. */
  read(): void;
}

export interface ThreadReports {
  /** In the order of threads. */
  readonly running: readonly ThreadReport[];
  /** The sum of ended threads; null: none. */
  readonly ended: EndedThreads | null;
  readonly hung: number;
}

export type EndedThreads = Pick<ThreadReport, 'requests' | 'lookups' | 'unlistedCodes'>;

export function requestsOf({ requests }: Pick<ThreadReport, 'requests'>): number {
  return requests.flatMap(({ answers }) => answers).reduce((sum, { count }) => sum + count, 0);
}

export function mergeEnded(kept: EndedThreads | null, ended: EndedThreads): EndedThreads {
  return kept === null ? ended : sumOfCounts([kept, ended]);
}

/** Includes ended threads. */
export function countsOf({ running, ended }: ThreadReports): EndedThreads {
  return sumOfCounts(ended === null ? running : [...running, ended]);
}

function sumOfCounts(all: readonly EndedThreads[]): EndedThreads {
  const requests = new RequestTally();
  const unlistedCodes = new Map<string, number>();
  for (const each of all) {
    requests.add(each.requests);
    for (const [list, count] of each.unlistedCodes) {
      unlistedCodes.set(list, (unlistedCodes.get(list) ?? 0) + count);
    }
  }
  const lookups = sumOfLookups(all.map((each) => each.lookups));
  return { requests: requests.rows, lookups, unlistedCodes };
}

const WORST = ['closed', 'half_open', 'open'] as const;

/** Sums questions; the breaker's state is the worst. */
export function sumOfHosts(all: readonly (readonly UpstreamHost[])[]): UpstreamHost[] {
  const hosts = new Map<string, UpstreamHost>();
  for (const each of all.flat()) {
    const known = hosts.get(each.host);
    if (known === undefined) hosts.set(each.host, each);
    else {
      const breaker =
        WORST.indexOf(each.breaker) > WORST.indexOf(known.breaker) ? each.breaker : known.breaker;
      const inFlight = known.inFlight + each.inFlight;
      hosts.set(each.host, { ...known, breaker, inFlight, queued: known.queued + each.queued });
    }
  }
  return [...hosts.values()];
}

export function sumOfMetering(all: readonly ThreadReport[]): MeteringView | null {
  const [first, ...others] = all.flatMap(({ metering }) => metering ?? []);
  if (first === undefined) return null;
  return others.reduce(
    (sum, each) => ({
      foldAgeS:
        sum.foldAgeS === null || each.foldAgeS === null
          ? null
          : Math.max(sum.foldAgeS, each.foldAgeS),
      journalBytes: sum.journalBytes + each.journalBytes,
      burstShare: sum.burstShare,
      accounts: Math.max(sum.accounts, each.accounts),
    }),
    first,
  );
}

const NS = 1e9;
/** Milliseconds; what it measures includes a tick. */
const TICK_MS = 20;

export class ThreadCounts {
  readonly requests = new RequestTally();
  readonly #delay = monitorEventLoopDelay({ resolution: TICK_MS });

  start(): void {
    this.#delay.enable();
  }

  stop(): void {
    this.#delay.disable();
  }

  begin(): void {
    this.#delay.reset();
  }

  view(): Pick<ThreadReport, 'requests' | 'delay' | 'heapBytes'> {
    const seconds = (ns: number): number => Math.max(0, ns / NS - TICK_MS / 1000);
    const delay = {
      p50S: seconds(this.#delay.percentile(50)),
      p99S: seconds(this.#delay.percentile(99)),
      maxS: seconds(this.#delay.max),
    };
    return { requests: this.requests.rows, delay, heapBytes: memoryUsage().heapUsed };
  }
}
