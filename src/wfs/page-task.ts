import type { Layer } from '../layers/catalogue.ts';

export const DAGI_BASE_SCALE = '1:10.000';

/**
 * The bytes are transferred: hash or copy them first. The page is read by its content; `format` is
 * only what was requested. `readAtMs`: see MappingOptions.
 */
export function pageTask(layer: Layer, bytes: Uint8Array, readAtMs?: number) {
  const { source } = layer;
  return {
    layer: layer.id,
    mapping: layer.mapping,
    geometryKind: layer.geometry,
    format: source.format,
    typeName: source.typeName,
    geometryProperty: source.geometryProperty,
    keyProperty: source.keyProperty,
    srsName: source.srsName,
    dagiScale: dagiScaleOf(source),
    ...(readAtMs !== undefined && { readAtMs }),
    bytes,
  };
}

export function dagiScaleOf({ dagiScale }: Layer['source']): string | null {
  return dagiScale === undefined ? DAGI_BASE_SCALE : dagiScale;
}
