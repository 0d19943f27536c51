/** Suggestions of a key and client, and the address chosen, are one unit (D153). */
import type { FastifyRequest } from 'fastify';
import type { TypingAct } from '../core/question/question.ts';
import { cacheByCount } from '../kernel/cache.ts';
import { holderOfVisit, senderOfRequest } from './access.ts';

const WINDOW_MS = 120_000;
const SUGGESTIONS = 40;
const CLIENTS = 10_000;

/** Per process: with several, typing may cost a unit in each. */
export class Typing {
  readonly #begun = cacheByCount<{ suggestions: number }>(CLIENTS, WINDOW_MS);

  /** `units`: the cost of the answer by itself. */
  units(request: FastifyRequest, act: TypingAct, units: number): number {
    if (units === 0) return 0;
    const client = `${holderOfVisit(request)} ${senderOfRequest(request)}`;
    const begun = this.#begun.get(client);
    if (act === 'choose') {
      this.#begun.delete(client);
      return begun === undefined ? units : 0;
    }
    if (begun === undefined || begun.suggestions >= SUGGESTIONS) {
      this.#begun.set(client, { suggestions: 1 });
      return units;
    }
    begun.suggestions += 1;
    return 0;
  }
}
