/**
 * The memory rung: the published versions of some layers, all of one store generation, with the
 * engines that answer from them. Immutable: a publish makes a new set, and whoever holds the old one
 * finishes with it, so no answer mixes two generations (D19).
 */
import type { PointUtm32 } from '../geo/point.ts';
import { unansweredAt, unansweredOf } from '../geo/unanswered.ts';
import type { Unanswered } from '../geo/unanswered.ts';
import type { LayerId, LineKey, Theme } from '../layers/keys.ts';
import { POSTAL, THEMES, isLineKey, isTheme } from '../layers/keys.ts';
import type { PublishedCopy } from '../layers/published-copy.ts';
import type { LineMeasure, LinesQuestion, LinesRead } from '../registers/lines/store.ts';
import type { CoveringArea, CoveringAreas } from '../registers/areas/store.ts';
import { areaWkb, someVertices } from '../snapshot/area-wkb.ts';
import type { AreaRecord } from '../snapshot/areas.ts';
import { AreaEngine } from '../snapshot/areas.ts';
import { checksumOf } from '../snapshot/format.ts';
import type { LayerSnapshot } from '../snapshot/layer.ts';
import { LineEngine } from '../snapshot/lines.ts';
import type { SharedSnapshot } from '../snapshot/layer.ts';
import { answererOf, measureWith } from '../registers/lines/measures.ts';
import type { LineAnswerer, PlacedEngine } from '../registers/lines/measures.ts';
import type { RegisterState } from './register-state.ts';

export interface SetLayer {
  readonly copy: PublishedCopy;
  readonly snapshot: LayerSnapshot;
}

/** Engines are kept over sets: making one reads every area's attributes. */
export class EngineCache {
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
  readonly copies: ReadonlyMap<LineKey, PublishedCopy>;
  readonly radiusM: number;
  /** In the order of the lines asked for. */
  at(point: PointUtm32): readonly LineMeasure[];
  /** The same as an answer; `provenances` in the same order. */
  readonly answerAt: LineAnswerer;
  /** What threads measure, of this very generation. */
  readonly shared: readonly SharedSnapshot[];
}

/** Finds the areas of all themes, of one generation, at a point after the other. */
export interface AreaReader {
  readonly states: ReadonlyMap<Theme, PublishedCopy>;
  /** By theme, then code (D44). */
  at(point: PointUtm32): readonly CoveringArea[];
  /** A theme whose copy answers nothing at the point; null: all answer. */
  unansweredAt(point: PointUtm32): UnansweredTheme | null;
}

export interface UnansweredTheme {
  readonly theme: Theme;
  readonly kind: Unanswered['kind'];
}

/** Vertices of an area that are asked which region they lie in. */
const REGION_VOTES = 200;

/** An area of a theme, with a way to its exact geometry. */
export interface AreaInMemory extends Pick<AreaRecord, 'code' | 'name' | 'regionCode'> {
  /** Another one for other contents. */
  readonly contentHash: string;
  /** 2D WKB, EPSG:25832. */
  wkb(): Uint8Array;
}

export class SnapshotSet {
  /** Store generation at which exactly these versions were the published ones. */
  readonly generation: number;
  readonly layers: ReadonlyMap<LayerId, SetLayer>;
  readonly #registerStates: ReadonlyMap<LayerId, RegisterState>;
  readonly #lines = new Map<LineKey, LineEngine>();
  readonly #themes = new Map<Theme, AreaEngine>();
  readonly #names = new Map<Theme, ReadonlyMap<string, string>>();
  /** Of areas whose own snapshot does not tell, by number: found once, a property asks each time. */
  readonly #regions = new Map<AreaEngine, Map<number, string | null>>();
  #areaReader: AreaReader | null = null;

  /**
   * `registerStates`: of the registers, those without a copy in memory among them. Throws SnapshotRefused
   * when an engine cannot work with its snapshot.
   */
  constructor(
    generation: number,
    layers: ReadonlyMap<LayerId, SetLayer>,
    engines: EngineCache,
    registerStates: ReadonlyMap<LayerId, RegisterState> = new Map(),
  ) {
    this.generation = generation;
    this.layers = layers;
    this.#registerStates = registerStates;
    for (const [id, { snapshot }] of layers) {
      if (isLineKey(id)) this.#lines.set(id, engines.line(snapshot));
    }
    // In the order of THEMES, which is that of answers.
    for (const theme of THEMES) {
      const layer = layers.get(theme);
      if (layer !== undefined) this.#themes.set(theme, engines.area(layer.snapshot));
    }
  }

  /** What the store last reported of the layer's register; null: nothing. */
  registerState(layer: LayerId): RegisterState | null {
    return this.#registerStates.get(layer) ?? null;
  }

  #refused(): ReadonlySet<LayerId> {
    return new Set([...this.#registerStates].flatMap(([id, { refused }]) => (refused ? [id] : [])));
  }

  /** Names of a theme's areas by code, or null when it is not in memory. */
  namesOf(theme: Theme): ReadonlyMap<string, string> | null {
    const engine = this.#themes.get(theme);
    if (engine === undefined) return null;
    const known = this.#names.get(theme);
    if (known !== undefined) return known;
    const names = new Map(engine.areas.map(({ code, name }) => [code, name]));
    this.#names.set(theme, names);
    return names;
  }

  /** Those areas of a theme that have one of the codes; null when the theme is not in memory. */
  areasByCode(
    theme: Theme,
    codes: readonly string[],
  ): { readonly copy: PublishedCopy; readonly areas: readonly AreaInMemory[] } | null {
    const engine = this.#themes.get(theme);
    const layer = this.layers.get(theme);
    if (engine === undefined || layer === undefined) return null;
    const { snapshot } = engine;
    const areas = codes.flatMap((wanted): AreaInMemory[] => {
      const number = engine.numberOf(wanted);
      const area = number === undefined ? undefined : engine.areas[number];
      if (number === undefined || area === undefined) return [];
      const { code, name } = area;
      const regionCode = area.regionCode ?? this.#regionOf(engine, number);
      const contentHash = `${checksumOf(snapshot.buffer).toString(16)}-${number}`;
      return [{ code, name, regionCode, contentHash, wkb: () => areaWkb(snapshot, number) }];
    });
    return { copy: this.#withRegions(layer.copy), areas };
  }

  /** A copy whose areas tell their regions: past as soon as that of the regions is (D130). */
  #withRegions(copy: PublishedCopy): PublishedCopy {
    const own = copy.outdatedAtMs ?? Infinity;
    const regions = this.layers.get('region')?.copy.outdatedAtMs ?? Infinity;
    return regions < own ? { ...copy, outdatedAtMs: regions } : copy;
  }

  /** What measures these lines at a point, or null when one of them is not in memory. */
  lineReader({ lines, radiusM }: Pick<LinesQuestion, 'lines' | 'radiusM'>): LineReader | null {
    const engines: PlacedEngine[] = [];
    const shared: SharedSnapshot[] = [];
    const copies = new Map<LineKey, PublishedCopy>();
    for (const { id } of lines) {
      const engine = this.#lines.get(id);
      const layer = this.layers.get(id);
      if (engine === undefined || layer === undefined) return null;
      engines.push({ engine, unanswered: unansweredOf(layer.copy.unanswered) });
      copies.set(id, layer.copy);
      shared.push(sharedSnapshot(layer));
    }
    return {
      copies,
      radiusM,
      at: (point) => engines.map(({ engine }) => measureWith(engine, point, radiusM)),
      answerAt: answererOf(engines, radiusM),
      // Made at once: a getter would be a shape for each reader, kept until the next full collection.
      shared,
    };
  }

  /** The answers to a question, or null when one of its lines is not in memory. */
  readLines({ points, ...asked }: LinesQuestion): LinesRead | null {
    const reader = this.lineReader(asked);
    if (reader === null) return null;
    const measures = points.map((point) => reader.at(point));
    const { generation } = this;
    const refused = this.#refused();
    return { rung: 'snapshot', generation, copies: reader.copies, refused, measures };
  }

  /** What finds the areas at a point, or null when a theme is not in memory. One for all who ask. */
  areaReader(): AreaReader | null {
    this.#areaReader ??= this.#makeAreaReader();
    return this.#areaReader;
  }

  /**
   * The region that an area lies in (D41), for one whose snapshot is older than the regions: that which
   * covers most of its vertices, since a neighbour covers only those they share. null: none does, or
   * the theme has none.
   */
  #regionOf(engine: AreaEngine, area: number): string | null {
    const found = this.#regions.get(engine) ?? new Map<number, string | null>();
    this.#regions.set(engine, found);
    const known = found.get(area);
    if (known !== undefined) return known;
    const region = this.#mostlyWithin(engine, area);
    found.set(area, region);
    return region;
  }

  #mostlyWithin(engine: AreaEngine, area: number): string | null {
    const regions = this.#themes.get('region');
    const { snapshot } = engine;
    if (regions === undefined || snapshot.meta.layer === POSTAL) return null;
    const votes = new Map<string, number>();
    for (const point of someVertices(snapshot, area, REGION_VOTES)) {
      for (const { code } of regions.covering(point)) votes.set(code, (votes.get(code) ?? 0) + 1);
    }
    const [most] = [...votes].sort(([, a], [, b]) => b - a);
    return most?.[0] ?? null;
  }

  #makeAreaReader(): AreaReader | null {
    const states = new Map<Theme, PublishedCopy>();
    for (const theme of THEMES) {
      const layer = this.layers.get(theme);
      if (layer === undefined) return null;
      states.set(theme, layer.copy);
    }
    const unanswered = [...states].flatMap(([theme, copy]) => {
      const places = unansweredOf(copy.unanswered);
      return places === null ? [] : [{ theme, places }];
    });
    return {
      states,
      at: (point) => this.#areasAt(point),
      unansweredAt: (point) => {
        for (const { theme, places } of unanswered) {
          const kind = unansweredAt(places, point);
          if (kind !== null) return { theme, kind };
        }
        return null;
      },
    };
  }

  /** The areas at the points, or null when a theme is not in memory. */
  readCoveringAreas(points: readonly PointUtm32[]): CoveringAreas | null {
    const reader = this.areaReader();
    if (reader === null) return null;
    const byPoint = points.map((point) => reader.at(point));
    const { generation } = this;
    const refused = this.#refused();
    return { rung: 'snapshot', generation, states: reader.states, refused, byPoint };
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

  readonly #few = new Uint32Array(64);
}

/** What a thread is told of a layer. */
export function sharedSnapshot({ copy, snapshot }: SetLayer): SharedSnapshot {
  const { meta, buffer } = snapshot;
  return { layer: meta.layer, buffer, unanswered: copy.unanswered };
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
