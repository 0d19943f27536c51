/** What the upstreams hold right now: the sample, and the changes a test or an operator made. */
import type { LayerId } from '../src/layers/keys.ts';
import { generateSample, inKeyOrder } from './data/dataset.ts';
import type { Features, SampleData, SampleFeature, SampleProperties } from './data/feature.ts';
import { valueText } from './data/feature.ts';
import { at, mapPositions, toMillimetre } from './data/geometry.ts';
import { sourceOf } from './hosts.ts';

/** Metres east and north. */
export interface Shift {
  readonly east: number;
  readonly north: number;
}

let original: SampleData | undefined;

/** The sample is generated once a process, when it is first asked for. */
export class Holdings {
  readonly #current = new Map<LayerId, Features>();

  /** In stable key order. */
  features(layer: LayerId): Features {
    return this.#current.get(layer) ?? (original ??= generateSample())[layer] ?? [];
  }

  /** Replaces a layer's features by what `change` makes of them. */
  edit(layer: LayerId, change: (features: Features) => Features): void {
    this.#current.set(layer, inKeyOrder(layer, change(this.features(layer))));
  }

  /** One feature gone. @throws RangeError when no feature has the key (so in all below). */
  remove(layer: LayerId, key: string): void {
    this.#changeOne(layer, key, () => []);
  }

  /** One feature's geometry moved. */
  move(layer: LayerId, key: string, shift: Shift): void {
    this.#changeOne(layer, key, (feature) => [moved(feature, shift)]);
  }

  /** One attribute of one feature, by the upstream's own name (`navn`, `Statuskode` …). */
  assign(layer: LayerId, key: string, values: SampleProperties): void {
    this.#changeOne(layer, key, (feature) => [
      { ...feature, properties: { ...feature.properties, ...values } },
    ]);
  }

  /** All gone. */
  empty(layer: LayerId): void {
    this.#current.set(layer, []);
  }

  /** As generated: one layer, or all. */
  restore(layer?: LayerId): void {
    if (layer === undefined) this.#current.clear();
    else this.#current.delete(layer);
  }

  #changeOne(layer: LayerId, key: string, change: (feature: SampleFeature) => Features): void {
    const before = this.features(layer);
    const found = before.find((feature) => keyOf(layer, feature) === key);
    if (found === undefined) throw new RangeError(`${layer} has no feature ${key}`);
    const after = before.flatMap((feature) => (feature === found ? change(feature) : feature));
    this.#current.set(layer, after);
  }
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
