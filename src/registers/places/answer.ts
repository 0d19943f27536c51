/** Writes places (D121, D123). */
import { boundsInDegrees } from '../../geo/bounds.ts';
import { toWgs84 } from '../../geo/project.ts';
import type { NamedPlace } from './places.ts';
import { DEGREE_DECIMALS, roundTo, roundedDegrees } from '../../answers/numbers.ts';

export function placeMembers(place: NamedPlace): string {
  const [shown, ...others] = place.spellings;
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
    koordinat: roundedDegrees(toWgs84(place.position)),
    epsg25832: [roundTo(xUtm32, 2), roundTo(yUtm32, 2)],
    bbox: boundsInDegrees(place.boundsM).map((each) => roundTo(each, DEGREE_DECIMALS)),
    kommuner: place.municipalities?.map(({ code, name }) => ({ kode: code, navn: name })) ?? null,
    indbyggertal: place.inhabitants,
  };
  return JSON.stringify(members).slice(1, -1);
}
