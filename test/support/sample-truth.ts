/**
 * An independent judge for the sample: no index, no union, no database. A place is inside by the
 * even-odd rule. What codes mean is written here again, from the decisions (D24 to D31, D44).
 */
import { HALF, PLANNED } from '../../sample/data/conditions.ts';
import type { AreaId } from '../../src/layers/keys.ts';
import { CODE_COLUMNS } from '../../src/layers/mappings/dagi.ts';
import type { SampleFeature } from '../../sample/data/feature.ts';
import { valueText } from '../../sample/data/feature.ts';
import type { Place } from '../../sample/data/geometry.ts';
import { envelopeOf, linesOf, placeOf, ringHolds } from '../../sample/data/geometry.ts';

/** Of the box around a feature: no place is on an edge farther out. */
const BESIDE_M = 1;
const ON_EDGE_M = 0.0005;

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

/** Codes of the areas that cover a place, base scale only. */
export function codesAt(areas: readonly SampleFeature[], id: AreaId, place: Place): string[] {
  return areas
    .filter((feature) => valueText(feature.properties['skala']) === '1:10.000')
    .filter((feature) => covers(feature, place))
    .map(({ properties }) => (valueText(properties[CODE_COLUMNS[id]]) ?? '').padStart(4, '0'))
    .sort();
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
  return isArea && reaches(feature, place) && edgeDistance(feature, place) <= ON_EDGE_M;
}

function reaches({ geometry }: SampleFeature, { x, y }: Place): boolean {
  if (geometry === null) return false;
  const { minX, maxX, minY, maxY } = envelopeOf(geometry);
  const isAcross = x >= minX - BESIDE_M && x <= maxX + BESIDE_M;
  return isAcross && y >= minY - BESIDE_M && y <= maxY + BESIDE_M;
}

export function edgeDistance({ geometry }: SampleFeature, place: Place): number {
  const sides = (geometry === null ? [] : linesOf(geometry)).flatMap((line) =>
    line.slice(1).map((end, i) => segmentDistance(place, placeOf(line[i]!), placeOf(end))),
  );
  return sides.reduce((least, distance) => Math.min(least, distance), Infinity);
}

function segmentDistance(place: Place, a: Place, b: Place): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const squared = dx * dx + dy * dy;
  const along = squared === 0 ? 0 : ((place.x - a.x) * dx + (place.y - a.y) * dy) / squared;
  const share = Math.max(0, Math.min(1, along));
  return Math.hypot(a.x + dx * share - place.x, a.y + dy * share - place.y);
}
