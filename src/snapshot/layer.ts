/**
 * Exact EPSG:25832 coordinates in Hilbert order, the grid, and what answers show. Opening copies
 * nothing.
 */
import type { UnansweredPlaces } from '../geo/unanswered.ts';
import type { LayerId } from '../layers/keys.ts';
import { unpack } from './format.ts';
import type { Container } from './format.ts';
import { FEATURE } from './grid.ts';
import type { GridShape } from './grid.ts';
import { attributesOf, unpackColumns, unpackTexts } from './texts.ts';
import type { ColumnView } from './texts.ts';
import type { FeatureFacts } from '../layers/feature.ts';
import type { Grid } from './grid-layout.ts';

/** A change of the FlatGeobuf file needs another number: both are then rebuilt from the store. */
export const LAYER_KIND = 'layer-2';

export interface LayerMeta {
  readonly layer: LayerId;
  readonly geometry: 'area' | 'line';
  /** layer_state.version. */
  readonly version: number;
  readonly grid: GridShape;
  readonly columns: readonly string[];
  readonly keysAreObjectIds: boolean;
  readonly featureCount: number;
  readonly vertexCount: number;
  /** Without zone edges (D27) only distances outside are known. */
  readonly hasZones: boolean;
}

/** `attributes`: canonical JSON, keys sorted, no white space. */
export interface FeatureRecord extends FeatureFacts<string> {
  readonly areaM2: number | null;
}

export interface LayerSnapshot extends Grid {
  readonly buffer: SharedArrayBuffer;
  readonly meta: LayerMeta;
  /** Separate zone edges come after the features. */
  readonly xy: Float64Array;
  /** First vertex of each ring, and the end. */
  readonly ringStarts: Uint32Array;
  readonly ringKinds: Uint8Array;
  /** First ring of each feature, and the end. */
  readonly featureRings: Uint32Array;
  readonly featureFlags: Uint8Array;
  /** By object id, then key (bytewise): the last tie-break. */
  readonly featureRank: Uint32Array;
  /** A bit per vertex: its edge bounds a dissolved zone. */
  readonly zoneBits: Uint32Array;
  readonly columns: readonly ColumnView[];
  /** Allocates: not for inner loops. */
  feature(index: number): FeatureRecord;
  identify(index: number): Pick<FeatureRecord, 'objectId' | 'areaM2'>;
}

/** Throws SnapshotRefused. `verified`: the buffer's checksum was already checked. */
export function openLayerSnapshot(
  buffer: SharedArrayBuffer,
  options: { readonly verified?: boolean } = {},
): LayerSnapshot {
  const container = unpack<LayerMeta>(buffer, { kind: LAYER_KIND, ...options });
  const { meta } = container;
  const flags = container.bytes('featureFlags');
  return {
    buffer,
    meta,
    xy: container.floats('xy'),
    ringStarts: container.words('ringStarts'),
    ringKinds: container.bytes('ringKinds'),
    featureRings: container.words('featureRings'),
    featureFlags: flags,
    featureRank: container.words('featureRank'),
    zoneBits: container.words('zoneBits'),
    blocks: container.words('blocks'),
    tables: container.words('tables'),
    lists: container.words('lists'),
    ...records(container),
  };
}

function records(
  container: Container<LayerMeta>,
): Pick<LayerSnapshot, 'columns' | 'feature' | 'identify'> {
  const { meta } = container;
  const flags = container.bytes('featureFlags');
  const areas = container.floats('areas');
  const columns = unpackColumns(container, meta.columns);
  const objectIds = unpackTexts(container, 'objectIds');
  const keys = meta.keysAreObjectIds ? objectIds : unpackTexts(container, 'keys');
  const identify = (index: number): Pick<FeatureRecord, 'objectId' | 'areaM2'> => ({
    objectId: objectIds.at(index),
    areaM2: Number.isNaN(areas[index]!) ? null : areas[index]!,
  });
  const feature = (index: number): FeatureRecord => ({
    ...identify(index),
    key: keys.at(index),
    standing: (flags[index]! & FEATURE.repealed) === 0 ? 'in_force' : 'repealed',
    adopted: (flags[index]! & FEATURE.adopted) !== 0,
    attributes: attributesOf(columns, index),
  });
  return { columns, feature, identify };
}

export interface SharedSnapshot {
  readonly layer: LayerId;
  readonly buffer: SharedArrayBuffer;
  /** Places where the copy has no answer. */
  readonly unanswered?: UnansweredPlaces | null | undefined;
}
