import { registerMeta } from '../../answers/register-meta.ts';
import { roundedDegrees, roundedText } from '../../answers/numbers.ts';
import { innerPoint } from '../../geo/inner-point.ts';
import { toWgs84 } from '../../geo/project.ts';
import { multiPolygonText } from '../../geo/rings-text.ts';
import type { RingSink } from '../../geo/wkb.ts';
import type { Coverage } from '../../layers/coverage.ts';
import type { NamedParcel, ParcelsAnswer } from './parcel-lookup.ts';
import { parcelShown } from './parcels.ts';

/** `page`: members, each followed by a comma. */
export function parcelsText(
  { parcels, source }: Pick<ParcelsAnswer, 'parcels' | 'source'>,
  coverage: Coverage | null,
  page = '',
): string {
  const meta = JSON.stringify(registerMeta(source, coverage));
  const found = parcels.map(parcelText).join();
  return `{"antal":${parcels.length},${page}"jordstykker":[${found}],"meta":${meta}}`;
}

function parcelText(parcel: NamedParcel): string {
  const members = JSON.stringify({
    ...parcelShown(parcel),
    bfe_nummer: parcel.bfe,
    kommune: parcel.municipality,
    registreret_areal_m2: parcel.area,
  });
  return `${members.slice(0, -1)},${placeText(parcel.rings)}}`;
}

function placeText(rings: RingSink | null): string {
  const geometry = rings === null ? 'null' : multiPolygonText(rings);
  const inside = rings && innerPoint(rings);
  if (inside === null) return `"geometri":${geometry},"koordinat":null,"epsg25832":null`;
  const at = JSON.stringify(roundedDegrees(toWgs84(inside)));
  const metres = `[${roundedText(inside.xUtm32, 2)},${roundedText(inside.yUtm32, 2)}]`;
  return `"geometri":${geometry},"koordinat":${at},"epsg25832":${metres}`;
}
