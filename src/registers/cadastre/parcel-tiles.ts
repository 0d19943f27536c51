/** Tiles of parcels: 2.6 million are too many for memory. */
import { notMirrored } from '../../core/tiles/store-tiles.ts';
import type { Failure } from '../../kernel/failures.ts';
import type { TilePlace } from '../../geo/web-mercator.ts';
import type { TileParcel } from './tiles.ts';
import { withoutNulls } from '../../snapshot/tiles/tags.ts';
import type { PARCEL_FIELDS } from '../../snapshot/tiles/tags.ts';
import type { CutParcelsTask } from '../../snapshot/tiles/tile-task.ts';

export const PARCEL_NAMES = { en: 'parcels', da: 'jordstykker', daThe: 'Jordstykkerne' };

export const notThere = (): Failure => notMirrored(PARCEL_NAMES);

export function bytesOfParcels(parcels: readonly TileParcel[]): number {
  return parcels.reduce((sum, { wkb }) => sum + wkb.length, 0);
}

/** In its own buffer: what the store returned may be a view into a larger one. */
export function parcelsTask(place: TilePlace, parcels: readonly TileParcel[]): CutParcelsTask {
  const lengths = parcels.map(({ wkb }) => wkb.length);
  const wkb = new Uint8Array(bytesOfParcels(parcels));
  let at = 0;
  for (const parcel of parcels) {
    wkb.set(parcel.wkb, at);
    at += parcel.wkb.length;
  }
  return { place, wkb, lengths, tags: parcels.map(tagsOf) };
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
