/** Everything the sample upstreams hold, generated from nothing but this code. */
import { layerOf } from '../../src/layers/catalogue.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import type { AreaId, LayerId, LineKey } from '../../src/layers/keys.ts';
import { AREA_IDS, LINE_KEYS } from '../../src/layers/keys.ts';
import { CONDITION_IDS } from '../../src/layers/conditions/index.ts';
import { conditionFeatures } from './conditions.ts';
import { themeFeatures } from './areas.ts';
import { exhibitsOf, monumentExhibits } from './exhibits.ts';
import type { SampleData, SampleFeature, SampleValue } from './feature.ts';
import { valueText } from './feature.ts';
import { monumentZones } from './monuments.ts';
import { readStreams, dykes, watercourses } from './streams.ts';
import { stripFeatures } from './strips.ts';
import { portalZones } from './zones.ts';

/** About 2,000 features in 17 layers; the same to the last digit every time. */
export function generateSample(): SampleData {
  const streams = readStreams();
  const zones = portalZones(streams);
  const areas = Object.fromEntries(AREA_IDS.map((id) => [id, themeFeatures(id)]));
  const layers = {
    ...(areas as Record<AreaId, SampleFeature[]>),
    strandbeskyttelse: stripFeatures('strandbeskyttelse'),
    klitfredning: stripFeatures('klitfredning'),
    ...zones,
    soe: [...zones.soe, ...exhibitsOf('soe')],
    skov: [...zones.skov, ...exhibitsOf('skov')],
    fortidsminde: [...monumentZones(), ...monumentExhibits()],
    dige: [...dykes(), ...exhibitsOf('dige')],
    natur: [...zones.natur, ...exhibitsOf('natur')],
    vandloeb: [...watercourses(streams), ...exhibitsOf('vandloeb')],
  } satisfies Record<AreaId | LineKey, SampleFeature[]>;
  const features = [...AREA_IDS, ...LINE_KEYS].map((id) => [id, layers[id]] as const);
  const conditions = CONDITION_IDS.map((id) => [id, conditionFeatures(id)] as const);
  return Object.fromEntries(
    [...features, ...conditions].map(([id, of]) => [id, inKeyOrder(id, of)]),
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
