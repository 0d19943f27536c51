/**
 * Whether memory alone may answer a question: every layer of it there, and every copy fresh. Whoever
 * asks otherwise climbs the ladder, layer by layer.
 */
import type { Clock } from '../kernel/clock.ts';
import type { LineLayer } from '../layers/catalogue.ts';
import type { LayerId } from '../layers/keys.ts';
import type { Freshness } from '../layers/source.ts';
import type { Provenance } from '../answers/answer.ts';
import { Memoized } from './memoize.ts';
import { firstRung, provenanceOf } from './ladder.ts';
import type { LineReader, SnapshotSet } from './snapshot-set.ts';

interface FreshLayer {
  readonly id: LayerId;
  readonly freshness: Freshness;
}

/**
 * Whether a job may be answered from these layers as they were at one moment: all in memory and fresh. A
 * copy that a date has made past (D130) is as good as any there: the job says of which moment it is.
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

/** Of each layer, in the order given; null: one is not in memory, or not fresh. */
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

/** What measures all of some lines from memory, when all are there and fresh. */
export interface FreshReader {
  readonly generation: number;
  readonly reader: LineReader;
  /** Of each line, in the order asked. */
  readonly provenances: readonly Provenance[];
}

/**
 * Finds the readers of questions that come again and again: for a moment the same set, asked for the
 * same lines, has the same reader, ages and all.
 */
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

  /** null: a line is not in memory, or not fresh. */
  of(set: SnapshotSet | null, layers: readonly LineLayer[]): FreshReader | null {
    return set === null ? null : this.#readers.of(set, layers);
  }
}
