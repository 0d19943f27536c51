/**
 * Live windows for lookups (ladder rung 3): through the host's gate, and one request for all callers
 * who ask for the same window at the same time. The answer is not kept: whoever wants a cache of
 * parsed answers puts it behind this.
 */
import type { WfsSource } from '../layers/source.ts';
import type { Select, WfsAnswer, WfsClient } from './client.ts';
import { UpstreamFailure } from './failure.ts';
import type { HostGate } from './hosts.ts';

export interface LiveOptions {
  readonly apiKey?: string | null | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface LiveWfs {
  /**
   * Every feature that meets the box, or has the value. Callers share one answer: its bytes must be copied before
   * they are handed to a thread. Throws UpstreamFailure.
   */
  window(source: WfsSource, select: Select, options?: LiveOptions): Promise<WfsAnswer>;
}

interface Flight {
  readonly answer: Promise<WfsAnswer>;
  readonly abort: AbortController;
  callers: number;
}

export function createLiveWfs(client: WfsClient, gate: HostGate): LiveWfs {
  const flights = new Map<string, Flight>();

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
    async window(source, select, { apiKey = null, signal } = {}) {
      if (signal?.aborted) throw givenUp();
      const key = JSON.stringify([source.url, source.typeName, source.srsName, select]);
      const flight = flights.get(key) ?? start(key, { source, select, apiKey });
      flight.callers += 1;
      try {
        return await shared(flight.answer, signal);
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
