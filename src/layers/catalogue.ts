/** The only list of what is mirrored. */
import type { Announcement } from './announcement.ts';
import { CONDITIONS, CONDITION_IDS, conditionId, isConditionId } from './conditions/index.ts';
import { FRESHNESS, layerGuards } from './layer-defaults.ts';
import type { Condition, ConditionId } from './conditions/condition.ts';
import type { Coverage } from './coverage.ts';
import type { AreaId, LayerId, LineKey, MirrorId, RegisterId } from './keys.ts';
import { AREA_IDS, LINE_KEYS, REGISTER_IDS, isLineKey } from './keys.ts';
import { FEATURE_IDS, MIRROR_IDS } from './mirror-ids.ts';
import { overrideRegister } from './register.ts';
import type { RegisterOverride, TableRegister } from './register.ts';
import type {
  FeatureTableSource,
  FileSource,
  Freshness,
  Guards,
  LayerSource,
  SourceHost,
  TableSource,
  WfsSource,
} from './source.ts';

export type MappingId =
  | 'portal'
  | 'portal-skov'
  | 'portal-natur'
  | 'portal-dige'
  | 'cadastre'
  | 'heritage'
  | AreaId
  | ConditionId;

interface LayerBase {
  readonly id: LayerId;
  readonly mapping: MappingId;
  /** Asked live for one point; mirrored where there is no file or its listing fails. */
  readonly source: WfsSource;
  readonly files: FileSource | null;
  readonly freshness: Freshness;
  readonly guards: Guards;
  /** null: the country. */
  readonly coverage: Coverage | null;
  /** Rows are announced with a date from which they are valid. */
  readonly dated: boolean;
  /** Conditions only: nothing is read, and no copy answers. */
  readonly off?: boolean;
}

/** `geometry`: an area is the zone, a line is the object. */
export interface LineLayer extends LayerBase {
  readonly register: 'building-lines';
  readonly id: LineKey;
  readonly geometry: 'area' | 'line';
  readonly dated: false;
  /** D21; the provision is D22. */
  readonly name: string;
  readonly provision: string;
}

export interface AreaLayer<Id extends AreaId = AreaId> extends LayerBase {
  readonly register: 'dagi';
  readonly id: Id;
  readonly geometry: 'area';
  readonly dated: true;
  readonly name: string;
  readonly announcements?: readonly Announcement[];
}

export interface ConditionLayer extends LayerBase {
  readonly register: 'forhold';
  readonly id: ConditionId;
  readonly geometry: 'area';
  readonly dated: false;
  readonly name: string;
  readonly condition: Condition;
}

export type Layer = LineLayer | AreaLayer | ConditionLayer;

export type AreaLayers = { readonly [Id in AreaId]: AreaLayer<Id> };

export interface Catalogue {
  readonly lines: Readonly<Record<LineKey, LineLayer>>;
  readonly areas: AreaLayers;
  readonly conditions: Readonly<Record<ConditionId, ConditionLayer>>;
  readonly registers: Readonly<Record<RegisterId, TableRegister>>;
}

/** Throws where a key is missing. */
export function catalogueOf(mirrors: readonly Mirrored[]): Catalogue {
  const byId = new Map<MirrorId, Mirrored>(mirrors.map((mirror) => [mirror.id, mirror]));
  const pick = (ids: readonly MirrorId[]) =>
    Object.fromEntries(
      ids.map((id) => {
        const mirror = byId.get(id);
        if (mirror === undefined) throw new Error(`No register mirrors ${id}.`);
        return [id, mirror];
      }),
    );
  return {
    lines: pick(LINE_KEYS) as Catalogue['lines'],
    areas: pick(AREA_IDS) as unknown as AreaLayers,
    conditions: pick(CONDITION_IDS) as Catalogue['conditions'],
    registers: pick(REGISTER_IDS) as Catalogue['registers'],
  };
}

export const CONDITION_LAYERS: readonly ConditionLayer[] = CONDITIONS.map((condition) => {
  const id = conditionId(condition.key);
  return {
    ...{ register: 'forhold', id, mapping: id, geometry: 'area', dated: false },
    ...{ files: null, coverage: null, condition, name: condition.name },
    source: condition.source,
    freshness: FRESHNESS.nightly,
    guards: layerGuards(condition.minRows),
  };
});

export type Mirrored = Layer | TableRegister;

export function allMirrored(catalogue: Catalogue): readonly Mirrored[] {
  const known = MIRROR_IDS.map((id) => mirroredOf(catalogue, id));
  const others = Object.values(catalogue.registers).filter((each) => !known.includes(each));
  return [...known, ...others];
}

export function mirroredOf(catalogue: Catalogue, id: MirrorId): Mirrored {
  const registers: Readonly<Partial<Record<MirrorId, TableRegister>>> = catalogue.registers;
  return registers[id] ?? layerOf(catalogue, id as LayerId);
}

export type UpstreamSource = LayerSource | TableSource | FeatureTableSource;

/** Files and WFS alike: each alone may be enough. */
export function upstreamSources(mirrored: Mirrored): readonly UpstreamSource[] {
  if (!('tables' in mirrored)) {
    return [mirrored.source, ...(mirrored.files === null ? [] : [mirrored.files])];
  }
  return Object.values(mirrored.tables).flatMap(({ source }) => source ?? []);
}

export function addressOf(source: UpstreamSource): string {
  return source.kind === 'files' ? source.listUrl : source.url;
}

export function sourceHostOf(
  mirrored: Mirrored,
): { readonly host: SourceHost; readonly apiKeyParameter: string | null } | null {
  if (!('tables' in mirrored)) return mirrored.source;
  return Object.values(mirrored.tables).find(({ source }) => source !== null)?.source ?? null;
}

export function allLayers(catalogue: Catalogue): readonly Layer[] {
  return FEATURE_IDS.map((id) => layerOf(catalogue, id));
}

export function layerOf({ lines, areas, conditions }: Catalogue, id: LayerId): Layer {
  if (isConditionId(id)) return existing(conditions[id], id);
  return isLineKey(id) ? lines[id] : areas[id];
}

function existing<T>(layer: T | undefined, id: string): T {
  if (layer === undefined) throw new Error(`No register mirrors ${id}.`);
  return layer;
}

export interface LayerOverride {
  readonly source?: Partial<WfsSource>;
  /** null: the WFS is mirrored. Not allowed where the definition has no files. */
  readonly files?: Partial<FileSource> | null;
  readonly freshness?: Partial<Freshness>;
  readonly guards?: Partial<Guards>;
  readonly coverage?: Coverage | null;
  /** Conditions only. */
  readonly off?: boolean;
  /** Areas only. */
  readonly announcements?: readonly Announcement[];
}

export type SourceOverrides = Readonly<Partial<Record<LayerId, LayerOverride>>> &
  Readonly<Partial<Record<RegisterId, RegisterOverride>>>;

export function overrideCatalogue(base: Catalogue, overrides: SourceOverrides): Catalogue {
  const apply = <L extends Layer>(layer: L): L => {
    const change = overrides[layer.id];
    if (change === undefined) return layer;
    return {
      ...layer,
      source: { ...layer.source, ...change.source },
      files:
        layer.files === null || change.files === null ? null : { ...layer.files, ...change.files },
      freshness: { ...layer.freshness, ...change.freshness },
      guards: { ...layer.guards, ...change.guards },
      ...(change.coverage !== undefined && { coverage: change.coverage }),
      ...(change.off !== undefined && { off: change.off }),
      ...(change.announcements !== undefined && { announcements: change.announcements }),
    };
  };
  return {
    lines: mapRecord(base.lines, apply),
    areas: mapRecord(base.areas, apply) as AreaLayers,
    conditions: mapRecord(base.conditions, apply),
    registers: mapRecord(base.registers, (register) =>
      overrideRegister(register, overrides[register.id] ?? {}),
    ),
  };
}

function mapRecord<K extends string, V>(
  record: Readonly<Record<K, V>>,
  change: (value: V) => V,
): Record<K, V> {
  return Object.fromEntries(
    Object.entries<V>(record).map(([key, value]) => [key, change(value)]),
  ) as Record<K, V>;
}
