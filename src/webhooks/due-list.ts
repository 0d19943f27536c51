/** Endpoints that something is due for, as far as known here, and what is under way to each of them. */
import { LIMITS } from '../kernel/limits.ts';
import type { DueEndpoint } from './dispatch-store.ts';

export class DueList {
  /** In the order they are to be served. */
  readonly #due = new Map<string, string>();
  readonly #atEndpoint = new Map<string, number>();
  readonly #atHost = new Map<string, number>();
  #inFlight = 0;

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Takes the place of what was known: it was read anew. */
  replace(found: readonly DueEndpoint[]): void {
    this.#due.clear();
    for (const { endpointId, host } of found) this.#due.set(endpointId, host);
  }

  /**
   * Endpoints to claim for, at most so many, taken off the list. One host is one address, or few: past the
   * places of an address its endpoints stay on the list, and others go first.
   */
  take(most: number): readonly string[] {
    const { endpoint: each, address } = LIMITS.webhooks.inFlight;
    const taken: string[] = [];
    const reserved = new Map<string, number>();
    for (const [endpointId, host] of this.#due) {
      if (taken.length >= most) break;
      const atHost = (this.#atHost.get(host) ?? 0) + (reserved.get(host) ?? 0);
      const isFull = (this.#atEndpoint.get(endpointId) ?? 0) >= each;
      if (isFull || atHost + each > address) continue;
      reserved.set(host, (reserved.get(host) ?? 0) + each);
      this.#due.delete(endpointId);
      taken.push(endpointId);
    }
    return taken;
  }

  begin({ endpointId, host }: DueEndpoint): void {
    this.#inFlight += 1;
    add(this.#atEndpoint, endpointId, 1);
    add(this.#atHost, host, 1);
  }

  /** More may be due for it: it goes to the end of the list, where it is looked for once. */
  end({ endpointId, host }: DueEndpoint, { mayHaveMore }: { readonly mayHaveMore: boolean }): void {
    this.#inFlight -= 1;
    add(this.#atEndpoint, endpointId, -1);
    add(this.#atHost, host, -1);
    if (mayHaveMore) this.#due.set(endpointId, host);
  }
}

function add(counts: Map<string, number>, of: string, amount: number): void {
  const count = (counts.get(of) ?? 0) + amount;
  if (count > 0) counts.set(of, count);
  else counts.delete(of);
}
