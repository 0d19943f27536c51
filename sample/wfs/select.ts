/** Which features a query asks for, and in which order: filter and sort, before any page is cut. */
import { compareValues } from '../data/dataset.ts';
import type { SampleFeature } from '../data/feature.ts';
import type { Box } from '../data/geometry.ts';
import { envelopeOf } from '../data/geometry.ts';
import { meets } from './filter.ts';
import type { Where } from './filter.ts';
import type { FeatureQuery, SortKey } from './query.ts';

/** Every feature that matches, sorted; without `sortBy` in the order they are held in. */
export function selectFeatures(
  features: readonly SampleFeature[],
  query: FeatureQuery,
): readonly SampleFeature[] {
  const { bbox, where, sortBy } = query;
  const hasValue = ({ properties }: SampleFeature, { attribute, values }: Where) =>
    values.some((value) => meets(properties, { attribute, value }));
  const matching = features.filter(
    (feature) =>
      (bbox === null || touches(feature, bbox)) && (where === null || hasValue(feature, where)),
  );
  if (sortBy.length === 0) return matching;
  return matching.sort((a, b) => compareBy(sortBy, a, b));
}

/** GeoServer's loose bbox: by the feature's envelope. Nothing without a geometry is anywhere. */
function touches({ geometry }: SampleFeature, box: Box): boolean {
  if (geometry === null) return false;
  const own = envelopeOf(geometry);
  return (
    own.minX <= box.maxX && own.maxX >= box.minX && own.minY <= box.maxY && own.maxY >= box.minY
  );
}

function compareBy(keys: readonly SortKey[], a: SampleFeature, b: SampleFeature): number {
  for (const { attribute, descending } of keys) {
    const order = compareValues(a.properties[attribute], b.properties[attribute]);
    if (order !== 0) return descending ? -order : order;
  }
  return 0;
}
