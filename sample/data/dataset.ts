/** Everything the sample's hosts of features hold. */
import { layerOf } from '../../src/layers/catalogue.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import type { LayerId } from '../../src/layers/keys.ts';
import { AREA_IDS, LINE_KEYS } from '../../src/layers/keys.ts';
import { CONDITION_IDS } from '../../src/layers/conditions/index.ts';
import { conditionFeatures } from './conditions.ts';
import { themeFeatures } from './areas.ts';
import type { SampleData, SampleFeature, SampleValue } from './feature.ts';
import { valueText } from './feature.ts';
import { lineFeatures } from './lines.ts';

/** About 2,000 features in 17 layers; the same to the last digit every time. */
export function generateSample(): SampleData {
  const areas = AREA_IDS.map((id) => [id, themeFeatures(id)] as const);
  const lines = LINE_KEYS.map((id) => [id, lineFeatures(id)] as const);
  const conditions = CONDITION_IDS.map((id) => [id, conditionFeatures(id)] as const);
  return Object.fromEntries(
    [...areas, ...lines, ...conditions].map(([id, of]) => [id, inKeyOrder(id, of)]),
  ) as unknown as SampleData;
}

/** The order a server gives pages in when nobody asks for one: by primary key. */
export function inKeyOrder(layer: LayerId, features: readonly SampleFeature[]): SampleFeature[] {
  const { keyProperty } = layerOf(REGISTERS_CATALOGUE, layer).source;
  return [...features].sort((a, b) =>
    compareValues(a.properties[keyProperty], b.properties[keyProperty]),
  );
}

/** Numbers by size, texts by code unit, nulls last. */
export function compareValues(a: SampleValue | undefined, b: SampleValue | undefined): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [left, right] = [valueText(a), valueText(b)];
  if (left === right) return 0;
  if (left === null) return 1;
  if (right === null) return -1;
  return left < right ? -1 : 1;
}
