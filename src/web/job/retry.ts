import { Refused } from '../shared/ask.ts';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;
const PASSING: readonly number[] = [0, 408, 429, 500, 502, 503, 504];

/** A quota that is used up does not pass by itself. */
export function mayPass(error: unknown): error is Refused {
  return (
    error instanceof Refused && PASSING.includes(error.status) && error.code !== 'quota_exceeded'
  );
}

export function pauseMs(failures: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** Math.max(0, failures - 1), LONGEST_PAUSE_MS);
}

/** Waits, but no longer than until the browser is online again. */
export function rest(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      window.removeEventListener('online', done);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    window.addEventListener('online', done);
    signal?.addEventListener('abort', done);
  });
}

interface Retrying {
  readonly signal: AbortSignal;
  /** null: it went through. */
  readonly onTrouble: (error: Refused | null) => void;
}

/** Without a limit of time: the caller may abort. Throws what does not pass. */
export async function withRetries<Answer>(
  call: () => Promise<Answer>,
  { signal, onTrouble }: Retrying,
): Promise<Answer> {
  for (let failures = 1; ; failures++) {
    try {
      const answer = await call();
      onTrouble(null);
      return answer;
    } catch (error) {
      if (signal.aborted || !mayPass(error)) throw error;
      onTrouble(error);
      await rest(pauseMs(failures), signal);
      signal.throwIfAborted();
    }
  }
}
