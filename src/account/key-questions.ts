/** Asks the store in one statement at a time, for all unknown keys collected. */
import type { Principal } from './principal.ts';
import { Failure, storeUnreachable } from '../kernel/failures.ts';
import type { Counter } from '../kernel/limited-counter.ts';
import { localLimiters } from '../kernel/limiters.ts';
import type { Limiters } from '../kernel/limiters.ts';
import { ACCOUNT_LIMITS } from './limits.ts';

/** Answers every digest. Throws when the store does not answer. */
export type AskStore = (
  digests: readonly string[],
) => Promise<ReadonlyMap<string, Principal | null>>;

interface Question {
  readonly promise: Promise<Principal | null>;
  readonly resolve: (answer: Principal | null) => void;
  readonly reject: (failure: Failure) => void;
  readonly deadline: NodeJS.Timeout;
  readonly client: string;
  sent: boolean;
}

export class KeyQuestions {
  readonly #ask: AskStore;
  readonly #open = new Map<string, Question>();
  readonly #ofClient: Counter;
  #asking = false;

  constructor(ask: AskStore, limiters: Limiters = localLimiters()) {
    this.#ask = ask;
    const { client: each, total } = ACCOUNT_LIMITS.keysAsked;
    this.#ofClient = limiters.counter('unknown keys', { each, total });
  }

  get size(): number {
    return this.#open.size;
  }

  /** Rejects with `overloaded` without room, store or time. */
  ask(digest: string, client = ''): Promise<Principal | null> {
    const same = this.#open.get(digest);
    if (same !== undefined) return same.promise;
    if (this.#ofClient.add(client) !== null) return Promise.reject(tooManyAsk());
    const { promise, resolve, reject } = Promise.withResolvers<Principal | null>();
    const deadline = setTimeout(() => {
      this.#close(digest);
      reject(storeUnreachable());
    }, ACCOUNT_LIMITS.keyAnswerMs);
    this.#open.set(digest, { promise, resolve, reject, deadline, client, sent: false });
    if (!this.#asking) void this.#askAll();
    return promise;
  }

  #close(digest: string): void {
    const question = this.#open.get(digest);
    if (question === undefined) return;
    this.#open.delete(digest);
    this.#ofClient.remove(question.client);
  }

  /** Waits even for a hanging statement, so that there is only one. */
  async #askAll(): Promise<void> {
    this.#asking = true;
    for (;;) {
      const round = [...this.#open].filter(([, question]) => !question.sent);
      if (round.length === 0) break;
      for (const [, question] of round) question.sent = true;
      const answers = await this.#ask(round.map(([digest]) => digest)).catch((cause: unknown) =>
        storeUnreachable(cause),
      );
      for (const [digest, question] of round) {
        clearTimeout(question.deadline);
        if (this.#open.get(digest) === question) this.#close(digest);
        if (answers instanceof Failure) question.reject(answers);
        else question.resolve(answers.get(digest) ?? null);
      }
    }
    this.#asking = false;
  }
}

/** An unverified key is not an invalid one. */
function tooManyAsk(): Failure {
  return new Failure('overloaded', {
    error: 'The key cannot be looked up right now.',
    errorDa: 'Nøglen kan ikke slås op lige nu.',
  });
}
