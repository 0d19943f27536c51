/** A feature of the sample as an upstream would hold it, before it is written as GML or GeoJSON. */
import type { ConditionId } from '../../src/layers/conditions/condition.ts';
import type { AreaId, LineKey } from '../../src/layers/keys.ts';
import type { SampleGeometry } from './geometry.ts';
import type { Loss } from './lost-member.ts';

/** A number whose text matters: codes that arrive as `3.0`. Written as it stands. */
export interface RawNumber {
  readonly raw: string;
}

export type AttributeType = 'string' | 'int' | 'double' | 'boolean' | 'dateTime';

/** Attributes in order, without the geometry. */
export type Schema = Readonly<Record<string, AttributeType>>;

export type SampleValue = string | number | boolean | null | RawNumber;

/** Attributes under the upstream's own names, in the order of the feature type's schema. */
export type SampleProperties = Readonly<Record<string, SampleValue>>;

export interface SampleFeature {
  /** `gml:id` and GeoJSON `id`: unique within the layer. */
  readonly id: string;
  readonly properties: SampleProperties;
  readonly geometry: SampleGeometry | null;
  /** How a part of the geometry is lost in writing. */
  readonly loses?: Loss;
}

/** What every upstream holds, by layer, in stable key order. */
export type SampleData = Readonly<
  Record<AreaId | LineKey, readonly SampleFeature[]> &
    Record<ConditionId, readonly SampleFeature[] | undefined>
>;

/** A value as text: what GML writes, and what keys are compared by. */
export function valueText(value: SampleValue | undefined): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'object' ? value.raw : String(value);
}
