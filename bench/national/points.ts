/** Access addresses at national size: 2.4 M points, most of them in towns and along roads. */
import { pack, unpack } from '../../src/snapshot/format.ts';
import { sortPoints } from '../../src/snapshot/points.ts';
import type { SortedPoints } from '../../src/snapshot/points.ts';
import { packTexts } from '../../src/snapshot/texts.ts';
import { normalFrom, randomFrom, TILE_M, toCentimetre } from './land.ts';
import type { Land } from './land.ts';

const COUNT = 2_400_000;
const KIND = 'points';

interface PointsMeta {
  readonly version: number;
  readonly grid: SortedPoints['grid'];
}

function addressPoints(land: Land): { ids: string[]; xy: Float64Array } {
  const random = randomFrom(77);
  const perTile = land.spread(COUNT * land.scale, { seed: 78 });
  const values: number[] = [];
  for (const [i, count] of perTile.entries()) {
    const { x, y } = land.tiles[i]!;
    const town = { x: x + TILE_M * random(), y: y + TILE_M * random() };
    for (let n = 0; n < count; n++) {
      const inTown = random() < 0.75;
      const px = inTown ? town.x + 500 * normalFrom(random) : x + TILE_M * random();
      const py = inTown ? town.y + 500 * normalFrom(random) : y + TILE_M * random();
      values.push(toCentimetre(px), toCentimetre(py));
    }
  }
  const ids = Array.from({ length: values.length / 2 }, (_, i) => {
    return `0a3f${i.toString(16).padStart(4, '0').slice(-4)}-0000-4000-8000-${i.toString(16).padStart(12, '0')}`;
  }).sort();
  return { ids, xy: Float64Array.from(values) };
}

export function pointSnapshot(land: Land): SharedArrayBuffer {
  const { ids, xy } = addressPoints(land);
  const { grid, ...sections } = sortPoints(xy);
  return pack(KIND, { version: 1, grid }, { ...sections, ...packTexts('ids', ids) });
}

/** `verified`: the checksum of this very buffer was checked before. */
export function openPoints(
  buffer: SharedArrayBuffer,
  options: { readonly verified?: boolean } = {},
): SortedPoints {
  const container = unpack<PointsMeta>(buffer, { kind: KIND, ...options });
  return {
    grid: container.meta.grid,
    blocks: container.words('blocks'),
    tables: container.words('tables'),
    ranks: container.words('ranks'),
    xy: container.floats('xy'),
  };
}
