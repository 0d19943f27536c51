/**
 * Rows of BBR and the cadastre in force at one instant (D53). `null`: the register leaves it open.
 * Codes, years and areas are the register's; points are in EPSG:25832.
 */

import type { ParcelRow } from '../cadastre/parcels.ts';
import type { SummarizedAssessments } from '../assessments/assessment.ts';
import type { BuildingFieldsRow } from './record-fields.ts';
import type { ProtectionRow } from './protection/protection.ts';

/** Dates are days of the Danish calendar (D56). */
export interface DrainageRow {
  readonly drainage: string | null;
  readonly sewerMembership: string | null;
  readonly sewerOrder: string | null;
  readonly sewerOrderDue: string | null;
  readonly exitPermit: string | null;
  readonly exitPermitDate: string | null;
  readonly alternativePermit: string | null;
  readonly alternativePermitDate: string | null;
}

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

export interface FacilityRow {
  readonly id: string;
  readonly number: number | null;
  readonly class: string | null;
  readonly establishedYear: number | null;
  readonly rebuiltYear: number | null;
  readonly operation: string | null;
  readonly area: number | null;
  readonly height: number | null;
  readonly rotorDiameter: number | null;
  readonly x: number | null;
  readonly y: number | null;
  readonly buildingId: string | null;
  readonly contents: string | null;
  readonly material: string | null;
  readonly wallType: string | null;
  readonly sizeClass: string | null;
  readonly placement: string | null;
  readonly decommissioning: string | null;
  readonly corrosionProtection: string | null;
  readonly size: number | null;
  readonly volume: number | null;
  readonly decommissionedYear: number | null;
  readonly madeYear: number | null;
  readonly decommissioningDue: string | null;
  readonly serialNumber: string | null;
  readonly typeApproval: string | null;
  readonly corrosionProtectionDate: string | null;
  readonly cover: string | null;
  readonly inspectionDate: string | null;
  readonly latestInspection: string | null;
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
