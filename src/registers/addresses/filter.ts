import { decimalsOf } from '../../kernel/number-texts.ts';
import { invalidRequest } from '../../kernel/failures.ts';
import { pointFromItem } from '../../answers/coordinates.ts';
import { boundsAround, grown } from '../../geo/bounds.ts';
import type { Bounds } from '../../geo/bounds.ts';
import { DENMARK_BOUNDS } from '../../geo/point.ts';
import type { PointUtm32 } from '../../geo/point.ts';
import { toUtm32, toWgs84 } from '../../geo/project.ts';
import { codesOf } from '../../core/question/lists.ts';
import type { Extent, SearchFilter } from './addresses.ts';

export interface FilterQuery {
  readonly kommunekode?: string | readonly string[];
  readonly postnr?: string | readonly string[];
  readonly naer?: string;
  readonly bbox?: string;
  readonly srid?: '4326' | '25832';
  readonly status?: 'foreloebig' | 'gaeldende';
}

const STATUSES = { foreloebig: 2, gaeldende: 3 } as const;

/** Throws invalid_request naming the parameter. */
export function filterOf(query: FilterQuery): SearchFilter {
  const { kommunekode, postnr, naer, bbox, srid, status } = query;
  return {
    municipalityCodes: codesOf('kommunekode', kommunekode),
    postcodes: codesOf('postnr', postnr),
    near: naer === undefined ? null : nearOf(naer, srid),
    within: bbox === undefined ? null : extentOf(bbox, srid),
    status: status === undefined ? null : STATUSES[status],
  };
}

function nearOf(text: string, srid: FilterQuery['srid'] = '4326'): PointUtm32 {
  const [x, y] = numbersOf('naer', text, 2) as [number, number];
  return pointFromItem({ x, y, srid }, () => 'naer').utm32;
}

function extentOf(text: string, srid: FilterQuery['srid'] = '4326'): Extent {
  const box = numbersOf('bbox', text, 4) as unknown as Bounds;
  const [west, south, east, north] = box;
  if (west > east || south > north) {
    throw invalidRequest(
      'The parameter bbox must be west, south, east, north: the first two not above the last two.',
      'Parameteren bbox skal være vest, syd, øst, nord: de to første ikke større end de to sidste.',
    );
  }
  return srid === '25832' ? ofMetres(box) : ofDegrees(box);
}

function ofMetres(box: Bounds): Extent {
  return { box, covers: ({ xUtm32: x, yUtm32: y }) => isIn(box, x, y) };
}

/**
 * Sides of degrees are curves in metres: points are tested in degrees, and roads by a box around.
 */
function ofDegrees(box: Bounds): Extent {
  return {
    box: boxAround(box),
    covers: (point) => {
      const { lon, lat } = toWgs84(point);
      return isIn(box, lon, lat);
    },
  };
}

/** A bend between two of them is less than `BEND_M`. */
const STEPS = 32;
const BEND_M = 100;

function boxAround(given: Bounds): Bounds {
  const [west, south, east, north] = DENMARK_BOUNDS;
  const [minX, minY] = [Math.max(given[0], west), Math.max(given[1], south)];
  const [maxX, maxY] = [Math.min(given[2], east), Math.min(given[3], north)];
  const places = Array.from({ length: STEPS + 1 }, (_, i) => i / STEPS).flatMap((part) => {
    const lon = minX + part * (maxX - minX);
    const lat = minY + part * (maxY - minY);
    return [
      { lon, lat: minY },
      { lon, lat: maxY },
      { lon: minX, lat },
      { lon: maxX, lat },
    ].map(toUtm32);
  });
  return grown(boundsAround(places.map(({ xUtm32: x, yUtm32: y }) => [x, y, x, y])), BEND_M);
}

const isIn = ([west, south, east, north]: Bounds, x: number, y: number): boolean =>
  x >= west && x <= east && y >= south && y <= north;

function numbersOf(name: string, text: string, count: number): readonly number[] {
  const numbers = decimalsOf(text, count);
  if (numbers !== null) return numbers;
  throw invalidRequest(
    `The parameter ${name} must be ${count} numbers with commas between them.`,
    `Parameteren ${name} skal være ${count} tal med komma imellem.`,
  );
}
