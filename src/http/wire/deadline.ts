/**
 * How long a request is worked on: until its caller is gone, or it has taken too long. The
 * framework's own `request.signal` tells the first too early where there is a body (a request that
 * has been read to its end is closed, its caller still there), and its `handlerTimeout` then forgets
 * the second.
 */
import type { FastifyReply } from 'fastify';
import { Failure } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { HTTP_LIMITS } from '../limits.ts';
import type { Deadline } from '../../kernel/deadline.ts';
import { holderOfVisit } from '../access.ts';
import { clientDisconnected } from './client-disconnect.ts';

/** The signal is made when it is first asked for, and only then costs anything. */
export function deadlineOf(reply: FastifyReply): Deadline {
  return new DeadlineOfReply(reply.raw, holderOfVisit(reply.request));
}

/**
 * A class, because a getter in an object literal is a function of its own each time: the engine makes
 * each such object a shape of its own, kept beside old objects, and with it the whole request until
 * the next full collection.
 */
class DeadlineOfReply implements Deadline {
  readonly holder: string;
  readonly #raw: FastifyReply['raw'];
  #signal: AbortSignal | null = null;

  constructor(raw: FastifyReply['raw'], holder: string) {
    this.#raw = raw;
    this.holder = holder;
  }

  get signal(): AbortSignal {
    this.#signal ??= signalOf(this.#raw);
    return this.#signal;
  }
}

function signalOf(raw: FastifyReply['raw']): AbortSignal {
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(tooLong()), HTTP_LIMITS.requestAnswerMs);
  raw.once('close', () => {
    clearTimeout(timer);
    if (!raw.writableFinished) over.abort(clientDisconnected());
  });
  return over.signal;
}

function tooLong(): Failure {
  return new Failure('overloaded', {
    error: `The answer took more than ${HTTP_LIMITS.requestAnswerMs / 1000} seconds.`,
    errorDa: `Svaret tog mere end ${HTTP_LIMITS.requestAnswerMs / 1000} sekunder.`,
    retryAfterS: LIMITS.retryAfterS.unavailable,
  });
}
