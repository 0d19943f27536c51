/** What the store itself must tell is not known without it, and nothing is claimed. */
import { Failure, storeUnreachable } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Services } from '../services.ts';

/** Call before the store is asked: while it is known to be unavailable nobody waits for what will not come. */
export function refuseWhileUnavailable(services: Pick<Services, 'isStoreUnavailable'>): void {
  if (services.isStoreUnavailable?.() !== true) return;
  throw storeUnreachable(undefined, LIMITS.retryAfterS.unavailable);
}

/** For `catch`: a failure of the catalogue stays what it is, anything else is a store unavailable (503). */
export function unreachable(cause: unknown): never {
  if (cause instanceof Failure) throw cause;
  throw storeUnreachable(cause, LIMITS.retryAfterS.unavailable);
}
