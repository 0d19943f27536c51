/**
 * The copy of the addresses, and whether it may answer. DAR has no live question for these; past its hard
 * limit a copy does not answer (D34).
 */
import type { Clock } from '../../kernel/clock.ts';
import { Failure, upstreamUnavailable } from '../../kernel/failures.ts';
import { ADDRESSES } from '../../layers/keys.ts';
import type { Coverage } from '../../layers/coverage.ts';
import { isOutdated } from '../../layers/published-copy.ts';
import type { PublishedCopy } from '../../layers/published-copy.ts';
import type { Freshness } from '../../layers/source.ts';
import type { AddressFinder } from './addresses.ts';
import { ADDRESS_REGISTER } from './mirror.ts';
import type { Provenance, Watcher } from '../../answers/answer.ts';
import { copyAnswer, lastRung } from '../../core/standing/ladder.ts';
import { tooOld } from '../../core/standing/too-old.ts';

/** The published addresses in memory; the next version replaces them whole. */
export interface AddressesInMemory {
  readonly finder: AddressFinder;
  /** The store's generation when this version was published (D19). */
  readonly generation: number;
  readonly copy: PublishedCopy;
}

/** Whether a copy may answer at all, fresh or stale. */
export function mayAnswer(copy: PublishedCopy, freshness: Freshness, nowMs: number): boolean {
  return lastRung(copy, freshness, nowMs) === 'stale';
}

/** The provenance of an answer from the copy, or the Failure why it may not answer. */
function copyProvenance(
  copy: PublishedCopy | null,
  freshness: Freshness,
  { nowMs, by }: { readonly nowMs: number; readonly by: 'snapshot' | 'store' },
): Provenance | Failure {
  if (copy === null) return noAddresses();
  return copyAnswer(copy, freshness, { nowMs, by }) ?? tooOld(ADDRESS_REGISTER);
}

/** Nothing is mirrored or loaded. An empty list would read as measured. */
export function noAddresses(cause?: unknown): Failure {
  return upstreamUnavailable(
    'The addresses are not there yet: no copy of the register can answer.',
    'Adresserne er her ikke endnu: ingen kopi af registret kan svare.',
    cause,
  );
}

export interface AddressDeps {
  readonly clock: Clock;
  readonly freshness: Freshness;
  /** Of the register; absent or null: the whole country. */
  readonly coverage?: Coverage | null;
  /** null: nothing is loaded. */
  readonly memory: () => AddressesInMemory | null;
  /** Called when the copy is too old, so that a sync can be requested. */
  readonly onExpired?: () => void;
  readonly watcher?: Pick<Watcher, 'answered'>;
}

export interface AddressAnswer<T> {
  readonly generation: number;
  readonly provenance: readonly Provenance[];
  readonly value: T;
}

/** The addresses in memory. Throws the Failure when they may not answer. */
export function openedIndex(
  deps: AddressDeps,
  times = 1,
): {
  readonly finder: AddressFinder;
  readonly generation: number;
  readonly provenance: Provenance;
  readonly unanswered: PublishedCopy['unanswered'];
} {
  const held = deps.memory();
  const provenance = reportProvenance(deps, held?.copy ?? null, { by: 'snapshot', times });
  if (held === null) throw noAddresses();
  const { finder, generation, copy } = held;
  return { finder, generation, provenance, unanswered: copy.unanswered };
}

/** Reports `copyProvenance` to the watcher. Throws its Failure. */
export function reportProvenance(
  { clock, freshness, onExpired, watcher }: AddressDeps,
  copy: PublishedCopy | null,
  { by, times }: { readonly by: 'snapshot' | 'store'; readonly times: number },
): Provenance {
  const nowMs = clock.nowMs();
  const provenance = copyProvenance(copy, freshness, { nowMs, by });
  const isFailure = provenance instanceof Failure;
  watcher?.answered(ADDRESSES, isFailure ? 'unavailable' : provenance.rung, times);
  // An outdated copy is already reported.
  const isWatched = copy !== null && isOutdated(copy, nowMs);
  if ((isFailure || provenance.rung === 'stale') && !isWatched) onExpired?.();
  if (isFailure) throw provenance;
  return provenance;
}
