import { Failure, invalidRequest, storeUnreachable } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';

/** Call before asking the store: requests do not wait for a known outage. */
export function refuseWhileUnavailable(services: {
  readonly isStoreUnavailable: () => boolean;
}): void {
  if (!services.isStoreUnavailable()) return;
  throw storeUnreachable(undefined, LIMITS.retryAfterS.unavailable);
}

/** For `catch`: keeps a Failure; text that no column holds is 400 (D277), else 503. */
export function unreachable(cause: unknown): never {
  if (cause instanceof Failure) throw cause;
  if (isUnstorable(cause)) {
    throw invalidRequest(
      'The request holds a character that no text may hold: U+0000, or half of a surrogate pair.',
      'Forespørgslen indeholder et tegn, som ingen tekst kan indeholde: U+0000 eller et halvt surrogatpar.',
    );
  }
  throw storeUnreachable(cause, LIMITS.retryAfterS.unavailable);
}

function isUnstorable(cause: unknown): boolean {
  // PostgreSQL may translate its messages.
  const { code, routine = '' } = (cause ?? {}) as { code?: string; routine?: string };
  return code === '22021' || (/^22P0[25]$/.test(code ?? '') && routine.startsWith('json_'));
}
