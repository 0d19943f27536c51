/**
 * Rows of BBR and the cadastre in force at one instant (D53). `null`: the register leaves it open.
 * Codes, years and areas are the register's; points are in EPSG:25832.
 */

import type { ParcelRow } from '../cadastre/parcels.ts';
import type { SummarizedAssessments } from '../assessments/assessment.ts';
import type { RowOf } from './fields.ts';
import type {
  BuildingFieldsRow,
  DRAINAGE_FIELDS,
  FACILITY_FIELDS,
  TANK_FIELDS,
} from './record-fields.ts';
import type { ProtectionRow } from './protection/protection.ts';

/** Dates are days of the Danish calendar (D56). */
export type DrainageRow = RowOf<typeof DRAINAGE_FIELDS>;

export interface GroundRow extends DrainageRow {
  readonly id: string;
  readonly municipalityCode: string | null;
  readonly dischargePermit: string | null;
}

export interface BuildingRow extends DrainageRow, BuildingFieldsRow {
  readonly id: string;
  readonly municipalityCode: string | null;
  readonly x: number | null;
  readonly y: number | null;
  readonly coordinateSystem: string | null;
  readonly groundId: string | null;
  readonly parcelId: number | null;
}

export interface FloorRow {
  readonly id: string;
  readonly designation: string | null;
  readonly area: number | null;
  readonly atticArea: number | null;
  readonly lowBasementArea: number | null;
  readonly basementDwellingArea: number | null;
  readonly type: string | null;
  readonly buildingId: string;
}

export interface UnitRow {
  readonly id: string;
  readonly use: string | null;
  readonly totalArea: number | null;
  readonly rooms: number | null;
  readonly heating: string | null;
  readonly heatingFuel: string | null;
  readonly addressId: string | null;
  readonly floorId: string | null;
  /** Its own, else its floor's, else its entrance's (D92). */
  readonly buildingId: string;
}

type FacilityFieldsRow = RowOf<typeof FACILITY_FIELDS> & RowOf<typeof TANK_FIELDS>;

export interface FacilityRow extends FacilityFieldsRow {
  readonly id: string;
  readonly number: number | null;
  readonly class: string | null;
  readonly x: number | null;
  readonly y: number | null;
  readonly buildingId: string | null;
}

export type PropertyKind = 'ground' | 'foreign-building' | 'flat';

/** Other registers that may know a number (D88): the cadastre, and EBR's locations. */
export type OtherRegister = 'cadastre' | 'locations';

export interface PropertyRows {
  readonly bfe: number;
  /** null: only another register knows the number (D88). */
  readonly kind: PropertyKind | null;
  /** Present if BBR does not know the number; never empty. */
  readonly knownTo?: readonly OtherRegister[];
  readonly municipalityCode: string | null;
  /** For a building or flat those beneath it (D91). */
  readonly grounds: readonly GroundRow[];
  readonly buildings: readonly BuildingRow[];
  /** null: not mirrored or unreadable (D89). */
  readonly floors: readonly FloorRow[] | null;
  readonly units: readonly UnitRow[];
  /** undefined: not mirrored; null: unreadable (D89). */
  readonly facilities: readonly FacilityRow[] | null | undefined;
  /** Parcels that BBR relates to its grounds; null: a relation without a parcel. */
  readonly groundParcels: readonly {
    readonly groundId: string;
    readonly parcelId: number | null;
  }[];
  /** The cadastre's parcels of a number unknown to BBR. */
  readonly ownParcels: readonly ParcelRow[];
  /** null: not mirrored or unreadable (D89). */
  readonly parcels: ReadonlyMap<number, ParcelRow> | null;
  /** undefined: not mirrored; null: none or unreadable. */
  readonly assessments?: SummarizedAssessments | null | undefined;
  readonly protections?: readonly ProtectionRow[] | null;
}
