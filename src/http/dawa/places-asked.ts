/** Points, circles and polygons. */
import { pointFromQuery } from '../../answers/coordinates.ts';
import { ringsCover } from '../../geo/covers.ts';
import type { Point } from '../../geo/point.ts';
import { RING, RingSink } from '../../geo/wkb.ts';
import { geometryDistance } from '../../geo/distance.ts';
import { ringsMeet } from '../../geo/meets.ts';
import type { Extent } from '../../registers/addresses/addresses.ts';
import type { ParcelExtent } from '../../registers/cadastre/parcels.ts';
import { badParameter } from './failure.ts';
import { DAWA_LIMITS } from './limits.ts';
import type { Format } from './format.ts';
import type { Params } from './params.ts';

type Srid = Format['srid'];

export function pointOf(params: Params, { srid }: Pick<Format, 'srid'>): Point {
  const [x, y] = [params.number('x'), params.number('y')];
  if (x === null) throw badParameter('x', 'missing');
  if (y === null) throw badParameter('y', 'missing');
  return pointFromQuery({ x, y, srid });
}

/** What points lie in, and areas meet. */
export type Drawn = Extent & ParcelExtent;

export function withinOf(params: Params, { srid }: Pick<Format, 'srid'>): Drawn | null {
  const circle = params.text('cirkel');
  if (circle !== null) return circleOf(circle, srid);
  const polygon = params.text('polygon', 40_000);
  return polygon === null ? null : polygonOf(polygon, srid);
}

function circleOf(text: string, srid: Srid): Drawn {
  const numbers = text.split(',').map(Number);
  const [x = NaN, y = NaN, radiusM = NaN] = numbers;
  if (numbers.length !== 3 || !numbers.every(Number.isFinite)) {
    throw badParameter('cirkel', 'not x,y,radius');
  }
  if (radiusM <= 0 || radiusM > DAWA_LIMITS.circleM) {
    throw badParameter('cirkel', `the radius must be up to ${DAWA_LIMITS.circleM} m`);
  }
  const { utm32 } = pointFromQuery({ x, y, srid });
  const { xUtm32, yUtm32 } = utm32;
  return {
    meets: (rings) => geometryDistance(rings, utm32) <= radiusM,
    box: [xUtm32 - radiusM, yUtm32 - radiusM, xUtm32 + radiusM, yUtm32 + radiusM],
    covers: (point) => Math.hypot(point.xUtm32 - xUtm32, point.yUtm32 - yUtm32) <= radiusM,
  };
}

function polygonOf(text: string, srid: Srid): Drawn {
  const rings = ringsOf(text);
  const sink = new RingSink();
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [i, ring] of rings.entries()) {
    sink.addRing(i === 0 ? RING.shell : RING.hole);
    for (const [x, y] of ring) {
      const { utm32 } = pointFromQuery({ x, y, srid });
      sink.xy.push(utm32.xUtm32);
      sink.xy.push(utm32.yUtm32);
      [west, south] = [Math.min(west, utm32.xUtm32), Math.min(south, utm32.yUtm32)];
      [east, north] = [Math.max(east, utm32.xUtm32), Math.max(north, utm32.yUtm32)];
    }
  }
  if (Math.max(east - west, north - south) > DAWA_LIMITS.polygonSideM) {
    throw badParameter('polygon', `wider than ${DAWA_LIMITS.polygonSideM} m`);
  }
  let left: number = DAWA_LIMITS.comparedVertices / sink.xy.length;
  return {
    box: [west, south, east, north],
    covers: (point) => ringsCover(sink, point),
    meets: (rings) => {
      left -= rings.xy.length;
      if (left < 0) throw badParameter('polygon', 'too large, or of too many points');
      return ringsMeet(sink, rings);
    },
  };
}

type Ring = readonly (readonly [number, number])[];

function ringsOf(text: string): readonly Ring[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badParameter('polygon', 'not JSON');
  }
  if (!Array.isArray(value) || !value.every(isRing) || value.length === 0) {
    throw badParameter('polygon', 'not a list of closed rings of [x,y]');
  }
  const count = value.reduce((sum, ring) => sum + ring.length, 0);
  if (count > DAWA_LIMITS.polygonPoints) {
    throw badParameter('polygon', `more than ${DAWA_LIMITS.polygonPoints} points`);
  }
  return value;
}

function isRing(value: unknown): value is Ring {
  if (!Array.isArray(value) || value.length < 4) return false;
  const isPair = (each: unknown): boolean =>
    Array.isArray(each) && each.length >= 2 && each.slice(0, 2).every(Number.isFinite);
  if (!value.every(isPair)) return false;
  const [first, last] = [value[0] as number[], value.at(-1) as number[]];
  return first[0] === last[0] && first[1] === last[1];
}
