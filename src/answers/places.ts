/** Places in the words of the document (D121, D123). */
import { boundsInDegrees } from '../geo/bounds.ts';
import { toWgs84 } from '../geo/project.ts';
import type { NamedPlace } from '../layers/places.ts';
import { roundTo } from './numbers.ts';

/** Of degrees computed from metres: 1 mm; of a geometry: 1 cm (D43). */
const DEGREE_DECIMALS = 8;
const GEOMETRY_DECIMALS = 7;

/** The members of a place but for `meta`, as JSON without the braces. */
export function placeMembers(place: NamedPlace): string {
  const [shown, ...others] = place.spellings;
  const { lon, lat } = toWgs84(place.position);
  const { xUtm32, yUtm32 } = place.position;
  const members = {
    id: place.id,
    navn: shown?.name ?? '',
    navnestatus: shown?.status ?? null,
    andre_navne: others.map(({ name, status, priority }) => ({
      navn: name,
      navnestatus: status,
      brugsprioritet: priority,
    })),
    hovedtype: place.mainType,
    undertype: place.subtype,
    koordinat: { lon: roundTo(lon, DEGREE_DECIMALS), lat: roundTo(lat, DEGREE_DECIMALS) },
    epsg25832: [roundTo(xUtm32, 2), roundTo(yUtm32, 2)],
    bbox: boundsInDegrees(place.boundsM).map((each) => roundTo(each, DEGREE_DECIMALS)),
    kommuner: place.municipalities?.map(({ code, name }) => ({ kode: code, navn: name })) ?? null,
    indbyggertal: place.inhabitants,
  };
  return JSON.stringify(members).slice(1, -1);
}

/** A geometry in metres, as GeoJSON in degrees; null where there is none to show. */
export function geometryText(geometry: string | null): string {
  if (geometry === null) return 'null';
  const { type, coordinates } = JSON.parse(geometry) as { type: string; coordinates: Coordinates };
  return JSON.stringify({ type, coordinates: inDegrees(coordinates) });
}

type Coordinates = readonly (number | Coordinates)[];

function inDegrees(coordinates: Coordinates): Coordinates {
  const [x, y] = coordinates;
  if (typeof x !== 'number' || typeof y !== 'number') {
    return coordinates.map((each) => (typeof each === 'number' ? each : inDegrees(each)));
  }
  const { lon, lat } = toWgs84({ xUtm32: x, yUtm32: y });
  return [roundTo(lon, GEOMETRY_DECIMALS), roundTo(lat, GEOMETRY_DECIMALS)];
}
