/**
 * An independent judge for the sample: no index, no union, no database. A place is inside by the
 * even-odd rule; an edge of a zone is where the land on one side of a feature's edge belongs to no
 * feature in force. What codes mean is written here again, from the decisions (D24 to D31, D44).
 */
import { HALF, PLANNED } from '../../sample/data/conditions.ts';
import type { AreaId, LineKey, Theme } from '../../src/layers/keys.ts';
import { PARISH_POLLING, POLLING, THEMES } from '../../src/layers/keys.ts';
import { CODE_COLUMNS } from '../../src/layers/mappings/dagi.ts';
import type { SampleData, SampleFeature } from '../../sample/data/feature.ts';
import { valueText } from '../../sample/data/feature.ts';
import type { Place, Ring } from '../../sample/data/geometry.ts';
import { envelopeOf, linesOf, placeOf, ringHolds } from '../../sample/data/geometry.ts';

const RADIUS_M = 500;
/** Far above what rounding leaves between two pieces, far below any real gap. */
const ASIDE_M = 0.005;
const STEP_M = 0.05;
const ON_EDGE_M = 0.0005;

export interface LineTruth {
  readonly within: boolean;
  readonly uncertain: boolean;
  /** Metres to one decimal, as answered. */
  readonly distanceM: number | null;
  readonly count: number;
  readonly hit: string | null;
  readonly repealed: readonly string[];
}

type Standing = 'in_force' | 'repealed' | 'hidden';

/** Of a condition: the exhibits that have ended, and those of another status. */
function isLeftOutCondition({ geometry }: SampleFeature): boolean {
  const ring = geometry === null ? [] : (linesOf(geometry)[0] ?? []);
  const half = PLANNED.x - (ring[0]?.[0] ?? 0);
  return ring.length === 5 && (half === HALF.ended || half === HALF.other);
}

export function standingOf(feature: SampleFeature): Standing {
  const read = (name: string): string | null => valueText(feature.properties[name]);
  if (isLeftOutCondition(feature)) return 'hidden';
  if (!('Statuskode' in feature.properties)) return 'in_force';
  if (read('Systid_til') !== null || Number(read('Off_kode')) !== 1) return 'hidden';
  if (Number(read('Statuskode')) === 4 || Number(read('Skovs_kode') ?? 0) === 2) return 'repealed';
  return 'in_force';
}

function isAdopted(feature: SampleFeature): boolean {
  const status = valueText(feature.properties['Statuskode']);
  return status === null || Number(status) === 3;
}

export function objectIdOf(feature: SampleFeature): string | null {
  for (const name of ['Objekt_id', 'systemnr', 'id.lokalId']) {
    const value = valueText(feature.properties[name]);
    if (value !== null) return value;
  }
  return null;
}

export function areasAt(data: SampleData, place: Place): Record<Theme, string[]> {
  return Object.fromEntries(
    THEMES.map((theme) => [theme, codesAt(data[theme], theme, place)]),
  ) as Record<Theme, string[]>;
}

/** Codes of the areas that cover a place, base scale only. */
export function codesAt(areas: readonly SampleFeature[], id: AreaId, place: Place): string[] {
  return areas
    .filter((feature) => valueText(feature.properties['skala']) === '1:10.000')
    .filter((feature) => covers(feature, place))
    .map((feature) => codeOf(feature, id))
    .sort();
}

/** Four digits; of what is numbered within a municipality the plain number, whose it is and its own id (D198). */
function codeOf({ properties }: SampleFeature, id: AreaId): string {
  const [number = '', municipality = '', key = ''] = [
    CODE_COLUMNS[id],
    'kommuneLokalId',
    'id.lokalId',
  ].map((column) => valueText(properties[column]) ?? '');
  const isNumbered = id === POLLING || id === PARISH_POLLING;
  if (!isNumbered) return number.padStart(4, '0');
  return `${municipality}-${number.replace(/^0+/, '')}-${key}`;
}

export function lineAt(data: SampleData, line: LineKey, place: Place): LineTruth {
  const isLine = line === 'dige' || line === 'vandloeb';
  const near = data[line].filter((feature) => feature.geometry && reaches(feature, place));
  const inForce = near.filter((feature) => standingOf(feature) === 'in_force');
  const away = (feature: SampleFeature): number =>
    !isLine && covers(feature, place) ? 0 : edgeDistance(feature, place);
  const counted = inForce.filter((feature) => away(feature) <= RADIUS_M);
  const tolerance = isLine ? 2 + 1e-9 : 0;
  const here = counted.filter((feature) => away(feature) <= tolerance);
  const within = here.length > 0;
  const adopted = here.filter(isAdopted);
  const candidates = adopted.length > 0 ? adopted : here;
  // Deepest first among areas, nearest among lines; then the lowest id.
  const rank = (feature: SampleFeature): number =>
    isLine ? edgeDistance(feature, place) : -edgeDistance(feature, place);
  const ordered = [...candidates].sort(
    (a, b) => rank(a) - rank(b) || (String(objectIdOf(a)) < String(objectIdOf(b)) ? -1 : 1),
  );
  const nearest = counted.length === 0 ? null : Math.min(...counted.map(away));
  const distanceM = within && !isLine ? -zoneDepth(inForce, place) : nearest;
  const repealed = near
    .filter((feature) => standingOf(feature) === 'repealed' && away(feature) <= RADIUS_M)
    .sort((a, b) => away(a) - away(b));
  return {
    within,
    uncertain: within && adopted.length === 0,
    distanceM: distanceM === null ? null : Math.round(distanceM * 10) / 10 + 0,
    count: counted.length,
    hit: ordered[0] === undefined ? null : objectIdOf(ordered[0]),
    repealed: repealed.map((feature) => String(objectIdOf(feature))),
  };
}

/** Even-odd over every ring of a polygon, any of the parts. */
function inEvenOdd(feature: SampleFeature, place: Place): boolean {
  const { geometry } = feature;
  if (geometry?.type !== 'Polygon' && geometry?.type !== 'MultiPolygon') return false;
  const parts = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  return parts.some((rings) => rings.filter((line) => ringHolds(line, place)).length % 2 === 1);
}

/** As above; the boundary belongs (D29). */
export function covers(feature: SampleFeature, place: Place): boolean {
  if (inEvenOdd(feature, place)) return true;
  const isArea = feature.geometry?.type.endsWith('Polygon') === true;
  return isArea && reaches(feature, place, 1) && edgeDistance(feature, place) <= ON_EDGE_M;
}

function reaches(feature: SampleFeature, place: Place, radius = RADIUS_M): boolean {
  if (feature.geometry === null) return false;
  const box = envelopeOf(feature.geometry);
  return (
    place.x >= box.minX - radius &&
    place.x <= box.maxX + radius &&
    place.y >= box.minY - radius &&
    place.y <= box.maxY + radius
  );
}

export function edgeDistance(feature: SampleFeature, place: Place): number {
  if (feature.geometry === null) return Infinity;
  let least = Infinity;
  for (const line of linesOf(feature.geometry)) {
    for (const [a, b] of sides(line)) least = Math.min(least, segmentDistance(place, a, b));
  }
  return least;
}

function zoneDepth(inForce: readonly SampleFeature[], place: Place): number {
  let least = Infinity;
  for (const feature of inForce) {
    if (feature.geometry === null) continue;
    for (const [a, b] of linesOf(feature.geometry).flatMap(sides)) {
      if (segmentDistance(place, a, b) >= least) continue;
      least = Math.min(least, openEdgeDistance(inForce, place, [a, b]));
    }
  }
  return least;
}

/** Nearest place on a side where the land beyond it is in no feature; Infinity when there is none. */
function openEdgeDistance(
  inForce: readonly SampleFeature[],
  place: Place,
  [a, b]: readonly [Place, Place],
): number {
  const length = Math.hypot(b.x - a.x, b.y - a.y);
  const steps = Math.ceil(length / STEP_M);
  const normal = { x: -(b.y - a.y) / length, y: (b.x - a.x) / length };
  const candidates = Array.from({ length: steps }, (_, i) => {
    const share = (i + 0.5) / steps;
    return { x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share };
  })
    .map((at) => ({ at, away: Math.hypot(at.x - place.x, at.y - place.y) }))
    .sort((left, right) => left.away - right.away);
  const held = (at: Place, side: number): boolean => {
    const beside = { x: at.x + side * ASIDE_M * normal.x, y: at.y + side * ASIDE_M * normal.y };
    return inForce.some((feature) => reaches(feature, beside, 0) && inEvenOdd(feature, beside));
  };
  const open = candidates.find(({ at }) => !(held(at, 1) && held(at, -1)));
  return open?.away ?? Infinity;
}

function sides(line: Ring): (readonly [Place, Place])[] {
  return line.slice(1).map((pos, i) => [placeOf(line[i]!), placeOf(pos)] as const);
}

function segmentDistance(place: Place, a: Place, b: Place): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const squared = dx * dx + dy * dy;
  const along = squared === 0 ? 0 : ((place.x - a.x) * dx + (place.y - a.y) * dy) / squared;
  const share = Math.max(0, Math.min(1, along));
  return Math.hypot(a.x + dx * share - place.x, a.y + dy * share - place.y);
}
