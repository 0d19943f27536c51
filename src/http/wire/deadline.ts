/** Own signal: the framework's `request.signal` fires too early with a body. */
import type { FastifyReply } from 'fastify';
import { Failure } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { StoreSilent } from '../../kernel/server-unavailable.ts';
import { HTTP_LIMITS } from '../limits.ts';
import type { Deadline } from '../../kernel/deadline.ts';
import { holderOfVisit } from '../access.ts';

export function deadlineOf(reply: FastifyReply): Deadline {
  return new DeadlineOfReply(reply.raw, holderOfVisit(reply.request));
}

/**
 * A class: a getter in an object literal creates a hidden class per object, which keeps the request
 * until the next full collection.
 */
class DeadlineOfReply implements Deadline {
  readonly holder: string;
  readonly #sinceMs = performance.now();
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

  storeFailed(error: unknown): void {
    if (!(error instanceof StoreSilent)) return;
    const leftMs = Math.max(0, HTTP_LIMITS.silentStoreMs - (performance.now() - this.#sinceMs));
    this.#signal = AbortSignal.any([this.signal, AbortSignal.timeout(Math.ceil(leftMs))]);
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

/** Not logged. */
function clientDisconnected(): Failure {
  return new Failure('invalid_request', {
    error: 'The connection was closed before the answer was sent.',
    errorDa: 'Forbindelsen blev lukket, før svaret blev sendt.',
  });
}

/** Throws if the response has closed: waiting for that would never end. */
export function refuseDisconnected({ raw }: Pick<FastifyReply, 'raw'>): void {
  if (raw.destroyed) throw clientDisconnected();
}
