/**
 * How long a request is worked on: until its caller is gone, or it has taken too long. The
 * framework's own `request.signal` tells the first too early where there is a body (a request that
 * has been read to its end is closed, its caller still there), and its `handlerTimeout` then forgets
 * the second.
 */
import type { FastifyReply } from 'fastify';
import { Failure } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Patience } from '../../kernel/patience.ts';

/** The signal is made when it is first asked for, and only then costs anything. */
export function patienceOf({ raw }: FastifyReply): Patience {
  let signal: AbortSignal | null = null;
  return {
    get signal() {
      signal ??= signalOf(raw);
      return signal;
    },
  };
}

function signalOf(raw: FastifyReply['raw']): AbortSignal {
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(tooLong()), LIMITS.requestAnswerMs);
  raw.once('close', () => {
    clearTimeout(timer);
    if (!raw.writableFinished) over.abort();
  });
  return over.signal;
}

function tooLong(): Failure {
  return new Failure('overloaded', {
    error: `The answer took more than ${LIMITS.requestAnswerMs / 1000} seconds.`,
    errorDa: `Svaret tog mere end ${LIMITS.requestAnswerMs / 1000} sekunder.`,
    retryAfterS: LIMITS.retryAfterS.unavailable,
  });
}
