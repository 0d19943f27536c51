/** What the store itself must tell is not known without it, and nothing is claimed. */
import { Failure, storeUnreachable } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';

/** For `catch`: a failure of the catalogue stays what it is, anything else is a store away (503). */
export function unreachable(cause: unknown): never {
  if (cause instanceof Failure) throw cause;
  throw storeUnreachable(cause, LIMITS.retryAfterS.unavailable);
}
