import { setTimeout as sleep } from 'node:timers/promises';
import type { SourceHost } from '../layers/source.ts';
import { UpstreamFailure } from './failure.ts';
import type { Backoff } from './backoff.ts';
import { nextTry } from './backoff.ts';

export type Wait = (ms: number, signal: AbortSignal | undefined) => Promise<void>;

export interface RetryOptions {
  readonly host: SourceHost;
  readonly tries: number;
  readonly backoff: Backoff;
  readonly signal: AbortSignal | undefined;
  readonly wait?: Wait | undefined;
  readonly random?: (() => number) | undefined;
}

/** Throws the last attempt's error. */
export async function retry<T>(options: RetryOptions, work: () => Promise<T>): Promise<T> {
  const { host, tries, backoff, signal, wait = waitFor, random = Math.random } = options;
  let unauthorizedBefore = false;
  for (let triesMade = 1; ; triesMade += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof UpstreamFailure)) throw error;
      const decision = nextTry({
        failure: error,
        triesMade,
        tries,
        host,
        unauthorizedBefore,
        backoff,
        random: random(),
      });
      if (decision.kind === 'give_up') throw error;
      unauthorizedBefore ||= error.status === 401;
      await wait(decision.waitMs, signal);
    }
  }
}

async function waitFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(ms, undefined, signal ? { signal } : {});
  } catch {
    throw new UpstreamFailure('aborted', 'given up while waiting to ask again');
  }
}
