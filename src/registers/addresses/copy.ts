/**
 * The copy of the addresses that questions are answered from, and whether it may answer. There is no
 * register to ask behind it (DAR has no question for any of them): a fresh copy answers, an old one
 * answers marked stale, and past its hard limit nothing does (D34).
 */
import type { Clock } from '../../kernel/clock.ts';
import { Failure, upstreamUnavailable } from '../../kernel/failures.ts';
import { ADDRESSES } from '../../layers/keys.ts';
import type { Coverage } from '../../layers/coverage.ts';
import { isOutdated } from '../../layers/published-copy.ts';
import type { PublishedCopy } from '../../layers/published-copy.ts';
import type { Freshness } from '../../layers/source.ts';
import type { AddressFinder } from './addresses.ts';
import type { Provenance, Watcher } from '../../answers/answer.ts';
import { copyAnswer, lastRung } from '../../memory/ladder.ts';
import { tooOld } from '../../memory/too-old.ts';

/** The published addresses in memory, as the loader holds them; replaced whole by the next version. */
export interface AddressesInMemory {
  readonly finder: AddressFinder;
  /** Of the store, when this version was the published one (D19). */
  readonly generation: number;
  readonly copy: PublishedCopy;
}

/** Whether a copy may answer at all, fresh or stale. */
export function mayAnswer(copy: PublishedCopy, freshness: Freshness, nowMs: number): boolean {
  return lastRung(copy, freshness, nowMs) === 'stale';
}

/** What the copy answers as, or why nothing answers. */
function copyProvenance(
  copy: PublishedCopy | null,
  freshness: Freshness,
  { nowMs, by }: { readonly nowMs: number; readonly by: 'snapshot' | 'store' },
): Provenance | Failure {
  if (copy === null) return noAddresses();
  return copyAnswer(copy, freshness, { nowMs, by }) ?? tooOld(ADDRESSES);
}

/** Nothing is mirrored, or nothing is loaded: never an empty list, which would read as measured. */
export function noAddresses(cause?: unknown): Failure {
  return upstreamUnavailable(
    'The addresses are not there yet: no copy of the register can answer.',
    'Adresserne er her ikke endnu: ingen kopi af registret kan svare.',
    cause,
  );
}

/** What every question about addresses stands on. */
export interface AddressDeps {
  readonly clock: Clock;
  readonly freshness: Freshness;
  /** Of the register; absent or null: the country. */
  readonly coverage?: Coverage | null;
  /** What is in memory now; null: nothing is. */
  readonly memory: () => AddressesInMemory | null;
  /** Told that the copy is too old, so that a sync can be asked for. */
  readonly onExpired?: () => void;
  readonly watcher?: Pick<Watcher, 'answered'>;
}

/** An answer and what it came from. */
export interface AddressAnswer<T> {
  readonly generation: number;
  readonly provenance: readonly Provenance[];
  readonly value: T;
}

/** The addresses in memory, where they may answer. Throws the Failure where nothing may. */
export function openedIndex(
  deps: AddressDeps,
  times = 1,
): {
  readonly finder: AddressFinder;
  readonly generation: number;
  readonly provenance: Provenance;
  /** What the copy could not read. */
  readonly unanswered: PublishedCopy['unanswered'];
} {
  const held = deps.memory();
  const provenance = reportProvenance(deps, held?.copy ?? null, { by: 'snapshot', times });
  if (held === null) throw noAddresses();
  const { finder, generation, copy } = held;
  return { finder, generation, provenance, unanswered: copy.unanswered };
}

/** `copyProvenance`, reported to whoever watches. Throws the Failure. */
export function reportProvenance(
  { clock, freshness, onExpired, watcher }: AddressDeps,
  copy: PublishedCopy | null,
  { by, times }: { readonly by: 'snapshot' | 'store'; readonly times: number },
): Provenance {
  const nowMs = clock.nowMs();
  const provenance = copyProvenance(copy, freshness, { nowMs, by });
  const isFailure = provenance instanceof Failure;
  watcher?.answered(ADDRESSES, isFailure ? 'unavailable' : provenance.rung, times);
  // A copy whose date has come is watched already.
  const isWatched = copy !== null && isOutdated(copy, nowMs);
  if ((isFailure || provenance.rung === 'stale') && !isWatched) onExpired?.();
  if (isFailure) throw provenance;
  return provenance;
}
