import { fromGeojsonVt } from '@maplibre/vt-pbf';
import { LIMITS } from '../../kernel/limits.ts';

/** Without empty layers. */
export function encodeTile(layers: Readonly<Record<string, readonly object[]>>): Uint8Array {
  const full = Object.entries(layers).filter(([, features]) => features.length > 0);
  if (full.length === 0) return new Uint8Array(0);
  const tiles = Object.fromEntries(full.map(([name, features]) => [name, { features }]));
  return fromGeojsonVt(tiles as never, { version: 2, extent: LIMITS.kort.extent });
}
