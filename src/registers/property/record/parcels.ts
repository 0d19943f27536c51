import { byDistrict, mainParcel, parcelShown } from '../../cadastre/parcels.ts';
import type { ParcelRow } from '../../cadastre/parcels.ts';
import type { PropertyRows } from '../property.ts';

/**
 * `jordstykke` and `jordstykker`: one for each parcel that BBR relates to the grounds (D91), known to the
 * cadastre or not. Empty: BBR relates none (D89).
 */
export function parcels(
  { grounds, groundParcels, ownParcels, parcels: known }: PropertyRows,
  mainBuildingParcel: number | null,
) {
  const groundIds = new Set(grounds.map(({ id }) => id));
  const related = groundParcels.filter(({ groundId }) => groundIds.has(groundId));
  const ids = related.map(({ parcelId }) => parcelId);
  const distinct = ids.filter((id, i) => id === null || ids.indexOf(id) === i);
  const parcelOf = (id: number | null): ParcelRow | null =>
    id === null ? null : (known?.get(id) ?? null);
  const all = [...distinct.map(parcelOf), ...ownParcels].sort(byDistrict);
  return {
    jordstykke: parcelShown(mainParcel(all, parcelOf(mainBuildingParcel))),
    jordstykker: all.map(parcelShown),
  };
}
