/** Names of areas and addresses are joined when answering. */
import type { SummarizedAssessments, SummarizedRow } from '../assessments/assessment.ts';
import type { PropertyRows } from './property.ts';

/** Equal rows give equal text, whatever their order and origin. */
export function packRows(rows: PropertyRows): string {
  const grounds = new Set(rows.grounds.map(({ id }) => id));
  const groundParcels = rows.groundParcels.filter(({ groundId }) => grounds.has(groundId));
  const ids = [...groundParcels, ...rows.buildings].map(({ parcelId }) => parcelId);
  const parcels =
    rows.parcels &&
    [...new Set(ids)].flatMap((id) => (id === null ? [] : (rows.parcels?.get(id) ?? [])));
  const packed: Packed = {
    ...rows,
    grounds: inOrder(rows.grounds, ({ id }) => id),
    buildings: inOrder(rows.buildings, ({ id }) => id),
    floors: rows.floors && inOrder(rows.floors, ({ id }) => id),
    units: inOrder(rows.units, ({ id }) => id),
    facilities: rows.facilities && inOrder(rows.facilities, ({ id }) => id),
    groundParcels: inOrder(groundParcels, ({ groundId, parcelId }) => `${groundId} ${parcelId}`),
    ownParcels: inOrder(rows.ownParcels, ({ id }) => id),
    parcels: parcels && inOrder(parcels, ({ id }) => id),
    ...(rows.protections && {
      protections: inOrder(rows.protections, (row) => Object.values(row).join(' ')),
    }),
    assessments: rows.assessments && packAssessments(rows.assessments),
  };
  return JSON.stringify(packed, (name, value: unknown) => (FOUND_BY.has(name) ? undefined : value));
}

/** How the statement found a row (rows.ts); no answer shows it. */
const FOUND_BY: ReadonlySet<string> = new Set(['via', 'of']);

function inOrder<T>(rows: readonly T[], keyOf: (row: T) => string | number): T[] {
  return rows.toSorted((one, other) => {
    const [a, b] = [keyOf(one), keyOf(other)];
    return a < b ? -1 : Number(a > b);
  });
}

type Packed = Omit<PropertyRows, 'parcels' | 'assessments'> & {
  readonly parcels: readonly PropertyRows['ownParcels'][number][] | null;
  readonly assessments?: PackedAssessments | null | undefined;
};

/** Only what the summary uses, since a property has dozens of assessments. */
interface PackedAssessments {
  readonly unresolved: number;
  readonly cells: readonly (readonly (number | null)[])[];
}

function packAssessments({ rows, unresolved }: SummarizedAssessments): PackedAssessments {
  const cells = rows.map((row) => [
    row.year,
    row.propertyValue,
    row.groundValue,
    row.area,
    row.propertyId,
  ]);
  return { unresolved, cells };
}

function unpackAssessments({ cells, unresolved }: PackedAssessments): SummarizedAssessments {
  const rows = cells.map(
    ([year = 0, propertyValue = null, groundValue = null, area = null, propertyId = null]) =>
      ({ year, propertyValue, groundValue, area, propertyId }) as SummarizedRow,
  );
  return { rows, unresolved };
}

export function unpackRows(text: string): PropertyRows {
  const { parcels, assessments, ...rows } = JSON.parse(text) as Packed;
  return {
    ...rows,
    // JSON drops undefined: the table is not mirrored (D89).
    facilities: rows.facilities,
    assessments: assessments && unpackAssessments(assessments),
    parcels: parcels && new Map(parcels.map((parcel) => [parcel.id, parcel])),
  };
}
