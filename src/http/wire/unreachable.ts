/** Without the store, nothing is claimed about what only it knows. */
import { Failure, storeUnreachable } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';

/** Call before asking the store, so that no one waits while it is known to be unavailable. */
export function refuseWhileUnavailable(services: {
  readonly isStoreUnavailable: () => boolean;
}): void {
  if (!services.isStoreUnavailable()) return;
  throw storeUnreachable(undefined, LIMITS.retryAfterS.unavailable);
}

/** For `catch`: a Failure stays; anything else is an unavailable store (503). */
export function unreachable(cause: unknown): never {
  if (cause instanceof Failure) throw cause;
  throw storeUnreachable(cause, LIMITS.retryAfterS.unavailable);
}
