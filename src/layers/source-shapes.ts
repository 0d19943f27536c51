import { Type } from 'typebox';
import { LIMITS } from '../kernel/limits.ts';

export const partialOf = (properties: Parameters<typeof Type.Object>[0]) =>
  // Partial drops the options of its object.
  Type.Partial(Type.Object(properties), { additionalProperties: false });

export const WFS_SOURCE = {
  url: Type.String({ pattern: '^https?://[^?#]+$' }),
  typeName: Type.String({ minLength: 1 }),
  format: Type.Union([Type.Literal('gml'), Type.Literal('geojson')]),
  geometryProperty: Type.String({ minLength: 1 }),
  keyProperty: Type.String({ minLength: 1 }),
  srsName: Type.String({ minLength: 1 }),
  pageSize: Type.Integer({ minimum: 1, maximum: 100_000 }),
  pageTimeoutMs: Type.Integer({ minimum: 100, maximum: 3_600_000 }),
  // The total time of a live answer: more would be cut off silently.
  pointTimeoutMs: Type.Integer({ minimum: 100, maximum: LIMITS.originDeadlineMs }),
  tries: Type.Integer({ minimum: 1, maximum: 20 }),
  apiKeyParameter: Type.Union([Type.String({ minLength: 1 }), Type.Null()]),
};
