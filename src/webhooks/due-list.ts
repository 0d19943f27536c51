/** Failing endpoints have their own lane, so that others never wait for them. */
import { WEBHOOK_LIMITS } from './limits.ts';
import type { DueEndpoint } from './dispatch-store.ts';

export const LANES = ['well', 'failing'] as const;
export type Lane = (typeof LANES)[number];

export type Destination = Pick<DueEndpoint, 'endpointId' | 'host'>;

type Sent = Destination & Pick<DueEndpoint, 'accountId'>;

export class DueList {
  /** In serving order: hosts by endpoint. */
  readonly #due: Readonly<Record<Lane, Map<string, string>>> = {
    well: new Map(),
    failing: new Map(),
  };
  /** Reported since the last read began, which may have missed it. */
  readonly #reported = new Map<string, string>();
  readonly #atEndpoint = new Map<string, number>();
  readonly #atHost = new Map<string, number>();
  readonly #ofAccount = new Map<string, number>();
  /** A merely reported endpoint counts as its own account. */
  #accounts = new Map<string, string>();
  readonly #inLane: Record<Lane, number> = { well: 0, failing: 0 };
  #isCut = false;

  get inFlight(): number {
    return this.#inLane.well + this.#inLane.failing;
  }

  free(lane: Lane): number {
    const { total, failing } = WEBHOOK_LIMITS.inFlight;
    const free = total - this.inFlight;
    return lane === 'well' ? free : Math.min(free, failing - this.#inLane.failing);
  }

  lookBegins(): void {
    this.#reported.clear();
  }

  replace(found: readonly DueEndpoint[]): void {
    for (const lane of LANES) this.#due[lane].clear();
    this.#accounts = new Map(found.map(({ endpointId, accountId }) => [endpointId, accountId]));
    for (const { endpointId, host, isFailing } of found) {
      this.#due[isFailing ? 'failing' : 'well'].set(endpointId, host);
    }
    for (const [endpointId, host] of this.#reported) this.#due.well.set(endpointId, host);
    this.#isCut = found.length >= WEBHOOK_LIMITS.dueListed;
  }

  /** false: the list is full, so a read finds it. */
  tell({ endpointId, host }: Destination): boolean {
    if (this.#reported.size >= WEBHOOK_LIMITS.dueListed) return false;
    this.#reported.set(endpointId, host);
    this.#due.well.set(endpointId, host);
    return true;
  }

  /** The last read was cut off and a lane has used it up; true once. */
  isToBeReadAnew(lane: Lane): boolean {
    if (!this.#isCut || this.#due[lane].size > 0) return false;
    this.#isCut = false;
    return true;
  }

  /** At an account's limit others go first. */
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

  /** `next`: the lane to append it to, because more may be due; null: none. */
  end({ endpointId, accountId, host }: Sent, lane: Lane, next: Lane | null): void {
    this.#inLane[lane] -= 1;
    add(this.#atEndpoint, endpointId, -1);
    add(this.#atHost, hostKey(accountId, host), -1);
    add(this.#ofAccount, accountId, -1);
    if (next !== null) this.#due[next].set(endpointId, host);
  }
}

/** Account ids have no blank. */
function hostKey(account: string, host: string): string {
  return `${account} ${host}`;
}

function add(counts: Map<string, number>, of: string, amount: number): void {
  const count = (counts.get(of) ?? 0) + amount;
  if (count > 0) counts.set(of, count);
  else counts.delete(of);
}
