/** Immutable: an answer keeps the set it started with (D19). */
import type { CoveringArea, CoveringAreas, LinesQuestion, LinesRead } from './layer-reads.ts';
import type { Bounds } from '../../geo/bounds.ts';
import { innerPoint } from '../../geo/inner-point.ts';
import type { PointUtm32 } from '../../geo/point.ts';
import { isUnansweredAt, unansweredOf } from '../../geo/unanswered.ts';
import type { Unanswered } from '../../geo/unanswered.ts';
import { ringsOfWkb } from '../../geo/wkb.ts';
import { remember } from '../../kernel/remember.ts';
import type { AreaId, District, LayerId, LineKey, Theme } from '../../layers/keys.ts';
import { THEMES, isLineKey, isTheme } from '../../layers/keys.ts';
import type { PublishedCopy } from '../../layers/published-copy.ts';
import { areaWkb, someVertices } from '../../snapshot/area-wkb.ts';
import type { AreaRecord } from '../../snapshot/areas.ts';
import { AreaEngine } from '../../snapshot/areas.ts';
import { boxOfFeature } from '../../snapshot/feature-box.ts';
import { checksumOf } from '../../snapshot/format.ts';
import type { LayerSnapshot, SharedSnapshot } from '../../snapshot/layer.ts';
import { LineEngine } from '../../snapshot/lines.ts';
import { answererOf, measureWith } from './line-measures.ts';
import type { LineAnswerer } from './line-measures.ts';
import type { RegisterState } from '../standing/register-state.ts';

export interface SetLayer {
  readonly copy: PublishedCopy;
  readonly snapshot: LayerSnapshot;
}

/** Creating an engine reads every area's attributes, so sets share them. */
export class EngineCache {
  readonly #lines = new WeakMap<SharedArrayBuffer, LineEngine>();
  readonly #areas = new WeakMap<SharedArrayBuffer, AreaEngine>();

  /** Throws SnapshotRefused when the engine cannot use the snapshot. */
  warm(snapshot: LayerSnapshot): void {
    const { layer } = snapshot.meta;
    if (isLineKey(layer)) this.line(snapshot);
    else if (isTheme(layer)) this.area(snapshot);
  }

  line(snapshot: LayerSnapshot): LineEngine {
    return remember(this.#lines, snapshot.buffer, () => new LineEngine(snapshot));
  }

  area(snapshot: LayerSnapshot): AreaEngine {
    return remember(this.#areas, snapshot.buffer, () => new AreaEngine(snapshot));
  }
}

export interface ReportedLayer extends RegisterState {
  readonly isPublished: boolean;
}

export interface LineReader {
  readonly radiusM: number;
  readonly answerAt: LineAnswerer;
  readonly shared: readonly SharedSnapshot[];
}

export interface AreaReader {
  /** By theme, then code (D44). */
  at(point: PointUtm32): readonly CoveringArea[];
  /** A theme of which an area may be missing there. */
  unansweredAt(point: PointUtm32): Theme | null;
}

const REGION_VOTES = 200;

export interface AreaInMemory extends Pick<AreaRecord, 'code' | 'name' | 'regionCode'> {
  readonly contentHash: string;
  /** 2D WKB, EPSG:25832. */
  wkb(): Uint8Array;
}

export interface DistrictsAt {
  readonly generation: number;
  readonly copy: PublishedCopy | null;
  readonly areas: readonly Pick<AreaInMemory, 'code' | 'name'>[];
}

export interface AreaWithBox extends Pick<AreaInMemory, 'code' | 'name'> {
  /** `id.lokalId` of DAGI. */
  readonly key: string;
  readonly regionCode: string | null;
  readonly boundsM: Bounds;
  /** Inside it; null: it has no surface. */
  readonly center: PointUtm32 | null;
}

export class SnapshotSet {
  /** The generation at which exactly these versions were published. */
  readonly generation: number;
  readonly layers: ReadonlyMap<LayerId, SetLayer>;
  readonly #registerStates: ReadonlyMap<LayerId, ReportedLayer>;
  readonly #lines = new Map<LineKey, LineEngine>();
  readonly #themes = new Map<Theme, AreaEngine>();
  readonly #names = new Map<Theme, ReadonlyMap<string, string>>();
  readonly #listed = new Map<AreaId, readonly AreaWithBox[]>();
  /** Of areas whose own snapshot lacks them, memoized because every property asks. */
  readonly #regions = new Map<AreaEngine, Map<number, string | null>>();
  #areaReader: AreaReader | null = null;
  readonly #districts = new Map<District, AreaEngine>();

  /**
   * `registerStates`: also of registers without a copy in memory. Throws SnapshotRefused when an
   * engine cannot use its snapshot.
   */
  constructor(
    generation: number,
    layers: ReadonlyMap<LayerId, SetLayer>,
    engines: EngineCache,
    registerStates: ReadonlyMap<LayerId, ReportedLayer> = new Map(),
  ) {
    this.generation = generation;
    this.layers = layers;
    this.#registerStates = registerStates;
    for (const [id, { snapshot }] of layers) {
      if (isLineKey(id)) this.#lines.set(id, engines.line(snapshot));
    }
    for (const theme of THEMES) {
      const layer = layers.get(theme);
      if (layer !== undefined) this.#themes.set(theme, engines.area(layer.snapshot));
    }
  }

  /** As last reported by the store; null: nothing. */
  registerState(layer: LayerId): RegisterState | null {
    return this.#registerStates.get(layer) ?? null;
  }

  isOnlyStored(layer: LayerId): boolean {
    return !this.layers.has(layer) && (this.#registerStates.get(layer)?.isPublished ?? true);
  }

  #refused(): ReadonlySet<LayerId> {
    return new Set([...this.#registerStates].flatMap(([id, { refused }]) => (refused ? [id] : [])));
  }

  namesOf(theme: Theme): ReadonlyMap<string, string> | null {
    const engine = this.#themes.get(theme);
    if (engine === undefined) return null;
    const names = () => new Map(engine.areas.map(({ code, name }) => [code, name]));
    return remember(this.#names, theme, names);
  }

  areasByCode(
    theme: AreaId,
    codes: readonly string[],
  ): { readonly copy: PublishedCopy; readonly areas: readonly AreaInMemory[] } | null {
    const layer = this.layers.get(theme);
    if (layer === undefined) return null;
    const engine = this.#engineOf(theme, layer);
    if (engine === undefined) return null;
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

  areasListed(area: AreaId): {
    readonly generation: number;
    readonly copy: PublishedCopy;
    readonly areas: readonly AreaWithBox[];
  } | null {
    const layer = this.layers.get(area);
    if (layer === undefined) return null;
    const engine = this.#engineOf(area, layer);
    if (engine === undefined) return null;
    const areas = remember(this.#listed, area, () => this.#list(engine));
    return { generation: this.generation, copy: this.#withRegions(layer.copy), areas };
  }

  districtsAt(district: District, point: PointUtm32): DistrictsAt | null {
    const layer = this.layers.get(district);
    if (layer === undefined) return null;
    const areas = this.#engineOf(district, layer)?.covering(point) ?? [];
    return { generation: this.generation, copy: layer.copy, areas };
  }

  #engineOf(area: AreaId, { snapshot }: SetLayer): AreaEngine | undefined {
    if (isTheme(area)) return this.#themes.get(area);
    return remember(this.#districts, area, () => new AreaEngine(snapshot));
  }

  #list(engine: AreaEngine): readonly AreaWithBox[] {
    const areas = engine.areas.map(({ key, code, name, regionCode }, n) => ({
      ...{ key, code, name, regionCode: regionCode ?? this.#regionOf(engine, n) },
      boundsM: boxOfFeature(engine.snapshot, n),
      center: innerPoint(ringsOfWkb(areaWkb(engine.snapshot, n))),
    }));
    return areas.toSorted((a, b) => (a.code < b.code ? -1 : 1));
  }

  /** Outdated as soon as the regions' copy is, whose codes the areas report (D130). */
  #withRegions(copy: PublishedCopy): PublishedCopy {
    const own = copy.outdatedAtMs ?? Infinity;
    const regions = this.layers.get('region')?.copy.outdatedAtMs ?? Infinity;
    return regions < own ? { ...copy, outdatedAtMs: regions } : copy;
  }

  lineReader({ lines, radiusM }: Pick<LinesQuestion, 'lines' | 'radiusM'>): LineReader {
    const engines = lines.map(({ id }) => {
      const engine = this.#lines.get(id);
      const unanswered = unansweredOf(this.layers.get(id)?.copy.unanswered);
      return engine === undefined ? { engine: null, line: id } : { engine, unanswered };
    });
    return {
      radiusM,
      answerAt: answererOf(engines, radiusM),
      // A getter would add a hidden class for each reader until the next full collection.
      shared: lines.flatMap(({ id }) => {
        const layer = this.layers.get(id);
        return layer === undefined ? [] : [sharedSnapshot(layer)];
      }),
    };
  }

  readLines({ points, lines, radiusM }: LinesQuestion): LinesRead {
    const engines = lines.map(({ id }) => this.#lines.get(id) ?? null);
    const measures = points.map((point) =>
      engines.map((engine) => engine && measureWith(engine, point, radiusM)),
    );
    const copies = new Map<LineKey, PublishedCopy>();
    for (const { id } of lines) {
      const layer = this.layers.get(id);
      if (layer !== undefined) copies.set(id, layer.copy);
    }
    const { generation } = this;
    return { rung: 'snapshot', generation, copies, refused: this.#refused(), measures };
  }

  /** null: a theme is not in memory. One for all callers. */
  areaReader(): AreaReader | null {
    this.#areaReader ??= this.#makeAreaReader();
    return this.#areaReader;
  }

  /**
   * D41, for a snapshot older than the regions: the region of most of the area's vertices, since
   * neighbours cover only shared ones.
   */
  #regionOf(engine: AreaEngine, area: number): string | null {
    const found = remember(this.#regions, engine, () => new Map<number, string | null>());
    return remember(found, area, () => this.#mostlyWithin(engine, area));
  }

  #mostlyWithin(engine: AreaEngine, area: number): string | null {
    const regions = this.#themes.get('region');
    const { snapshot } = engine;
    if (regions === undefined || !isTheme(snapshot.meta.layer)) return null;
    const votes = new Map<string, number>();
    for (const point of someVertices(snapshot, area, REGION_VOTES)) {
      for (const { code } of regions.covering(point)) votes.set(code, (votes.get(code) ?? 0) + 1);
    }
    const [most] = [...votes].sort(([, a], [, b]) => b - a);
    return most?.[0] ?? null;
  }

  #makeAreaReader(): AreaReader | null {
    const unanswered: { readonly theme: Theme; readonly places: readonly Unanswered[] }[] = [];
    for (const theme of THEMES) {
      const layer = this.layers.get(theme);
      if (layer === undefined) return null;
      const places = unansweredOf(layer.copy.unanswered);
      if (places !== null) unanswered.push({ theme, places });
    }
    return {
      at: (point) => this.#areasAt(point),
      unansweredAt: (point) => {
        for (const { theme, places } of unanswered) {
          if (isUnansweredAt(places, point)) return theme;
        }
        return null;
      },
    };
  }

  readCoveringAreas(points: readonly PointUtm32[]): CoveringAreas {
    const byPoint = points.map((point) => this.#areasAt(point));
    const states = new Map<Theme, PublishedCopy>();
    for (const theme of this.#themes.keys()) {
      const held = this.layers.get(theme);
      if (held !== undefined) states.set(theme, held.copy);
    }
    const { generation } = this;
    return { rung: 'snapshot', generation, states, refused: this.#refused(), byPoint };
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

export function sharedSnapshot({ copy, snapshot }: SetLayer): SharedSnapshot {
  const { meta, buffer } = snapshot;
  return { layer: meta.layer, buffer, unanswered: copy.unanswered };
}

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
