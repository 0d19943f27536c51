/**
 * Calls of the first thread: methods by name, cloned arguments and results. Failures keep their
 * class.
 */
import type { MessagePort } from 'node:worker_threads';
import { Failure } from '../kernel/failures.ts';
import type { FailureType } from '../kernel/failures.ts';
import { THREAD_LIMITS } from './limits.ts';

interface Question {
  readonly id: number;
  readonly of: string;
  readonly method: string;
  readonly args: readonly unknown[];
}

interface SentFailure {
  readonly type: FailureType;
  readonly code: string;
  readonly status: number;
  readonly error: string;
  readonly errorDa?: string | undefined;
  readonly retryAfterS?: number | undefined;
}

type Reply = { readonly id: number } & (
  | { readonly result: unknown }
  | { readonly failure: SentFailure }
  | { readonly error: Error }
);

type Methods = Readonly<Record<string, unknown>>;

export type Asked<T> = {
  readonly [K in keyof T as T[K] extends (...args: never[]) => unknown ? K : never]: T[K] extends (
    ...args: infer A
  ) => infer R
    ? (...args: A) => Promise<Awaited<R>>
    : never;
};

export function answerQuestions(
  port: MessagePort,
  services: Readonly<Record<string, object>>,
): void {
  port.on('message', ({ id, of, method, args }: Question) => {
    const ask = async (): Promise<unknown> => {
      const service = services[of] as Methods | undefined;
      const called = service?.[method];
      if (typeof called !== 'function') throw new Error(`No ${of}.${method} is answered here.`);
      return await (called as (...given: readonly unknown[]) => unknown).apply(service, [...args]);
    };
    ask().then(
      (result) => reply(port, { id, result }),
      (error: unknown) => reply(port, { id, ...sentOf(error) }),
    );
  });
  port.unref();
}

function reply(port: MessagePort, sent: Reply): void {
  try {
    port.postMessage(sent);
  } catch (error) {
    // A result that cannot be cloned is a defect here, which the caller gets as its error.
    port.postMessage({ id: sent.id, error: error as Error } satisfies Reply);
  }
}

function sentOf(error: unknown): { failure: SentFailure } | { error: Error } {
  if (!(error instanceof Failure)) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }
  const { type, code, status, message, errorDa, retryAfterS } = error;
  return { failure: { type, code, status, error: message, errorDa, retryAfterS } };
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly deadline: NodeJS.Timeout;
}

export class Questions {
  readonly #port: MessagePort;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;

  constructor(port: MessagePort) {
    this.#port = port;
    port.on('message', (answer: Reply) => this.#answered(answer));
    port.unref();
  }

  /** Throws Failure `overloaded` when no answer comes in time. `own`: members that need no asking. */
  of<T extends object, Own extends Partial<T> = object>(name: string, own?: Own): Asked<T> & Own {
    return new Proxy(own ?? {}, {
      get: (known, method) =>
        (known as Readonly<Record<string | symbol, unknown>>)[method] ??
        ((...args: unknown[]) => this.#ask(name, String(method), args)),
    }) as Asked<T> & Own;
  }

  async #ask(of: string, method: string, args: readonly unknown[]): Promise<unknown> {
    const { questions, answerMs } = THREAD_LIMITS;
    if (this.#waiting.size >= questions) throw new Failure('overloaded');
    const id = (this.#last += 1);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const late = (): void => {
      this.#waiting.delete(id);
      reject(new Failure('overloaded'));
    };
    const deadline = setTimeout(late, answerMs);
    this.#waiting.set(id, { resolve, reject, deadline });
    this.#port.postMessage({ id, of, method, args } satisfies Question);
    return await promise;
  }

  #answered(answer: Reply): void {
    const waiting = this.#waiting.get(answer.id);
    if (waiting === undefined) return;
    this.#waiting.delete(answer.id);
    clearTimeout(waiting.deadline);
    if ('result' in answer) waiting.resolve(answer.result);
    else waiting.reject('failure' in answer ? failureOf(answer.failure) : answer.error);
  }
}

function failureOf({ type, ...options }: SentFailure): Failure {
  return new Failure(type, options as never);
}
