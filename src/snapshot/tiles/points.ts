/** Each point is in one tile alone, so that its text is drawn once. */
import { toUnitSquareAll } from '../../geo/web-mercator.ts';
import type { TilePlace } from '../../geo/web-mercator.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { HOUSE_TILES, ROAD_NAMES } from '../../layers/keys.ts';
import { encodeTile } from './encode.ts';
import type { Tags } from './tags.ts';
import type { CutHousesTask } from './tile-task.ts';

const { extent } = LIMITS.kort;
const NAME_REACH_M = 60;

type Position = readonly [x: number, y: number];

interface Labelled {
  /** EPSG:25832. */
  readonly at: Position;
  readonly tags: Tags;
}

export function placedPoints({ z, x, y }: TilePlace, points: readonly Labelled[]) {
  const square = Float64Array.from(points.flatMap(({ at }) => [...at]));
  toUnitSquareAll(square, square);
  return points.flatMap(({ tags }, n) => {
    const column = Math.floor((square[2 * n]! * 2 ** z - x) * extent);
    const row = Math.floor((square[2 * n + 1]! * 2 ** z - y) * extent);
    if (column < 0 || column >= extent || row < 0 || row >= extent) return [];
    return [{ type: 1, id: n + 1, geometry: [[column, row]], tags }];
  });
}

export function cutHouses({ place, xy, houses }: CutHousesTask): Uint8Array {
  const at = (n: number): Position => [xy[2 * n]!, xy[2 * n + 1]!];
  const numbers = houses.map(({ tags }, n) => ({ at: at(n), tags }));
  const ofRoads = Map.groupBy(houses.keys(), (n) => houses[n]!.road);
  const names = [...ofRoads].flatMap(([road, members]) => {
    const name = houses[members[0]!]!.tags['vejnavn'];
    if (road === null || name === undefined) return [];
    return [{ at: middleOf(members.map(at)), tags: { vejnavn: name } }];
  });
  return encodeTile({
    // First: a map without room for both draws these.
    [ROAD_NAMES]: placedPoints(place, names),
    [HOUSE_TILES]: placedPoints(place, numbers),
  });
}

/** Between the houses around the middle one: on the road. */
function middleOf(houses: readonly Position[]): Position {
  const mean = meanOf(houses);
  const far = (a: Position, b: Position): number => Math.hypot(a[0] - b[0], a[1] - b[1]);
  const middle = houses.reduce((best, each) => (far(each, mean) < far(best, mean) ? each : best));
  return meanOf(houses.filter((each) => far(each, middle) <= NAME_REACH_M));
}

function meanOf(positions: readonly Position[]): Position {
  const sum = (axis: 0 | 1): number => positions.reduce((total, each) => total + each[axis], 0);
  return [sum(0) / positions.length, sum(1) / positions.length];
}
