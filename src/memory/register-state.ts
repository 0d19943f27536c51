/**
 * What is known of the registers themselves when a copy is too old to answer: whether one is asked at
 * all, and what it must hold to be believed. Known also while the store is unavailable.
 */
import type { LayerId } from '../layers/keys.ts';
import type { PublishedCopy } from '../layers/published-copy.ts';

/** The state of a layer's register. */
export interface RegisterState {
  /** An operator holds the copy: the register is not asked. */
  readonly held: boolean;
  /** A guard refused its latest reading: it is not asked until a later one passes. */
  readonly refused: boolean;
  /** Features it held when the copy was proved; null: unknown, or there is no copy. */
  readonly sourceRows: number | null;
}

/** What remembers the states of registers while the store is unavailable: the snapshots in memory. */
export interface RegisterStateMemory {
  registerState(layer: LayerId): RegisterState | null;
}

const NOTHING_KNOWN: RegisterState = { held: false, refused: false, sourceRows: null };

/** A state as a read reports it; null: the read failed, and `refused` with it. */
export function reportedState(
  copy: PublishedCopy | null,
  refused: boolean | null,
): RegisterState | null {
  if (refused === null) return null;
  return { held: copy?.held ?? false, refused, sourceRows: copy?.sourceRows ?? null };
}

/** States as they were last reported, for when nobody can be asked. */
export class RegisterStates {
  readonly #last = new Map<LayerId, RegisterState>();

  /** `reported`: by the read at hand; null where that failed: then what memory knows counts, or what was reported last. */
  of(
    layer: LayerId,
    reported: RegisterState | null,
    memory: RegisterStateMemory | null,
  ): RegisterState {
    const known = reported ?? memory?.registerState(layer) ?? null;
    if (known === null) return this.#last.get(layer) ?? NOTHING_KNOWN;
    this.#last.set(layer, known);
    return known;
  }
}
