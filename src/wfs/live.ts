/**
 * Live windows for lookups (ladder rung 3): through the host's gate, and one request for all callers
 * who ask for the same window at the same time. A register that holds less than it can is not
 * believed, whatever its windows hold; its total is kept a while. Windows are not: whoever wants a
 * cache of parsed answers puts it behind this.
 */
import { cacheByCount } from '../kernel/cache.ts';
import { LIMITS } from '../kernel/limits.ts';
import type { WfsSource } from '../layers/source.ts';
import type { Select, Total, WfsAnswer, WfsClient } from './client.ts';
import { UpstreamFailure } from './failure.ts';
import type { HostGate } from './hosts.ts';
import type { Where } from './request.ts';

export interface LiveOptions {
  readonly apiKey?: string | null | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly whole?: Whole | undefined;
}

/** What a register holds when it is itself. */
export interface Whole {
  /** Fewer features in all, and an emptied table is told from an empty window. */
  readonly leastRows: number;
  /** The rows that count; a filter that finds none is taken for one that is not understood. */
  readonly where?: Where;
}

export interface LiveAnswer extends WfsAnswer {
  /**
   * Whether "none" may be read from it. Not where the filter for the rows that count found none: it
   * was not understood, or just those rows are gone, and nothing tells which.
   */
  readonly noneIsTold: boolean;
}

export interface LiveWfs {
  /**
   * Every feature that meets the box, or has the value. Callers share one answer: its bytes must be
   * copied before they are handed to a thread. Throws UpstreamFailure; `incomplete` also when the
   * register as a whole is not.
   */
  window(source: WfsSource, select: Select, options?: LiveOptions): Promise<LiveAnswer>;
}

interface Flight {
  readonly answer: Promise<WfsAnswer>;
  readonly abort: AbortController;
  callers: number;
}

export function createLiveWfs(client: WfsClient, gate: HostGate): LiveWfs {
  const flights = new Map<string, Flight>();
  const totals = new Totals(client, gate);

  const start = (
    key: string,
    { source, select, apiKey }: { source: WfsSource; select: Select; apiKey: string | null },
  ): Flight => {
    const abort = new AbortController();
    const { signal } = abort;
    const answer = gate
      .run(source.host, () => client.fetchWindow(source, { select, apiKey, signal }), signal)
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
    async window(source, select, { apiKey = null, signal, whole } = {}) {
      if (signal?.aborted) throw givenUp();
      let noneIsTold = true;
      if (whole !== undefined) {
        const total = await shared(totals.of(source, whole.where, apiKey), signal);
        checkTotal(total, whole);
        ({ noneIsTold } = total);
      }
      const key = JSON.stringify([source.url, source.typeName, source.srsName, select]);
      const flight = flights.get(key) ?? start(key, { source, select, apiKey });
      flight.callers += 1;
      try {
        return { ...(await shared(flight.answer, signal)), noneIsTold };
      } finally {
        flight.callers -= 1;
        // The last one to leave a flight that has not landed ends it; newcomers start another.
        if (flight.callers === 0 && flights.get(key) === flight) {
          flights.delete(key);
          flight.abort.abort();
        }
      }
    },
  };
}

function checkTotal({ rows, isExact }: Total, { leastRows }: Whole): void {
  if (rows >= (isExact ? leastRows : Math.min(leastRows, 1))) return;
  const least = isExact ? `, of at least ${leastRows}` : '';
  throw new UpstreamFailure('incomplete', `the register holds ${rows} features in all${least}`);
}

interface Held extends Total {
  readonly noneIsTold: boolean;
}

/** How much each register holds, asked once for all callers and kept as long as a live answer. */
class Totals {
  readonly #client: WfsClient;
  readonly #gate: HostGate;
  readonly #kept = cacheByCount<Held>(LIMITS.originAnswersKept, LIMITS.originAnswerTtlMs);
  readonly #asked = new Map<string, Promise<Held>>();

  constructor(client: WfsClient, gate: HostGate) {
    this.#client = client;
    this.#gate = gate;
  }

  of(source: WfsSource, where: Where | undefined, apiKey: string | null): Promise<Held> {
    const key = JSON.stringify([source.url, source.typeName, where]);
    const kept = this.#kept.get(key);
    if (kept !== undefined) return Promise.resolve(kept);
    const asked = this.#asked.get(key);
    if (asked !== undefined) return asked;
    const total = this.#gate
      .run(source.host, () => this.#ask(source, where, apiKey))
      .then((answer) => {
        this.#kept.set(key, answer);
        return answer;
      })
      .finally(() => this.#asked.delete(key));
    // Each caller handles the failure of its own share; this keeps a deserted one silent.
    total.catch(() => undefined);
    this.#asked.set(key, total);
    return total;
  }

  async #ask(source: WfsSource, where: Where | undefined, apiKey: string | null): Promise<Held> {
    const some = where && (await this.#client.fetchTotal(source, { where, apiKey }));
    if (some && some.rows > 0) return { ...some, noneIsTold: true };
    const all = await this.#client.fetchTotal(source, { apiKey });
    return { ...all, noneIsTold: where === undefined };
  }
}

/** The shared answer, or the caller's own giving up, whichever comes first. */
async function shared<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return answer;
  const left = Promise.withResolvers<never>();
  const leave = (): void => left.reject(givenUp());
  signal.addEventListener('abort', leave, { once: true });
  try {
    return await Promise.race([answer, left.promise]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

function givenUp(): UpstreamFailure {
  return new UpstreamFailure('aborted', 'the request was given up');
}
