/** Where a place in metres of EPSG:25832 lies on the map, by the textbook. */
import { toWgs84 } from '../../src/geo/project.ts';

/** In tiles of a zoom, with decimals. */
export function onTiles(x: number, y: number, z: number): readonly [column: number, row: number] {
  const { lon, lat } = toWgs84({ xUtm32: x, yUtm32: y });
  const phi = (lat * Math.PI) / 180;
  const north = Math.log(Math.tan(Math.PI / 4 + phi / 2));
  return [((lon + 180) / 360) * 2 ** z, ((1 - north / Math.PI) / 2) * 2 ** z];
}

/** The tile that it lies in, as addresses have it. */
export function tileAt(x: number, y: number, z: number): string {
  return [z, ...onTiles(x, y, z).map(Math.floor)].join('/');
}
