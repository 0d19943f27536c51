import { pointFromQuery } from '../../answers/coordinates.ts';
import type { Point } from '../../geo/point.ts';
import { decimalsOf } from '../../kernel/number-texts.ts';
import { circleAround, isPolygon, polygonOfRings } from '../../geo/drawn.ts';
import type { Drawn, Polygon } from '../../geo/drawn.ts';
import { badParameter } from './failure.ts';
import { DAWA_LIMITS } from './limits.ts';
import type { Format } from '../wire/row-formats.ts';
import type { Params } from './params.ts';

type Srid = Format['srid'];

export function pointOf(params: Params, { srid }: Pick<Format, 'srid'>): Point {
  const [x, y] = [params.number('x'), params.number('y')];
  if (x === null) throw badParameter('x', 'missing');
  if (y === null) throw badParameter('y', 'missing');
  return pointFromQuery({ x, y, srid });
}

export function withinOf(params: Params, { srid }: Pick<Format, 'srid'>): Drawn | null {
  const circle = circleAsked(params, { srid });
  if (circle !== null) return circleAround(circle.center.utm32, circle.radiusM);
  const polygon = params.filled('polygon', 40_000);
  return polygon === null ? null : polygonOf(polygon, srid);
}

function pointAsked(params: Params, format: Pick<Format, 'srid'>): Point | null {
  return params.has('x') || params.has('y') ? pointOf(params, format) : null;
}

export function placeAsked(params: Params, format: Pick<Format, 'srid'>) {
  return { within: withinOf(params, format), point: pointAsked(params, format) };
}

/** A center without radius is a point; null: neither is given. */
export function aroundAsked(params: Params, format: Pick<Format, 'srid'>) {
  const [center, circle] = [pointAsked(params, format), circleAsked(params, format)];
  if (center !== null && circle !== null) throw badParameter('x', 'not beside cirkel');
  const found = circle ?? (center && { center });
  if (found !== null && params.search() !== null) throw badParameter('q', 'not beside a place');
  return found;
}

function circleAsked(params: Params, { srid }: Pick<Format, 'srid'>) {
  const text = params.filled('cirkel');
  if (text === null) return null;
  const numbers = decimalsOf(text, 3);
  if (numbers === null) throw badParameter('cirkel', 'not x,y,radius');
  const [x = NaN, y = NaN, radiusM = NaN] = numbers;
  if (radiusM <= 0 || radiusM > DAWA_LIMITS.circleM) {
    throw badParameter('cirkel', `the radius must be up to ${DAWA_LIMITS.circleM} m`);
  }
  return { center: pointFromQuery({ x, y, srid }), radiusM };
}

function polygonOf(text: string, srid: Srid): Drawn {
  const rings = ringsOf(text);
  const drawn = polygonOfRings(
    rings.map((ring) => ring.map(([x = NaN, y = NaN]) => pointFromQuery({ x, y, srid }).utm32)),
    () => badParameter('polygon', 'too large, or of too many points'),
  );
  const [west, south, east, north] = drawn.box;
  if (Math.max(east - west, north - south) > DAWA_LIMITS.polygonSideM) {
    throw badParameter('polygon', `wider than ${DAWA_LIMITS.polygonSideM} m`);
  }
  return drawn;
}

function ringsOf(text: string): Polygon {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badParameter('polygon', 'not JSON');
  }
  if (!isPolygon(value)) throw badParameter('polygon', 'not a list of closed rings of [x,y]');
  const count = value.reduce((sum, ring) => sum + ring.length, 0);
  if (count > DAWA_LIMITS.polygonPoints) {
    throw badParameter('polygon', `more than ${DAWA_LIMITS.polygonPoints} points`);
  }
  return value;
}
