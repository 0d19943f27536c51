/**
 * EPSG:3857 tiles, numbered from the north-west. Positions are in the unit square of tile 0/0/0, y
 * southwards.
 */
import type { Box } from './box.ts';
import { toUtm32, toWgs84All } from './project.ts';

export interface TilePlace {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

const RADIANS = Math.PI / 180;
const EQUATOR_M = 2 * Math.PI * 6_378_137;

/** Degrees: 15 to each side of the meridian of EPSG:25832, where its series are exact. */
const FIELD = { west: -6, south: 45, east: 24, north: 65 } as const;
/** Per side, which is a curve in EPSG:25832. */
const SAMPLES = 16;
/** Bulge of the curve between two samples, as a share of the box's larger side. */
const BULGE = 0.005;

/** With a margin of `around` times its size; null: outside the limits of EPSG:25832. */
export function tileBoxUtm32({ z, x, y }: TilePlace, around: number): Box | null {
  const side = 2 ** -z;
  const west = Math.max(FIELD.west, lonAt((x - around) * side));
  const east = Math.min(FIELD.east, lonAt((x + 1 + around) * side));
  const north = Math.min(FIELD.north, latAt((y - around) * side));
  const south = Math.max(FIELD.south, latAt((y + 1 + around) * side));
  if (west > east || south > north) return null;
  const box = { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity };
  for (let i = 0; i <= SAMPLES; i++) {
    const lon = west + ((east - west) * i) / SAMPLES;
    const lat = south + ((north - south) * i) / SAMPLES;
    for (const [atLon, atLat] of [
      [lon, south],
      [lon, north],
      [west, lat],
      [east, lat],
    ] as const) {
      const { xUtm32, yUtm32 } = toUtm32({ lon: atLon, lat: atLat });
      box.minX = Math.min(box.minX, xUtm32);
      box.maxX = Math.max(box.maxX, xUtm32);
      box.minY = Math.min(box.minY, yUtm32);
      box.maxY = Math.max(box.maxY, yUtm32);
    }
  }
  const bulge = 1 + BULGE * Math.max(box.maxX - box.minX, box.maxY - box.minY);
  return {
    minX: box.minX - bulge,
    minY: box.minY - bulge,
    maxX: box.maxX + bulge,
    maxY: box.maxY + bulge,
  };
}

/** Metres on the ground per unit of a tile, at the smallest. */
export function unitMetres({ z, y }: TilePlace, units: number): number {
  const north = Math.min(FIELD.north, latAt(y * 2 ** -z));
  const south = Math.max(FIELD.south, latAt((y + 1) * 2 ** -z));
  const farthest = Math.max(Math.abs(north), Math.abs(south));
  return (EQUATOR_M / 2 ** z / units) * Math.cos(farthest * RADIANS);
}

/** Pairs of x, y in EPSG:25832 to the unit square. May be the same array. */
export function toUnitSquareAll(xy: Float64Array, square: Float64Array): void {
  toWgs84All(xy, square);
  for (let i = 0; i + 1 < square.length; i += 2) {
    square[i] = square[i]! / 360 + 0.5;
    square[i + 1] = 0.5 - Math.atanh(Math.sin(square[i + 1]! * RADIANS)) / (2 * Math.PI);
  }
}

function lonAt(x: number): number {
  return (x - 0.5) * 360;
}

function latAt(y: number): number {
  return Math.atan(Math.sinh((0.5 - y) * 2 * Math.PI)) / RADIANS;
}
