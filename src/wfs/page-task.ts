/** What a worker thread must know of a layer to read one of its answers. */
import type { Layer } from '../layers/catalogue.ts';

/** What `dagiScale` means where it is absent. */
export const DAGI_BASE_SCALE = '1:10.000';

/**
 * The task for `Workers.parsePage`. The bytes are handed over to the thread: hash or keep them
 * first. The page is read as what it is, so `format` only says what was asked for. `nowMs`: see
 * MappingOptions.
 */
export function pageTask(layer: Layer, bytes: Uint8Array, nowMs: number | null = null) {
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
    nowMs,
    bytes,
  };
}

/** The scale to mirror, as in `skala`; null for every scale. */
export function dagiScaleOf({ dagiScale }: Layer['source']): string | null {
  return dagiScale === undefined ? DAGI_BASE_SCALE : dagiScale;
}
