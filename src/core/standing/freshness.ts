/** Whether memory alone may answer: every layer in memory and fresh. */
import type { Clock } from '../../kernel/clock.ts';
import type { LineLayer } from '../../layers/catalogue.ts';
import type { LayerId } from '../../layers/keys.ts';
import type { Freshness } from '../../layers/source.ts';
import type { Provenance } from '../../answers/answer.ts';
import { Memoized } from './memoize.ts';
import { freshOf } from './standing.ts';
import type { LineReader, SnapshotSet } from '../held/snapshot-set.ts';

interface FreshLayer {
  readonly id: LayerId;
  readonly freshness: Freshness;
}

/** A job states its moment, so that an outdated copy (D130) will do. */
export function areFreshOfTheirMoment(
  { layers: held }: SnapshotSet,
  layers: readonly FreshLayer[],
  nowMs: number,
): boolean {
  return layers.every(({ id, freshness }) => {
    const layer = held.get(id);
    const copy = layer === undefined ? null : { ...layer.copy, outdatedAtMs: null };
    return freshOf(copy, freshness, nowMs) !== null;
  });
}

export function freshProvenances(
  { layers: held }: SnapshotSet,
  layers: readonly FreshLayer[],
  nowMs: number,
): Provenance[] | null {
  const provenances: Provenance[] = [];
  for (const { id, freshness } of layers) {
    const provenance = freshOf(held.get(id)?.copy ?? null, freshness, nowMs);
    if (provenance === null) return null;
    provenances.push(provenance);
  }
  return provenances;
}

export interface FreshReader {
  readonly generation: number;
  readonly reader: LineReader;
  /** In the order given; null: nothing answers the line. */
  readonly provenances: readonly (Provenance | null)[];
}

interface FreshReadersDeps {
  readonly clock: Clock;
  /** D23. */
  readonly searchRadiusM: number;
  /** Whether a line's register can be asked live; absent: it can. */
  readonly isLive?: (line: LineLayer) => boolean;
}

/** Memoized briefly, ages included. */
export class FreshReaders {
  readonly #readers: Memoized<SnapshotSet, readonly LineLayer[], FreshReader | null>;

  constructor({ clock, searchRadiusM, isLive = () => true }: FreshReadersDeps) {
    this.#readers = new Memoized(clock, (set, lines, nowMs) => {
      const answered = lines.filter((line) => !isUnanswered(set, line, isLive));
      const fresh = freshProvenances(set, answered, nowMs);
      if (fresh === null || answered.length === 0) return null;
      const provenances = lines.map((line) => fresh[answered.indexOf(line)] ?? null);
      const reader = set.lineReader({ lines, radiusM: searchRadiusM });
      return { generation: set.generation, reader, provenances };
    });
  }

  of(set: SnapshotSet | null, layers: readonly LineLayer[]): FreshReader | null {
    return set === null ? null : this.#readers.of(set, layers);
  }
}

function isUnanswered(
  set: SnapshotSet,
  line: LineLayer,
  isLive: (line: LineLayer) => boolean,
): boolean {
  if (set.layers.has(line.id) || set.isOnlyStored(line.id)) return false;
  const { held = false, refused = false } = set.registerState(line.id) ?? {};
  return held || refused || !isLive(line);
}
