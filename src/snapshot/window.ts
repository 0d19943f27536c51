/**
 * One building line at one point from the features of a live window: the snapshot's own engine over
 * what the register just answered, so a live answer and a mirrored one follow the same rules.
 */
import { zoneEdges } from '../geo/dissolve.ts';
import type { PointUtm32 } from '../geo/point.ts';
import type { LineAttributes, Standing } from '../layers/feature.ts';
import type { LineKey } from '../layers/keys.ts';
import { LayerSnapshotBuilder } from './build-layer.ts';
import { LineEngine } from './lines.ts';
import { openLayerSnapshot } from './layer.ts';

/** A mapped feature of the window. */
export interface WindowFeature {
  readonly key: string;
  readonly objectId: string;
  readonly standing: Standing;
  readonly adopted: boolean;
  readonly attributes: string;
  readonly wkb: Uint8Array;
  /** Square metres; null for the line layers. */
  readonly areaM2: number | null;
}

export interface WindowFound {
  readonly objectId: string;
  readonly areaM2: number | null;
  readonly attributes: LineAttributes;
}

/** What is true of the line at the point, as far as the window proves it. Metres, unrounded. */
export interface WindowMeasure {
  readonly within: boolean;
  readonly uncertain: boolean;
  readonly distanceM: number | null;
  readonly count: number;
  readonly hit: WindowFound | null;
  readonly repealed: readonly (WindowFound & { readonly distanceM: number })[];
}

export interface WindowQuestion {
  readonly line: LineKey;
  readonly geometry: 'area' | 'line';
  readonly point: PointUtm32;
  readonly radiusM: number;
  readonly features: readonly WindowFeature[];
}

/** Throws when an area is invalid or the zones cannot be put together. */
export function measureWindow(question: WindowQuestion): WindowMeasure {
  const { line, geometry, point, radiusM, features } = question;
  const builder = new LayerSnapshotBuilder({ layer: line, geometry, version: 0 });
  for (const feature of features) builder.add(feature);
  if (geometry === 'area') {
    builder.withZones();
    const inForce = features.filter(({ standing }) => standing === 'in_force');
    for (const edge of zoneEdges(inForce.map(({ wkb }) => wkb))) builder.addZoneEdge(edge);
  }
  const snapshot = openLayerSnapshot(builder.finish(), { verified: true });
  const measure = new LineEngine(snapshot).measure(point, radiusM);
  const found = (index: number): WindowFound => {
    const { objectId, areaM2, attributes } = snapshot.feature(index);
    return { objectId, areaM2, attributes: JSON.parse(attributes) as LineAttributes };
  };
  return {
    ...measure,
    hit: measure.hit === null ? null : found(measure.hit),
    repealed: measure.repealed.map(({ feature, distanceM }) => ({ ...found(feature), distanceM })),
  };
}
