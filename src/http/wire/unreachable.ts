import { Failure, invalidRequest, storeUnreachable } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';

/** Call before asking the store: requests do not wait for a known outage. */
export function refuseWhileUnavailable(services: {
  readonly isStoreUnavailable: () => boolean;
}): void {
  if (!services.isStoreUnavailable()) return;
  throw storeUnreachable(undefined, LIMITS.retryAfterS.unavailable);
}

/** PostgreSQL's codes for a NUL in a text and in JSON. */
const NUL_CODES: readonly unknown[] = ['22021', '22P05'];

/** For `catch`: keeps a Failure; a NUL sent by the caller is 400, anything else becomes 503. */
export function unreachable(cause: unknown): never {
  if (cause instanceof Failure) throw cause;
  if (NUL_CODES.includes((cause as { readonly code?: unknown } | null)?.code)) {
    throw invalidRequest(
      'The request holds a NUL character (U+0000), which no text may hold.',
      'Forespørgslen indeholder et NUL-tegn (U+0000), som ingen tekst kan indeholde.',
    );
  }
  throw storeUnreachable(cause, LIMITS.retryAfterS.unavailable);
}
