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
import type { AreaRecord } from '../snapshot/areas.ts';
import { AreaEngine } from '../snapshot/areas.ts';
import { AttributeReader } from '../snapshot/attributes.ts';
import type { LayerSnapshot } from '../snapshot/layer.ts';
import { LINE_FLAG } from '../snapshot/line-flags.ts';
import { LineEngine } from '../snapshot/lines.ts';
import type { LineMeasure as EngineMeasure } from '../snapshot/lines.ts';
import type { AreasBatch, LinesBatch, SharedSnapshot } from '../../workers/protocol.ts';

/** A layer's published copy, as the store last said. */
export interface SnapshotCopy {
  readonly version: number;
  /** Milliseconds UTC of the last run that proved the copy equal to its source. */
  readonly syncedAtMs: number;
  /** An operator put this version back and holds it there. */
  readonly held: boolean;
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

/** Measures some lines, of one generation, at a point after the other. */
export interface LineReader {
  readonly copies: ReadonlyMap<LineKey, SnapshotCopy>;
  readonly radiusM: number;
  /** In the order of the lines asked for. */
  at(point: PointUtm32): readonly LineMeasure[];
  /** The same from what a thread measured over `shared`, for the nth point of its batch. */
  read(batch: LinesBatch, n: number): readonly LineMeasure[];
  /** What threads measure, of this very generation. */
  readonly shared: readonly SharedSnapshot[];
}

/** Finds the areas of all themes, of one generation, at a point after the other. */
export interface AreaReader {
  readonly states: ReadonlyMap<Theme, SnapshotCopy>;
  /** By theme, then code (D44). */
  at(point: PointUtm32): readonly CoveringArea[];
  /** The same from what a thread found over `shared`, for the nth point of its batch. */
  read(batch: AreasBatch, n: number): readonly CoveringArea[];
  /** What threads look through, of this very generation. */
  readonly shared: readonly SharedSnapshot[];
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
    }
    // In the order of THEMES, which is that of answers.
    for (const theme of THEMES) {
      const layer = layers.get(theme);
      if (layer !== undefined) this.#themes.set(theme, shelf.area(layer.snapshot));
    }
  }

  /** Whether an operator holds this layer where it is, as far as is known here. */
  isHeld(layer: LayerId): boolean {
    return this.layers.get(layer)?.copy.held ?? false;
  }

  /** What measures these lines at a point, or null when one of them is not in memory. */
  lineReader({ lines, radiusM }: Pick<LinesQuestion, 'lines' | 'radiusM'>): LineReader | null {
    const engines: LineEngine[] = [];
    const copies = new Map<LineKey, SnapshotCopy>();
    for (const { id } of lines) {
      const engine = this.#lines.get(id);
      const layer = this.layers.get(id);
      if (engine === undefined || layer === undefined) return null;
      engines.push(engine);
      copies.set(id, layer.copy);
    }
    return {
      copies,
      radiusM,
      at: (point) => engines.map((engine) => measureWith(engine, point, radiusM)),
      read: (batch, n) =>
        engines.map((engine, m) => measureOf(engine, batch, cellOf(engines, n, m))),
      get shared() {
        return engines.map(({ snapshot }) => sharedOf(snapshot));
      },
    };
  }

  /** The answers to a question, or null when one of its lines is not in memory. */
  readLines({ points, ...asked }: LinesQuestion): LinesRead | null {
    const reader = this.lineReader(asked);
    if (reader === null) return null;
    const measures = points.map((point) => reader.at(point));
    return { rung: 'snapshot', generation: this.generation, copies: reader.copies, measures };
  }

  /** What finds the areas at a point, or null when a theme is not in memory. */
  areaReader(): AreaReader | null {
    const states = new Map<Theme, SnapshotCopy>();
    for (const theme of THEMES) {
      const layer = this.layers.get(theme);
      if (layer === undefined) return null;
      states.set(theme, layer.copy);
    }
    const engines = [...this.#themes.values()];
    return {
      states,
      at: (point) => this.#areasAt(point),
      read: (batch, n) => this.#areasOf(batch, n),
      get shared() {
        return engines.map(({ snapshot }) => sharedOf(snapshot));
      },
    };
  }

  /** The areas at the points, or null when a theme is not in memory. */
  readCoveringAreas(points: readonly PointUtm32[]): CoveringAreas | null {
    const reader = this.areaReader();
    if (reader === null) return null;
    const byPoint = points.map((point) => reader.at(point));
    return { rung: 'snapshot', generation: this.generation, states: reader.states, byPoint };
  }

  #areasAt(point: PointUtm32): CoveringArea[] {
    const found: CoveringArea[] = [];
    for (const [theme, engine] of this.#themes) {
      const count = engine.coversInto(point, this.#few);
      if (count === 1) found.push(shownArea(theme, engine.areas[this.#few[0] ?? 0]));
      if (count < 2) continue;
      for (const record of engine.covering(point)) found.push(shownArea(theme, record));
    }
    return found;
  }

  #areasOf({ starts, areas }: AreasBatch, n: number): CoveringArea[] {
    const found: CoveringArea[] = [];
    let cell = n * this.#themes.size;
    for (const [theme, engine] of this.#themes) {
      const from = starts[cell] ?? 0;
      const until = starts[cell + 1] ?? from;
      if (until - from === 1) found.push(shownArea(theme, engine.areas[areas[from] ?? 0]));
      else if (until > from) {
        const records = engine.sorted(areas.subarray(from, until));
        for (const record of records) found.push(shownArea(theme, record));
      }
      cell += 1;
    }
    return found;
  }

  readonly #few = new Uint32Array(64);
}

function sharedOf({ meta, buffer }: LayerSnapshot): SharedSnapshot {
  return { layer: meta.layer, buffer };
}

function cellOf(engines: readonly LineEngine[], point: number, line: number): number {
  return point * engines.length + line;
}

/** By area of a snapshot: what is shown of it, the same object each time. */
const shown = new WeakMap<AreaRecord, CoveringArea>();

function shownArea(theme: Theme, record: AreaRecord | undefined): CoveringArea {
  if (record === undefined) throw new Error(`The snapshot of ${theme} lacks an area.`);
  const known = shown.get(record);
  if (known !== undefined) return known;
  const { code, name } = record;
  const made = { theme, code, name };
  shown.set(record, made);
  return made;
}

function measureWith(engine: LineEngine, point: PointUtm32, radiusM: number): LineMeasure {
  return storedMeasure(engine.snapshot, engine.measure(point, radiusM));
}

/** What a thread measured, as the engine itself would say it. */
function measureOf({ snapshot }: LineEngine, batch: LinesBatch, cell: number): LineMeasure {
  const flags = batch.flags[cell] ?? 0;
  const distanceM = batch.distances[cell] ?? NaN;
  const hit = batch.hits[cell] ?? -1;
  const from = batch.repealedStarts[cell] ?? 0;
  const until = batch.repealedStarts[cell + 1] ?? from;
  return storedMeasure(snapshot, {
    within: (flags & LINE_FLAG.within) !== 0,
    uncertain: (flags & LINE_FLAG.uncertain) !== 0,
    distanceM: Number.isNaN(distanceM) ? null : distanceM,
    count: batch.counts[cell] ?? 0,
    hit: hit < 0 ? null : hit,
    repealed: from === until ? NONE_NEAR : repealedOf(batch, from, until),
  });
}

const NONE_NEAR: EngineMeasure['repealed'] = [];

function repealedOf(
  { repealedFeatures, repealedDistances }: LinesBatch,
  from: number,
  until: number,
): EngineMeasure['repealed'] {
  return Array.from(repealedFeatures.subarray(from, until), (feature, i) => ({
    feature,
    distanceM: repealedDistances[from + i] ?? NaN,
  }));
}

function storedMeasure(snapshot: LayerSnapshot, measure: EngineMeasure): LineMeasure {
  const { within, uncertain, distanceM, count, hit, repealed } = measure;
  return {
    within,
    uncertain,
    distanceM,
    count,
    hit: hit === null ? null : storedFeature(snapshot, hit),
    repealed:
      repealed.length === 0
        ? NONE
        : repealed.map((near) => ({
            ...storedFeature(snapshot, near.feature),
            distanceM: near.distanceM,
          })),
  };
}

const NONE: LineMeasure['repealed'] = [];

/** By snapshot: what its attributes say, read once where many features share it. */
const readers = new WeakMap<LayerSnapshot, AttributeReader>();

function storedFeature(snapshot: LayerSnapshot, index: number): StoredFeature {
  const reader = readers.get(snapshot) ?? new AttributeReader(snapshot);
  readers.set(snapshot, reader);
  const { objectId, areaM2 } = snapshot.identify(index);
  return { objectId, areaM2, attributes: reader.read(index) as unknown as LineAttributes };
}
