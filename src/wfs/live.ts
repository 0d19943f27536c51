/**
 * Live windows for lookups (ladder rung 3): through the host's gate, and one request for all callers
 * who ask for the same window at the same time. A register that holds less or more than it can is not
 * believed, whatever its windows hold: its total is asked beside the window, never before. Nothing is
 * kept: whoever wants a cache of parsed answers puts it behind this.
 */
import { LIMITS } from '../kernel/limits.ts';
import { Semaphore } from '../kernel/semaphore.ts';
import type { TotalBounds } from '../layers/believable.ts';
import { lackingOf } from '../layers/contract.ts';
import type { WfsSource } from '../layers/source.ts';
import type { Select, Total, WfsAnswer, WfsClient } from './client.ts';
import { UpstreamFailure } from './failure.ts';
import type { HostGate } from './hosts.ts';
import type { Where } from './request.ts';

export interface LiveOptions {
  readonly apiKey?: string | null | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Whom waiting for the register is counted for. */
  readonly holder?: string | undefined;
  readonly whole?: Whole | undefined;
}

/** What a register holds when it is itself: an emptied table is told from an empty window. */
export interface Whole extends TotalBounds {
  /** The rows that count; a filter that finds none is taken for one that is not understood. */
  readonly where?: Where;
}

export interface LiveAnswer extends WfsAnswer {
  /**
   * Whether "none" may be read from it. Not where the filter for the rows that count found none: it
   * was not understood, or just those rows are gone, and nothing tells which.
   */
  readonly saysNone: boolean;
}

export interface LiveWfs {
  /**
   * Every feature that meets the box, or has the value. Callers share one answer: its bytes must be
   * copied before they are handed to a thread. Throws UpstreamFailure; `incomplete` also when the
   * register as a whole is not.
   */
  window(source: WfsSource, select: Select, options?: LiveOptions): Promise<LiveAnswer>;
  /**
   * Throws UpstreamFailure `unreadable` unless the source says that it has all of these columns; none
   * of them: nothing is asked. A source that describes nothing does not say so.
   */
  describes(
    source: WfsSource,
    columns: readonly string[],
    options?: Pick<LiveOptions, 'apiKey' | 'signal' | 'holder'>,
  ): Promise<void>;
  /** Reads what came, in threads that all share: few at a time, and holders take turns. */
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
  /** Of the caller who came first. */
  readonly holder: string | undefined;
}

export function createLiveWfs(client: WfsClient, gate: HostGate): LiveWfs {
  const flights = new Map<string, Flight>();
  const totals = new Totals(client, gate);
  const reading = new Semaphore(LIMITS.originReads);

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
    // Each caller handles the failure of its own share; this keeps a deserted flight silent.
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
        // The last one to leave a flight that has not landed ends it; newcomers start another.
        if (flight.callers === 0 && flights.get(key) === flight) {
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

/** The total, if the register may hold so much. */
async function checked(asked: Promise<Held>, { leastRows, mostRows }: Whole): Promise<Held> {
  const total = await asked;
  const { rows, isExact, noneIsReported } = total;
  // Nothing at all is never believed; a server that tells no numbers has shown one feature at least.
  const least = isExact ? Math.max(1, leastRows) : 1;
  // Rows that do not count stand in the total where the filter for those that do was not understood.
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

/**
 * How much each register holds. Asked once for all callers who come before the question leaves, and not
 * kept: a register may lose its rows between two windows.
 */
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
    // Each caller handles the failure of its own share; this keeps a deserted one silent.
    total.catch(() => undefined);
    this.#asked.set(key, total);
    return total;
  }

  async #askSoon(
    key: string,
    source: WfsSource,
    { where, apiKey, holder }: TotalAsking,
  ): Promise<Held> {
    // A batch asks for its windows in one go: they share the question.
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

/** The shared answer, or the caller's own giving up, whichever comes first. */
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
