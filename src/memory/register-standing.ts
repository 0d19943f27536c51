/**
 * What is known of the registers themselves when a copy is too old to answer: whether one is asked at
 * all, and what it must hold to be believed. Known also while the store is unavailable.
 */
import type { LayerId } from '../layers/keys.ts';
import type { PublishedCopy } from '../layers/published-copy.ts';

/** How a layer's register stands. */
export interface RegisterStanding {
  /** An operator holds the copy: the register is not asked. */
  readonly held: boolean;
  /** A guard refused its latest reading: it is not asked until a later one passes. */
  readonly refused: boolean;
  /** Features it held when the copy was proved; null: unknown, or there is no copy. */
  readonly sourceRows: number | null;
}

/** What remembers standings while the store is unavailable: the snapshots in memory. */
export interface StandingMemory {
  standingOf(layer: LayerId): RegisterStanding | null;
}

const NOTHING_KNOWN: RegisterStanding = { held: false, refused: false, sourceRows: null };

/** A standing as a read tells it; null: the read failed, and `refused` with it. */
export function reportedStanding(
  copy: PublishedCopy | null,
  refused: boolean | null,
): RegisterStanding | null {
  if (refused === null) return null;
  return { held: copy?.held ?? false, refused, sourceRows: copy?.sourceRows ?? null };
}

/** Standings as they were last told, for when nobody can be asked. */
export class RegisterStandings {
  readonly #last = new Map<LayerId, RegisterStanding>();

  /** `reported`: by the read at hand; null where that failed: then what memory knows counts, or what was told last. */
  of(
    layer: LayerId,
    reported: RegisterStanding | null,
    memory: StandingMemory | null,
  ): RegisterStanding {
    const known = reported ?? memory?.standingOf(layer) ?? null;
    if (known === null) return this.#last.get(layer) ?? NOTHING_KNOWN;
    this.#last.set(layer, known);
    return known;
  }
}
