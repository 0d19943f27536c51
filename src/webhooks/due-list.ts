/**
 * Endpoints that something is due for, as far as known here, and what is under way to each of them. Those
 * that fail have a lane of their own, so that nobody who answers waits behind them.
 */
import { WEBHOOK_LIMITS } from './limits.ts';
import type { DueEndpoint } from './dispatch-store.ts';

export const LANES = ['well', 'failing'] as const;
export type Lane = (typeof LANES)[number];

/** Where a delivery goes. */
export type Destination = Pick<DueEndpoint, 'endpointId' | 'host'>;

/** ... and whose it is. */
type Sent = Destination & Pick<DueEndpoint, 'accountId'>;

export class DueList {
  /** In the order they are to be served: hosts by endpoint. */
  readonly #due: Readonly<Record<Lane, Map<string, string>>> = {
    well: new Map(),
    failing: new Map(),
  };
  /** What was told since the last look began: it may have come too late to be found by it. */
  readonly #reported = new Map<string, string>();
  readonly #atEndpoint = new Map<string, number>();
  /** By account and host, and by account. */
  readonly #atHost = new Map<string, number>();
  readonly #ofAccount = new Map<string, number>();
  /** Of the endpoints read last. One that was only told of counts as an account of its own. */
  #accounts = new Map<string, string>();
  readonly #inLane: Record<Lane, number> = { well: 0, failing: 0 };
  #isCut = false;

  get inFlight(): number {
    return this.#inLane.well + this.#inLane.failing;
  }

  /** Places for attempts that a lane may begin now. */
  free(lane: Lane): number {
    const { total, failing } = WEBHOOK_LIMITS.inFlight;
    const free = total - this.inFlight;
    return lane === 'well' ? free : Math.min(free, failing - this.#inLane.failing);
  }

  lookBegins(): void {
    this.#reported.clear();
  }

  /** Takes the place of what was known: it was read anew. */
  replace(found: readonly DueEndpoint[]): void {
    for (const lane of LANES) this.#due[lane].clear();
    this.#accounts = new Map(found.map(({ endpointId, accountId }) => [endpointId, accountId]));
    for (const { endpointId, host, isFailing } of found) {
      this.#due[isFailing ? 'failing' : 'well'].set(endpointId, host);
    }
    for (const [endpointId, host] of this.#reported) this.#due.well.set(endpointId, host);
    this.#isCut = found.length >= WEBHOOK_LIMITS.dueListed;
  }

  /** Something new for one that does not fail; false: too many were told of, a look finds it. */
  tell({ endpointId, host }: Destination): boolean {
    if (this.#reported.size >= WEBHOOK_LIMITS.dueListed) return false;
    this.#reported.set(endpointId, host);
    this.#due.well.set(endpointId, host);
    return true;
  }

  /** Whether the last look found more than it listed, and a lane has come to the end of that; once. */
  isToBeReadAnew(lane: Lane): boolean {
    if (!this.#isCut || this.#due[lane].size > 0) return false;
    this.#isCut = false;
    return true;
  }

  /**
   * Endpoints to claim for, at most so many, taken off the list. One host is one address, or few: past an
   * account's places at an address, or in all, its endpoints stay on the list, and others go first.
   */
  take(lane: Lane, wanted: number): readonly string[] {
    const { endpoint: each, address, account: most } = WEBHOOK_LIMITS.inFlight;
    const due = this.#due[lane];
    const taken: string[] = [];
    const reserved = new Map<string, number>();
    for (const [endpointId, host] of due) {
      if (taken.length >= wanted) break;
      const account = this.#accounts.get(endpointId) ?? endpointId;
      const atHost = hostKey(account, host);
      const places = [
        { under: (this.#atHost.get(atHost) ?? 0) + (reserved.get(atHost) ?? 0), of: address },
        { under: (this.#ofAccount.get(account) ?? 0) + (reserved.get(account) ?? 0), of: most },
      ];
      const isFull = (this.#atEndpoint.get(endpointId) ?? 0) >= each;
      if (isFull || places.some(({ under, of }) => under + each > of)) continue;
      add(reserved, atHost, each);
      add(reserved, account, each);
      due.delete(endpointId);
      taken.push(endpointId);
    }
    return taken;
  }

  begin({ endpointId, accountId, host }: Sent, lane: Lane): void {
    this.#inLane[lane] += 1;
    add(this.#atEndpoint, endpointId, 1);
    add(this.#atHost, hostKey(accountId, host), 1);
    add(this.#ofAccount, accountId, 1);
    this.#accounts.set(endpointId, accountId);
  }

  /** More may be due for it: it goes to the end of a lane, where it is looked for once; null: it does not. */
  end({ endpointId, accountId, host }: Sent, lane: Lane, next: Lane | null): void {
    this.#inLane[lane] -= 1;
    add(this.#atEndpoint, endpointId, -1);
    add(this.#atHost, hostKey(accountId, host), -1);
    add(this.#ofAccount, accountId, -1);
    if (next !== null) this.#due[next].set(endpointId, host);
  }
}

/** No account's name has a blank. */
function hostKey(account: string, host: string): string {
  return `${account} ${host}`;
}

function add(counts: Map<string, number>, of: string, amount: number): void {
  const count = (counts.get(of) ?? 0) + amount;
  if (count > 0) counts.set(of, count);
  else counts.delete(of);
}
