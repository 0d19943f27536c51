/** What the upstreams hold right now: the sample, and the changes a test or an operator made. */
import type { LayerId } from '../src/layers/keys.ts';
import { generateSample, inKeyOrder } from './data/dataset.ts';
import type { SampleData, SampleFeature, SampleValue } from './data/feature.ts';
import { valueText } from './data/feature.ts';
import { at, mapPositions, toMillimetre } from './data/geometry.ts';
import { sourceOf } from './hosts.ts';

/** Metres east and north. */
export interface Shift {
  readonly east: number;
  readonly north: number;
}

export interface Holdings {
  /** In stable key order. */
  features(layer: LayerId): readonly SampleFeature[];
  /** Replaces a layer's features by what `change` makes of them. */
  edit(
    layer: LayerId,
    change: (features: readonly SampleFeature[]) => readonly SampleFeature[],
  ): void;
  /** One feature gone. @throws RangeError when no feature has the key (so in all below). */
  remove(layer: LayerId, key: string): void;
  /** One feature's geometry moved. */
  move(layer: LayerId, key: string, shift: Shift): void;
  /** One attribute of one feature, by the upstream's own name (`navn`, `Statuskode` …). */
  assign(layer: LayerId, key: string, values: Readonly<Record<string, SampleValue>>): void;
  /** All gone. */
  empty(layer: LayerId): void;
  /** As generated: one layer, or all. */
  restore(layer?: LayerId): void;
}

let original: SampleData | undefined;

/** The sample is generated once a process, when it is first asked for. */
export function createHoldings(): Holdings {
  const current = new Map<LayerId, readonly SampleFeature[]>();
  const features = (layer: LayerId): readonly SampleFeature[] =>
    current.get(layer) ?? (original ??= generateSample())[layer] ?? [];
  const changeOne = (
    layer: LayerId,
    key: string,
    change: (feature: SampleFeature) => SampleFeature | null,
  ): void => {
    const before = features(layer);
    const found = before.find((feature) => keyOf(layer, feature) === key);
    if (found === undefined) throw new RangeError(`${layer} has no feature ${key}`);
    const changed = change(found);
    current.set(
      layer,
      before.flatMap((feature) => (feature !== found ? [feature] : changed ? [changed] : [])),
    );
  };

  return {
    features,
    edit: (layer, change) => {
      current.set(layer, inKeyOrder(layer, change(features(layer))));
    },
    remove: (layer, key) => {
      changeOne(layer, key, () => null);
    },
    move: (layer, key, shift) => {
      changeOne(layer, key, (feature) => moved(feature, shift));
    },
    assign: (layer, key, values) => {
      changeOne(layer, key, (feature) => ({
        ...feature,
        properties: { ...feature.properties, ...values },
      }));
    },
    empty: (layer) => {
      current.set(layer, []);
    },
    restore: (layer) => {
      if (layer === undefined) current.clear();
      else current.delete(layer);
    },
  };
}

/** The key a feature is mirrored under, as text. */
export function keyOf(layer: LayerId, feature: SampleFeature): string | null {
  return valueText(feature.properties[sourceOf(layer).keyProperty]);
}

function moved(feature: SampleFeature, { east, north }: Shift): SampleFeature {
  if (feature.geometry === null) return feature;
  const geometry = mapPositions(feature.geometry, (pos) => [
    toMillimetre(at(pos, 0) + east),
    toMillimetre(at(pos, 1) + north),
    ...pos.slice(2),
  ]);
  return { ...feature, geometry };
}
