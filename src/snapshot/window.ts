/** Live windows through the snapshot engine: the rules of mirrored answers. */
import { boxesMeet, wkbBox } from '../geo/box.ts';
import type { Box } from '../geo/box.ts';
import { zoneEdges } from '../geo/dissolve.ts';
import { isSoundArea } from '../geo/jts.ts';
import type { PointUtm32 } from '../geo/point.ts';
import { repairArea } from '../geo/repair.ts';
import { wkbArea } from '../geo/ring-area.ts';
import { lineWkb, ringsOfWkb } from '../geo/wkb.ts';
import type { LineAttributes } from '../layers/feature.ts';
import type { LineKey } from '../layers/keys.ts';
import { LayerSnapshotBuilder } from './build-layer.ts';
import type { SnapshotFeature } from './build-layer.ts';
import { LineEngine } from './lines.ts';
import type { LineMeasure } from './lines.ts';
import { openLayerSnapshot } from './layer.ts';

export interface WindowFound {
  readonly objectId: string;
  readonly areaM2: number | null;
  readonly attributes: LineAttributes;
}

/** As far as the window proves it. Metres, unrounded; -0 never occurs. */
export interface WindowMeasure extends Omit<LineMeasure, 'hit' | 'repealed'> {
  /** D26; null when not within. */
  readonly hit: WindowFound | null;
  /** D31: nearest first, at most LIMITS.repealedPerLine. */
  readonly repealed: readonly (WindowFound & { readonly distanceM: number })[];
}

export interface WindowQuestion {
  readonly line: LineKey;
  readonly geometry: 'area' | 'line';
  readonly point: PointUtm32;
  readonly radiusM: number;
  readonly features: readonly SnapshotFeature[];
}

/**
 * Areas are repaired as in the copy (D144). Throws when a geometry cannot be repaired, or the zone
 * around the point cannot be assembled.
 */
export function measureWindow(given: WindowQuestion): WindowMeasure {
  if (given.geometry === 'line') return measure(given, []);
  const features = given.features.map(sound);
  const question = { ...given, features };
  // Dissolving costs a hundred times the rest and is needed only inside: a first pass uses the
  // areas' own edges and is correct except for that distance.
  const inForce = features.filter(({ standing }) => standing === 'in_force');
  const undissolved = measure(question, inForce.flatMap(ownEdges));
  if (!undissolved.within) return undissolved;
  return measure(question, zoneEdgesAround(question.point, inForce));
}

function sound(feature: SnapshotFeature): SnapshotFeature {
  if (isSoundArea(feature.wkb)) return feature;
  const repaired = repairArea(feature.wkb);
  if (repaired === null) throw new Error(`Of the area ${feature.key} a repair leaves nothing.`);
  const { wkb } = repaired;
  return { ...feature, wkb, areaM2: wkbArea(wkb) };
}

function measure(
  { line, geometry, point, radiusM, features }: WindowQuestion,
  edges: readonly Uint8Array[],
): WindowMeasure {
  const builder = new LayerSnapshotBuilder({ layer: line, geometry, version: 0 });
  for (const feature of features) builder.add(feature);
  if (geometry === 'area') {
    builder.withZones();
    for (const edge of edges) builder.addZoneEdge(edge);
  }
  const snapshot = openLayerSnapshot(builder.finish(), { verified: true });
  const found = (index: number): WindowFound => {
    const { objectId, areaM2, attributes } = snapshot.feature(index);
    return { objectId, areaM2, attributes: JSON.parse(attributes) as LineAttributes };
  };
  const measured = new LineEngine(snapshot).measure(point, radiusM);
  return {
    ...measured,
    hit: measured.hit === null ? null : found(measured.hit),
    repealed: measured.repealed.map(({ feature, distanceM }) => ({
      ...found(feature),
      distanceM,
    })),
  };
}

function ownEdges({ wkb }: SnapshotFeature): Uint8Array[] {
  const rings = ringsOfWkb(wkb);
  const xy = rings.xy.view();
  const starts = rings.starts.view();
  return Array.from(starts, (start, ring) =>
    lineWkb(xy.subarray(2 * start, 2 * (starts[ring + 1] ?? xy.length / 2))),
  );
}

function zoneEdgesAround(
  { xUtm32, yUtm32 }: PointUtm32,
  areas: readonly SnapshotFeature[],
): Uint8Array[] {
  const all = areas.map(({ wkb }) => ({ wkb, box: wkbBox(wkb) }));
  const at: Box = { minX: xUtm32, minY: yUtm32, maxX: xUtm32, maxY: yUtm32 };
  const chosen = new Set(all.filter(({ box }) => boxesMeet(box, at, TOLERANCE_M)));
  // The iteration includes members added meanwhile.
  for (const { box } of chosen) {
    for (const other of all) if (boxesMeet(other.box, box, TOLERANCE_M)) chosen.add(other);
  }
  return zoneEdges([...chosen].map(({ wkb }) => wkb));
}

/** Generous, as it only preselects: areas a slit apart are one zone. */
const TOLERANCE_M = 0.01;
