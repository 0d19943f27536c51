/** Tiles of parcels: 2.6 million are too many for memory. */
import { notMirrored } from '../../core/tiles/store-tiles.ts';
import type { Failure } from '../../kernel/failures.ts';
import type { TilePlace } from '../../geo/web-mercator.ts';
import { PARCEL_TILES } from '../../layers/keys.ts';
import type { TileParcel } from './tiles.ts';
import { withoutNulls } from '../../snapshot/tiles/tags.ts';
import type { PARCEL_FIELDS } from '../../snapshot/tiles/tags.ts';
import { areasTask } from '../../snapshot/tiles/tile-task.ts';
import type { CutAreasTask } from '../../snapshot/tiles/tile-task.ts';

export const PARCEL_NAMES = { en: 'parcels', da: 'jordstykker', daThe: 'Jordstykkerne' };

export const notThere = (): Failure => notMirrored(PARCEL_NAMES);

export function bytesOfParcels(parcels: readonly TileParcel[]): number {
  return parcels.reduce((sum, { wkb }) => sum + wkb.length, 0);
}

export function parcelsTask(place: TilePlace, parcels: readonly TileParcel[]): CutAreasTask {
  const areas = parcels.map((parcel) => ({ wkb: parcel.wkb, tags: tagsOf(parcel) }));
  return areasTask(PARCEL_TILES, place, areas);
}

function tagsOf({ number, districtCode, districtName, bfe }: TileParcel) {
  const tags: Record<keyof typeof PARCEL_FIELDS, string | number | null> = {
    matrikelnummer: number,
    ejerlav_kode: districtCode,
    ejerlav_navn: districtName,
    bfe_nummer: bfe,
  };
  return withoutNulls(tags);
}
