/** A property's rows as the text of its record, and back. Names of areas and addresses are joined when answering. */
import type { PropertyRows } from '../../layers/property.ts';

/** Of rows that were read for many numbers: what this one needs of what they share. */
export function packRows(rows: PropertyRows): string {
  const grounds = new Set(rows.grounds.map(({ id }) => id));
  const groundParcels = rows.groundParcels.filter(({ groundId }) => grounds.has(groundId));
  const ids = [...groundParcels, ...rows.buildings].map(({ parcelId }) => parcelId);
  const parcels =
    rows.parcels &&
    [...new Set(ids)].flatMap((id) => (id === null ? [] : (rows.parcels?.get(id) ?? [])));
  return JSON.stringify({ ...rows, groundParcels, parcels });
}

type Packed = Omit<PropertyRows, 'parcels'> & {
  readonly parcels: readonly PropertyRows['ownParcels'][number][] | null;
};

export function unpackRows(text: string): PropertyRows {
  const { parcels, ...rows } = JSON.parse(text) as Packed;
  return {
    ...rows,
    // JSON leaves out what is undefined: the table is not mirrored (D89).
    facilities: rows.facilities,
    assessments: rows.assessments,
    parcels: parcels && new Map(parcels.map((parcel) => [parcel.id, parcel])),
  };
}
