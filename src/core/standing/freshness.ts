/**
 * Whether memory alone may answer a question: every layer in memory and fresh. Otherwise each layer
 * climbs the ladder.
 */
import type { Clock } from '../../kernel/clock.ts';
import type { LineLayer } from '../../layers/catalogue.ts';
import type { LayerId } from '../../layers/keys.ts';
import type { Freshness } from '../../layers/source.ts';
import type { Provenance } from '../../answers/answer.ts';
import { Memoized } from './memoize.ts';
import { firstRung, provenanceOf } from './ladder.ts';
import type { LineReader, SnapshotSet } from '../held/snapshot-set.ts';

interface FreshLayer {
  readonly id: LayerId;
  readonly freshness: Freshness;
}

/**
 * Whether a job may use these layers as of one moment: all in memory and fresh. It states its moment, so an
 * outdated copy (D130) will do.
 */
export function areFreshOfTheirMoment(
  { layers: held }: SnapshotSet,
  layers: readonly FreshLayer[],
  nowMs: number,
): boolean {
  return layers.every(({ id, freshness }) => {
    const layer = held.get(id);
    const copy = layer === undefined ? null : { ...layer.copy, outdatedAtMs: null };
    return copy !== null && firstRung(copy, freshness, nowMs) === 'copy';
  });
}

/** In the order given; null: one is not in memory or not fresh. */
export function freshProvenances(
  { layers: held }: SnapshotSet,
  layers: readonly FreshLayer[],
  nowMs: number,
): Provenance[] | null {
  const provenances: Provenance[] = [];
  for (const { id, freshness } of layers) {
    const copy = held.get(id)?.copy ?? null;
    if (copy === null || firstRung(copy, freshness, nowMs) !== 'copy') return null;
    provenances.push(provenanceOf('snapshot', copy, nowMs));
  }
  return provenances;
}

export interface FreshReader {
  readonly generation: number;
  readonly reader: LineReader;
  readonly provenances: readonly Provenance[];
}

/** Memoizes the reader of repeated questions briefly, ages included. */
export class FreshReaders {
  readonly #readers: Memoized<SnapshotSet, readonly LineLayer[], FreshReader | null>;

  /** `searchRadiusM`: D23. */
  constructor({ clock, searchRadiusM }: { readonly clock: Clock; readonly searchRadiusM: number }) {
    this.#readers = new Memoized(clock, (set, lines, nowMs) => {
      const provenances = freshProvenances(set, lines, nowMs);
      const reader =
        provenances === null ? null : set.lineReader({ lines, radiusM: searchRadiusM });
      if (provenances === null || reader === null) return null;
      return { generation: set.generation, reader, provenances };
    });
  }

  /** null: a line is not in memory or not fresh. */
  of(set: SnapshotSet | null, layers: readonly LineLayer[]): FreshReader | null {
    return set === null ? null : this.#readers.of(set, layers);
  }
}
