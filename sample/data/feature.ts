/** A feature of the sample as an upstream would hold it, before it is written as GML or GeoJSON. */
import type { ConditionId } from '../../src/layers/conditions/condition.ts';
import type { AreaId, LineKey } from '../../src/layers/keys.ts';
import type { SampleGeometry } from './geometry.ts';
import type { Loss } from './lost-member.ts';
import type { TableRow } from './table-row.ts';

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

export type Features = readonly SampleFeature[];

/** What every upstream holds, by layer, in stable key order. */
export type SampleData = Readonly<
  Record<AreaId | LineKey, Features> & Record<ConditionId, Features | undefined>
>;

/** The attributes of a schema from the row of a file. */
export function propertiesOf(schema: Schema, row: TableRow): SampleProperties {
  const values = Object.entries(schema).map(([name, type]) => [name, valueOf(row[name], type)]);
  return Object.fromEntries(values) as SampleProperties;
}

function valueOf(text: string | null | undefined, type: AttributeType): SampleValue {
  if (text === null || text === undefined) return null;
  if (type === 'boolean') return text === 'true';
  if (type === 'double' && text.endsWith('.0')) return { raw: text };
  return type === 'int' || type === 'double' ? Number(text) : text;
}

/** A value as text: what GML writes, and what keys are compared by. */
export function valueText(value: SampleValue | undefined): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'object' ? value.raw : String(value);
}
