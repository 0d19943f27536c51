/**
 * Through the host's gate, one request for concurrent callers of the same window. A register with
 * an implausible total is refused.
 */
import { localLimiters } from '../kernel/limiters.ts';
import type { Limiters } from '../kernel/limiters.ts';
import { LIMITS } from '../kernel/limits.ts';
import { Semaphore } from '../kernel/semaphore.ts';
import type { TotalBounds } from '../layers/believable.ts';
import { lackingOf } from '../layers/contract.ts';
import type { WfsSource } from '../layers/source.ts';
import type { WfsClient } from './client.ts';
import type { Select, Total } from './window.ts';
import type { WfsAnswer } from './exchange.ts';
import { UpstreamFailure } from './failure.ts';
import type { HostGate } from './hosts.ts';
import type { Where } from './request.ts';

export interface LiveOptions {
  readonly apiKey?: string | null | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly holder?: string | undefined;
  readonly whole?: Whole | undefined;
}

/** The plausible size of a register, which tells an emptied table from an empty window. */
export interface Whole extends TotalBounds {
  /** The rows that count; a filter that matches none is taken as not understood. */
  readonly where?: Where;
}

export interface LiveAnswer extends WfsAnswer {
  /** An empty window means "none". Not where the filter for relevant rows matched none. */
  readonly saysNone: boolean;
}

export interface LiveWfs {
  /**
   * Every feature in the box, or with the value. Callers share one answer: copy its bytes before
   * transferring them to a thread. Throws UpstreamFailure; `incomplete` also when the register as a
   * whole is.
   */
  window(source: WfsSource, select: Select, options?: LiveOptions): Promise<LiveAnswer>;
  /**
   * Throws UpstreamFailure `unreadable` unless the source declares all these columns, which it does
   * not without a description; nothing is asked for an empty list.
   */
  describes(
    source: WfsSource,
    columns: readonly string[],
    options?: Pick<LiveOptions, 'apiKey' | 'signal' | 'holder'>,
  ): Promise<void>;
  /** In shared threads: a few at a time, with holders taking turns. */
  read<T>(holder: string | undefined, work: () => Promise<T>): Promise<T>;
}

interface Flight {
  readonly answer: Promise<WfsAnswer>;
  readonly abort: AbortController;
  callers: number;
}

interface Start {
  readonly source: WfsSource;
  readonly select: Select;
  readonly apiKey: string | null;
  readonly holder: string | undefined;
}

function readsOf(limiters: Limiters = localLimiters()): Semaphore {
  const { originReads } = LIMITS;
  return new Semaphore(limiters.permits('live answers', originReads.atATime), originReads.waiting);
}

export function createLiveWfs(client: WfsClient, gate: HostGate, limiters?: Limiters): LiveWfs {
  const flights = new Map<string, Flight>();
  const totals = new Totals(client, gate);
  const reading = readsOf(limiters);

  const start = (key: string, { source, select, apiKey, holder }: Start): Flight => {
    const abort = new AbortController();
    const { signal } = abort;
    const answer = gate
      .run(source.host, () => client.fetchWindow(source, { select, apiKey, signal }), {
        holder,
        signal,
      })
      .finally(() => {
        if (flights.get(key) === flight) flights.delete(key);
      });
    const flight: Flight = { answer, abort, callers: 0 };
    // Each caller handles its own failure; this silences a flight without callers.
    answer.catch(() => undefined);
    flights.set(key, flight);
    return flight;
  };

  return {
    async window(source, select, { apiKey = null, signal, holder, whole } = {}) {
      if (signal?.aborted) throw cancelled();
      const total =
        whole === undefined
          ? null
          : checked(totals.of(source, { where: whole.where, apiKey, holder }), whole);
      total?.catch(() => undefined);
      const key = JSON.stringify([source.url, source.typeName, source.srsName, select]);
      const flight = flights.get(key) ?? start(key, { source, select, apiKey, holder });
      flight.callers += 1;
      try {
        const noneIsReported = total === null || (await shared(total, signal)).noneIsReported;
        return { ...(await shared(flight.answer, signal)), saysNone: noneIsReported };
      } finally {
        flight.callers -= 1;
        // The last caller to leave a pending flight ends it; new callers start another. A probe goes
        // on, or the breaker would never close: its question fails, as the total was not admitted.
        const isProbe = gate.view(source.host).breaker === 'half_open';
        if (flight.callers === 0 && !isProbe && flights.get(key) === flight) {
          flights.delete(key);
          flight.abort.abort();
        }
      }
    },
    read: (holder = '', work) => reading.run(holder, work, tooManyWait),
    async describes(source, columns, { apiKey = null, signal, holder } = {}) {
      if (columns.length === 0) return;
      const ask = () => client.fetchColumns(source, { apiKey, signal, live: true });
      const described = await gate.run(source.host, ask, { holder, signal });
      const lacking = lackingOf(columns, new Set(Object.keys(described ?? {})));
      if (lacking.length === 0) return;
      const what = described === null ? 'nothing tells whether there are' : 'there are no';
      throw new UpstreamFailure('unreadable', `${what} columns ${lacking.join(', ')}`);
    },
  };
}

async function checked(asked: Promise<Held>, { leastRows, mostRows }: Whole): Promise<Held> {
  const total = await asked;
  const { rows, isExact, noneIsReported } = total;
  // Nothing at all is never believed; a server without numbers has shown at least one feature.
  const least = isExact ? Math.max(1, leastRows) : 1;
  // The total includes irrelevant rows where the filter was not understood.
  const most = isExact && noneIsReported && mostRows !== null ? mostRows : Infinity;
  if (rows >= least && rows <= most) return total;
  const bound = rows < least ? `at least ${least}` : `at most ${most}`;
  const of = isExact ? `, of ${bound}` : '';
  throw new UpstreamFailure('incomplete', `the register holds ${rows} features in all${of}`);
}

interface TotalAsking {
  readonly where: Where | undefined;
  readonly apiKey: string | null;
  readonly holder: string | undefined;
}

interface Held extends Total {
  readonly noneIsReported: boolean;
}

/** Not cached: a register may lose its rows between two windows. */
class Totals {
  readonly #client: WfsClient;
  readonly #gate: HostGate;
  readonly #asked = new Map<string, Promise<Held>>();

  constructor(client: WfsClient, gate: HostGate) {
    this.#client = client;
    this.#gate = gate;
  }

  of(source: WfsSource, asking: TotalAsking): Promise<Held> {
    const key = JSON.stringify([source.url, source.typeName, asking.where]);
    const asked = this.#asked.get(key);
    if (asked !== undefined) return asked;
    const total = this.#askSoon(key, source, asking);
    total.catch(() => undefined);
    this.#asked.set(key, total);
    return total;
  }

  async #askSoon(
    key: string,
    source: WfsSource,
    { where, apiKey, holder }: TotalAsking,
  ): Promise<Held> {
    // A batch requests its windows together, so that they share the question.
    await Promise.resolve();
    const leave = () => this.#asked.delete(key);
    try {
      const ask = (): Promise<Held> => {
        leave();
        return this.#ask(source, where, apiKey);
      };
      return await this.#gate.run(source.host, ask, { holder });
    } finally {
      leave();
    }
  }

  async #ask(source: WfsSource, where: Where | undefined, apiKey: string | null): Promise<Held> {
    const some = where && (await this.#client.fetchTotal(source, { where, apiKey }));
    if (some && some.rows > 0) return { ...some, noneIsReported: true };
    const all = await this.#client.fetchTotal(source, { apiKey });
    return { ...all, noneIsReported: where === undefined };
  }
}

async function shared<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return answer;
  const left = Promise.withResolvers<never>();
  const leave = (): void => left.reject(cancelled());
  signal.addEventListener('abort', leave, { once: true });
  try {
    return await Promise.race([answer, left.promise]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

function tooManyWait(): UpstreamFailure {
  return new UpstreamFailure('refused', 'too many answers wait to be read');
}

function cancelled(): UpstreamFailure {
  return new UpstreamFailure('aborted', 'the request was given up');
}
