/**
 * Shapes of the sample: coordinates in EPSG:25832, metres, rounded to the millimetre. Rings are
 * closed; shells run counter-clockwise and holes clockwise, unless a feature is broken on purpose.
 */
export type Position = readonly number[];
export type Ring = readonly Position[];

export type SampleGeometry =
  | { readonly type: 'Polygon'; readonly coordinates: readonly Ring[] }
  | { readonly type: 'MultiPolygon'; readonly coordinates: readonly (readonly Ring[])[] }
  | { readonly type: 'LineString'; readonly coordinates: Ring }
  | { readonly type: 'MultiLineString'; readonly coordinates: readonly Ring[] };

/** A place in metres. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

export interface Box {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

/** The item at an index that is known to exist; a wrong index is a mistake of ours and throws. */
export function at<T>(list: readonly T[], index: number): T {
  const item = list[index];
  if (item === undefined) throw new RangeError(`No item ${index} of ${list.length}`);
  return item;
}

export function toMillimetre(value: number): number {
  return Math.round(value * 1000) / 1000;
}

export function position({ x, y }: Place): Position {
  return [toMillimetre(x), toMillimetre(y)];
}

export function placeOf(pos: Position): Place {
  return { x: at(pos, 0), y: at(pos, 1) };
}

/** `east north` pairs with commas between them. */
export function readLine(text: string): Ring {
  return text.split(', ').map((pair) => pair.split(' ').map(Number));
}

/** A closed ring from its corners. */
export function ring(corners: readonly Position[]): Ring {
  return [...corners, at(corners, 0)];
}

export function reversed(line: Ring): Ring {
  return [...line].reverse();
}

export function polygon(...rings: readonly Ring[]): SampleGeometry {
  return { type: 'Polygon', coordinates: rings };
}

/** One part, said as a MultiPolygon, as the portal does. */
export function multiPolygon(...parts: readonly (readonly Ring[])[]): SampleGeometry {
  return { type: 'MultiPolygon', coordinates: parts };
}

export function multiLine(...lines: readonly Ring[]): SampleGeometry {
  return { type: 'MultiLineString', coordinates: lines };
}

/** A ring along the sides of a box given relative to an origin, counter-clockwise. */
export function boxRing(origin: Place, box: Box): Ring {
  const corner = (x: number, y: number): Position => position({ x: origin.x + x, y: origin.y + y });
  return ring([
    corner(box.minX, box.minY),
    corner(box.maxX, box.minY),
    corner(box.maxX, box.maxY),
    corner(box.minX, box.maxY),
  ]);
}

export interface Round extends Place {
  readonly radiusM: number;
  readonly vertices: number;
  /** Of its bulges, radians; none: a circle. They reach a third further than the radius. */
  readonly phases?: readonly number[];
  /** How far from that outline it lies. */
  readonly outM?: number;
}

const BULGES = [
  { waves: 2, share: 0.18 },
  { waves: 3, share: 0.1 },
  { waves: 7, share: 0.04 },
] as const;

/** A ring about a place: star-shaped, so never self-crossing. */
export function roundRing({ x, y, radiusM, vertices, phases = [], outM = 0 }: Round): Ring {
  const corners = Array.from({ length: vertices }, (_, i) => {
    const angle = (2 * Math.PI * i) / vertices;
    const bulge = phases.reduce((sum, phase, n) => {
      const { waves, share } = at(BULGES, n);
      return sum + share * Math.sin(waves * angle + phase);
    }, 1);
    const radius = radiusM * bulge + outM;
    return position({ x: x + radius * Math.cos(angle), y: y + radius * Math.sin(angle) });
  });
  return ring(corners);
}

/**
 * Parts with `|` between them, rings with `/`: pairs of coordinates, or `round` (the other way: `hole`) with place,
 * radius, vertices, three phases and how far out.
 */
export function readParts(text: string): Ring[][] {
  return text.split(' | ').map((part) => part.split(' / ').map(readRing));
}

function readRing(text: string): Ring {
  const [kind, ...words] = text.split(' ');
  if (kind !== 'round' && kind !== 'hole') return readLine(text);
  const [x = 0, y = 0, radiusM = 0, vertices = 0, ...more] = words.map(Number);
  const [phases, outM = 0] = [more.slice(0, BULGES.length), more[BULGES.length]];
  const line = roundRing({ x, y, radiusM, vertices, phases, outM });
  return kind === 'hole' ? reversed(line) : line;
}

/** Twice the signed area would do for the sign; this is the area: positive counter-clockwise. */
export function ringArea(line: Ring): number {
  const origin = placeOf(at(line, 0));
  let sum = 0;
  for (let i = 1; i < line.length; i++) {
    const a = placeOf(at(line, i - 1));
    const b = placeOf(at(line, i));
    sum += (a.x - origin.x) * (b.y - origin.y) - (b.x - origin.x) * (a.y - origin.y);
  }
  return sum / 2;
}

/** The polygons of an area; a line has none. */
export function partsOf(geometry: SampleGeometry): readonly (readonly Ring[])[] {
  if (geometry.type === 'Polygon') return [geometry.coordinates];
  return geometry.type === 'MultiPolygon' ? geometry.coordinates : [];
}

/** Whether a place lies inside a ring (even-odd; places on the ring itself go either way). */
export function ringHolds(line: Ring, place: Place): boolean {
  let inside = false;
  for (let i = 1; i < line.length; i++) {
    const a = placeOf(at(line, i - 1));
    const b = placeOf(at(line, i));
    const crosses = a.y > place.y !== b.y > place.y;
    if (crosses && place.x < a.x + ((place.y - a.y) / (b.y - a.y)) * (b.x - a.x)) inside = !inside;
  }
  return inside;
}

/** Every line or ring of a geometry. */
export function linesOf(geometry: SampleGeometry): readonly Ring[] {
  if (geometry.type === 'LineString') return [geometry.coordinates];
  return geometry.type === 'MultiLineString' ? geometry.coordinates : partsOf(geometry).flat();
}

type Nested = readonly (number | Nested)[];

/** The same shape with every position changed. */
export function mapPositions(
  geometry: SampleGeometry,
  change: (pos: Position) => Position,
): SampleGeometry {
  const mapped = (nested: Nested): Nested =>
    typeof nested[0] === 'number'
      ? change(nested as Position)
      : nested.map((each) => mapped(each as Nested));
  return { ...geometry, coordinates: mapped(geometry.coordinates) } as SampleGeometry;
}

/** The same shape with a third ordinate of 0, as registers deliver it though nothing is 3D. */
export function withHeight(geometry: SampleGeometry): SampleGeometry {
  return mapPositions(geometry, (pos) => [at(pos, 0), at(pos, 1), 0]);
}

export function envelopeOf(geometry: SampleGeometry): Box {
  const box = { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity };
  for (const line of linesOf(geometry)) {
    for (const pos of line) {
      const { x, y } = placeOf(pos);
      box.minX = Math.min(box.minX, x);
      box.minY = Math.min(box.minY, y);
      box.maxX = Math.max(box.maxX, x);
      box.maxY = Math.max(box.maxY, y);
    }
  }
  return box;
}
