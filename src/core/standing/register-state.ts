/**
 * For a copy that is too old: whether its register may be asked, and what it must hold to be
 * believed. Known also without the store.
 */
import { monotonicClock } from '../../kernel/clock.ts';
import { Latest } from '../../kernel/last.ts';
import { remember } from '../../kernel/remember.ts';
import type { LayerId } from '../../layers/keys.ts';
import type { PublishedCopy } from '../../layers/published-copy.ts';

export interface RegisterState {
  /** An operator holds the copy, so the register is not asked. */
  readonly held: boolean;
  /** A guard refused its latest reading: it is not asked until a later one passes. */
  readonly refused: boolean;
  /** When the copy was verified; null: unknown, or no copy. */
  readonly sourceRows: number | null;
}

export interface RegisterStateMemory {
  registerState(layer: LayerId): RegisterState | null;
}

const NOTHING_KNOWN: RegisterState = { held: false, refused: false, sourceRows: null };

/** null: the read failed. */
export function reportedState(
  copy: PublishedCopy | null,
  refused: boolean | null,
): RegisterState | null {
  if (refused === null) return null;
  return { held: copy?.held ?? false, refused, sourceRows: copy?.sourceRows ?? null };
}

export class RegisterStates {
  readonly #last = new Map<LayerId, Latest<RegisterState>>();

  /** Call before the store is read. */
  begin() {
    const begunMs = monotonicClock.nowMs();
    return {
      /** `reported` null: the read failed; then memory's or the last reported state counts. */
      of: (
        layer: LayerId,
        reported: RegisterState | null,
        memory: RegisterStateMemory | null,
      ): RegisterState => {
        const known = reported ?? memory?.registerState(layer) ?? null;
        const last = remember(this.#last, layer, () => new Latest());
        if (known === null) return last.known?.value ?? NOTHING_KNOWN;
        last.note(known, begunMs);
        return known;
      },
    };
  }
}

export type RegisterReading = ReturnType<RegisterStates['begin']>;
