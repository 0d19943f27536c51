/**
 * The processes that count together, and the share of every burst limit each may use. A process
 * shrinks its share before it says so and says so before it grows it, and grows only when all others
 * have shrunk theirs, so that all shares together are never more than one.
 */
import type { Store } from '../db/connect.ts';
import { METERING_LIMITS } from './limits.ts';
import { NO_SHARE, nextShare } from './burst.ts';
import type { Share } from './burst.ts';
import { registerInstance, withInstances, writeBeat } from './store-instances.ts';
import type { InstanceRow, Member } from './store-instances.ts';

/** Into how many parts to divide, seen by one process; null: as before. */
export interface Division {
  /** In force before it is told. */
  readonly shrinkTo: number | null;
  /** Told before it is in force. */
  readonly growTo: number | null;
}

/** `mine`: parts in force here, 0 for none. `others`: parts in force at each other living process. */
export function divide(mine: number, others: readonly number[]): Division {
  const parts = others.length + 1;
  if (parts === mine) return { shrinkTo: null, growTo: null };
  if (mine !== 0 && parts > mine) return { shrinkTo: parts, growTo: null };
  const mayGrow = others.every((applied) => applied === 0 || applied >= parts);
  return { shrinkTo: null, growTo: mayGrow ? parts : null };
}

export interface InstancesOptions {
  readonly store: Pick<Store, 'db'>;
  readonly member: Member;
  readonly monotonicMs: () => number;
}

export class Instances {
  readonly #options: InstancesOptions;
  readonly #watch = new Watch();
  #registered = false;
  #applied = 0;
  #share: Share = NO_SHARE;

  constructor(options: InstancesOptions) {
    this.#options = options;
  }

  get share(): Share {
    return this.#share;
  }

  /** On record in the store: units can be granted to it. */
  get isRegistered(): boolean {
    return this.#registered;
  }

  /** Registers, says that it lives and takes the share that is free. Rejects when the store does. */
  async beat(): Promise<void> {
    const { store, member } = this.#options;
    try {
      if (!this.#registered) await registerInstance(store, member);
      this.#registered = true;
      const grown = await withInstances(store, (rows, trx) => this.#decide(rows, trx));
      if (grown !== null) this.#apply(grown.parts, grown.sinceMs);
    } catch (error) {
      // While the store is unavailable nobody's silence means anything.
      this.#watch.restart();
      throw error;
    }
  }

  async #decide(
    rows: readonly InstanceRow[],
    trx: Store['db'],
  ): Promise<{ parts: number; sinceMs: number } | null> {
    const { member, monotonicMs } = this.#options;
    const own = rows.find(({ id }) => id === member.id);
    if (own === undefined) {
      this.#registered = false;
      throw new Error('The store has forgotten this process.');
    }
    // Others took it for dead and may use its share.
    if (own.endedMsAgo !== null) this.#apply(0, monotonicMs());
    const others = rows.filter(({ id, endedMsAgo }) => id !== member.id && endedMsAgo === null);
    const silent = this.#watch.silent(others, monotonicMs());
    const living = others.filter(({ id }) => !silent.includes(id));
    const { shrinkTo, growTo } = divide(
      this.#applied,
      living.map(({ applied }) => applied),
    );
    if (shrinkTo !== null) this.#apply(shrinkTo, monotonicMs());
    await writeBeat(trx, { id: member.id, applied: growTo ?? this.#applied, silent });
    if (growTo === null) return null;
    const lastUsed = monotonicMs() - lastUsedMsAgo(rows, member.id, silent);
    return { parts: growTo, sinceMs: lastUsed };
  }

  #apply(parts: number, sinceMs: number): void {
    this.#applied = parts;
    this.#share = nextShare(this.#share, parts === 0 ? 0 : 1 / parts, sinceMs);
  }
}

/** How long ago anyone else may have used the share that is free now. */
function lastUsedMsAgo(
  rows: readonly InstanceRow[],
  own: string,
  silent: readonly string[],
): number {
  const ages = rows
    .filter(({ id }) => id !== own)
    .map(({ id, endedMsAgo }) => (silent.includes(id) ? 0 : (endedMsAgo ?? 0)));
  return Math.max(0, Math.min(Infinity, ...ages));
}

/** Who has not been heard of: judged by one's own time and by questions that were answered. */
class Watch {
  #seen = new Map<string, { readonly beat: number; readonly sinceMs: number }>();

  silent(others: readonly InstanceRow[], nowMs: number): string[] {
    const seen = new Map<string, { beat: number; sinceMs: number }>();
    for (const { id, beat } of others) {
      const before = this.#seen.get(id);
      seen.set(id, before?.beat === beat ? before : { beat, sinceMs: nowMs });
    }
    this.#seen = seen;
    return others
      .map(({ id }) => id)
      .filter((id) => nowMs - (seen.get(id)?.sinceMs ?? nowMs) >= METERING_LIMITS.meterDeadAfterMs);
  }

  restart(): void {
    this.#seen.clear();
  }
}
