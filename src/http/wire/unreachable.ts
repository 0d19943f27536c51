import { Failure, storeUnreachable } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';

/** Call before asking the store: requests do not wait for a known outage. */
export function refuseWhileUnavailable(services: {
  readonly isStoreUnavailable: () => boolean;
}): void {
  if (!services.isStoreUnavailable()) return;
  throw storeUnreachable(undefined, LIMITS.retryAfterS.unavailable);
}

/** For `catch`: keeps a Failure; anything else becomes 503. */
export function unreachable(cause: unknown): never {
  if (cause instanceof Failure) throw cause;
  throw storeUnreachable(cause, LIMITS.retryAfterS.unavailable);
}
