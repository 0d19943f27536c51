/** Shares never exceed one in total: they shrink before and grow after they are reported. */
import type { Store } from '../db/connect.ts';
import { METERING_LIMITS } from './limits.ts';
import { nextShare } from '../kernel/burst.ts';
import type { Share } from '../kernel/burst.ts';
import type { ShareBoard } from '../kernel/limiter-boards.ts';
import { registerInstance, withInstances, writeBeat, writeBeatApart } from './store-instances.ts';
import type { InstanceRow, Member } from './store-instances.ts';

/** The number of parts; null: unchanged. */
export interface Division {
  /** Applied before it is reported. */
  readonly shrinkTo: number | null;
  /** Reported before it is applied. */
  readonly growTo: number | null;
}

/** `mine`: parts in force here, 0 for none. `others`: of each other live process. */
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
  /** The share of all threads of the process. */
  readonly board: ShareBoard;
  /** Divides with other processes, and writes the share on the board for this process's threads. */
  readonly divides: boolean;
}

export class Instances {
  readonly #options: InstancesOptions;
  readonly #watch = new Watch();
  #registered = false;
  #applied = 0;

  constructor(options: InstancesOptions) {
    this.#options = options;
  }

  get share(): Share {
    return this.#options.board.read();
  }

  /** Recorded in the store, so units can be granted. */
  get isRegistered(): boolean {
    return this.#registered;
  }

  /** Assumes a share until the store can tell who else counts. */
  assume(parts: number): void {
    const { divides, monotonicMs } = this.#options;
    if (!divides || this.#registered || this.#applied !== 0) return;
    this.#apply(parts, monotonicMs());
  }

  /** Registers and takes the free share. */
  async beat(): Promise<void> {
    const { store, member, divides } = this.#options;
    try {
      if (!this.#registered) await registerInstance(store, member, divides);
      this.#registered = true;
      if (!divides) {
        this.#registered = await writeBeatApart(store, member.id);
        if (!this.#registered) throw forgotten();
        return;
      }
      const grown = await withInstances(store, (rows, trx) => this.#decide(rows, trx));
      if (grown !== null) this.#apply(grown.parts, grown.sinceMs);
    } catch (error) {
      // While the store is unavailable silence means nothing.
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
      throw forgotten();
    }
    // Others considered it dead and may use its share.
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
    const { board } = this.#options;
    board.write(nextShare(board.read(), parts === 0 ? 0 : 1 / parts, sinceMs));
  }
}

function forgotten(): Error {
  return new Error('The store has forgotten this process.');
}

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

/** Judges silence by this process's time and answered questions. */
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
