/**
 * The memory rung: the published versions of some layers, all of one store generation, with the
 * engines that answer from them. Immutable: a publish makes a new set, and whoever holds the old one
 * finishes with it, so no answer mixes two generations (D19).
 */
import type { PointUtm32 } from '../geo/point.ts';
import type { LineAttributes } from '../layers/feature.ts';
import type { LayerId, LineKey, Theme } from '../layers/keys.ts';
import { THEMES, isLineKey, isTheme } from '../layers/keys.ts';
import type {
  LineMeasure,
  LinesQuestion,
  LinesRead,
  StoredFeature,
} from '../registers/building-lines/store.ts';
import type { CoveringArea, CoveringAreas } from '../registers/dagi/store.ts';
import { AreaEngine } from '../snapshot/areas.ts';
import type { LayerSnapshot } from '../snapshot/layer.ts';
import { LineEngine } from '../snapshot/lines.ts';

/** A layer's published copy, as the store last said. */
export interface SnapshotCopy {
  readonly version: number;
  /** Milliseconds UTC of the last run that proved the copy equal to its source. */
  readonly syncedAtMs: number;
}

export interface SetLayer {
  readonly copy: SnapshotCopy;
  readonly snapshot: LayerSnapshot;
}

/** Engines are kept over sets: making one reads every area's attributes. */
export class EngineShelf {
  readonly #lines = new WeakMap<SharedArrayBuffer, LineEngine>();
  readonly #areas = new WeakMap<SharedArrayBuffer, AreaEngine>();

  /** Makes the engine of a layer; throws SnapshotRefused when it cannot work with the snapshot. */
  warm(snapshot: LayerSnapshot): void {
    const { layer } = snapshot.meta;
    if (isLineKey(layer)) this.line(snapshot);
    else if (isTheme(layer)) this.area(snapshot);
  }

  line(snapshot: LayerSnapshot): LineEngine {
    const known = this.#lines.get(snapshot.buffer);
    if (known !== undefined) return known;
    const made = new LineEngine(snapshot);
    this.#lines.set(snapshot.buffer, made);
    return made;
  }

  area(snapshot: LayerSnapshot): AreaEngine {
    const known = this.#areas.get(snapshot.buffer);
    if (known !== undefined) return known;
    const made = new AreaEngine(snapshot);
    this.#areas.set(snapshot.buffer, made);
    return made;
  }
}

export class SnapshotSet {
  /** Store generation at which exactly these versions were the published ones. */
  readonly generation: number;
  readonly layers: ReadonlyMap<LayerId, SetLayer>;
  readonly #lines = new Map<LineKey, LineEngine>();
  readonly #themes = new Map<Theme, AreaEngine>();

  /** Throws SnapshotRefused when an engine cannot work with its snapshot. */
  constructor(generation: number, layers: ReadonlyMap<LayerId, SetLayer>, shelf: EngineShelf) {
    this.generation = generation;
    this.layers = layers;
    for (const [id, { snapshot }] of layers) {
      if (isLineKey(id)) this.#lines.set(id, shelf.line(snapshot));
      else if (isTheme(id)) this.#themes.set(id, shelf.area(snapshot));
    }
  }

  /** The answers to a question, or null when one of its lines is not in memory. */
  readLines({ points, lines, radiusM }: LinesQuestion): LinesRead | null {
    const engines: LineEngine[] = [];
    const copies = new Map<LineKey, SnapshotCopy>();
    for (const { id } of lines) {
      const engine = this.#lines.get(id);
      const layer = this.layers.get(id);
      if (engine === undefined || layer === undefined) return null;
      engines.push(engine);
      copies.set(id, layer.copy);
    }
    const measures = points.map((point) =>
      engines.map((engine) => measureWith(engine, point, radiusM)),
    );
    return { rung: 'snapshot', generation: this.generation, copies, measures };
  }

  /** The areas at the points, or null when a theme is not in memory. */
  readCoveringAreas(points: readonly PointUtm32[]): CoveringAreas | null {
    const states = new Map<Theme, SnapshotCopy>();
    for (const theme of THEMES) {
      const layer = this.layers.get(theme);
      if (layer === undefined) return null;
      states.set(theme, layer.copy);
    }
    const byPoint = points.map((point) => this.#areasAt(point));
    return { rung: 'snapshot', generation: this.generation, states, byPoint };
  }

  #areasAt(point: PointUtm32): CoveringArea[] {
    const found: CoveringArea[] = [];
    for (const theme of THEMES) {
      for (const { code, name } of this.#themes.get(theme)?.covering(point) ?? []) {
        found.push({ theme, code, name });
      }
    }
    return found;
  }
}

function measureWith(engine: LineEngine, point: PointUtm32, radiusM: number): LineMeasure {
  const measure = engine.measure(point, radiusM);
  const { snapshot } = engine;
  return {
    within: measure.within,
    uncertain: measure.uncertain,
    distanceM: measure.distanceM,
    count: measure.count,
    hit: measure.hit === null ? null : storedFeature(snapshot, measure.hit),
    repealed: measure.repealed.map(({ feature, distanceM }) => ({
      ...storedFeature(snapshot, feature),
      distanceM,
    })),
  };
}

function storedFeature(snapshot: LayerSnapshot, index: number): StoredFeature {
  const { objectId, areaM2, attributes } = snapshot.feature(index);
  return { objectId, areaM2, attributes: JSON.parse(attributes) as LineAttributes };
}
