/** Rows of a property as the store gives them, with what a test names put in. */
import type {
  BuildingRow,
  FacilityRow,
  FloorRow,
  GroundRow,
  PropertyRows,
  UnitRow,
} from '../../src/registers/property/property.ts';
import { BUILDING_COLUMNS } from '../../src/registers/property/building-fields.ts';
import type { BuildingFieldsRow } from '../../src/registers/property/building-fields.ts';
import { memberOf } from '../../src/registers/property/fields.ts';
import type { ParcelRow } from '../../src/registers/cadastre/parcels.ts';

const NO_DRAINAGE = {
  drainage: null,
  sewerMembership: null,
  sewerOrder: null,
  sewerOrderDue: null,
  exitPermit: null,
  exitPermitDate: null,
  alternativePermit: null,
  alternativePermitDate: null,
};

const NO_FIELDS = Object.fromEntries(
  BUILDING_COLUMNS.map(({ column }) => [memberOf(column), null]),
) as unknown as BuildingFieldsRow;

export function groundRow(of: Partial<GroundRow> & { readonly id: string }): GroundRow {
  return { ...NO_DRAINAGE, municipalityCode: '9001', dischargePermit: null, ...of };
}

export function buildingRow(of: Partial<BuildingRow> & { readonly id: string }): BuildingRow {
  return {
    ...NO_DRAINAGE,
    municipalityCode: '9001',
    ...NO_FIELDS,
    number: 1,
    use: '120',
    builtYear: 1968,
    rebuiltYear: 0,
    outerWall: '1',
    roof: '5',
    totalArea: 120,
    dwellingArea: 120,
    businessArea: 0,
    footprintArea: 120,
    storeys: 1,
    x: 600_000.125,
    y: 6_200_000.5,
    coordinateSystem: '5',
    groundId: 'g1',
    parcelId: null,
    ...of,
  };
}

export function floorRow(of: Partial<FloorRow> & { readonly id: string }): FloorRow {
  return {
    designation: 'st',
    area: 0,
    atticArea: 0,
    lowBasementArea: 0,
    basementDwellingArea: 0,
    type: '0',
    buildingId: 'b1',
    ...of,
  };
}

export function unitRow(of: Partial<UnitRow> & { readonly id: string }): UnitRow {
  return {
    use: '120',
    totalArea: 120,
    rooms: 4,
    heating: null,
    heatingFuel: null,
    addressId: null,
    floorId: null,
    buildingId: 'b1',
    ...of,
  };
}

/** Filled as the register fills: 0 in every number. */
export function facilityRow(of: Partial<FacilityRow> & { readonly id: string }): FacilityRow {
  return {
    number: 1,
    class: '1110',
    establishedYear: 0,
    rebuiltYear: 0,
    operation: '1',
    area: 0,
    height: 0,
    rotorDiameter: 0,
    x: null,
    y: null,
    buildingId: null,
    contents: null,
    material: null,
    wallType: null,
    sizeClass: null,
    placement: null,
    decommissioning: null,
    corrosionProtection: null,
    size: 0,
    volume: 0,
    decommissionedYear: 0,
    madeYear: 0,
    decommissioningDue: null,
    serialNumber: null,
    typeApproval: null,
    corrosionProtectionDate: null,
    cover: null,
    inspectionDate: null,
    latestInspection: null,
    ...of,
  };
}

export function parcelRow(of: Partial<ParcelRow> & { readonly id: number }): ParcelRow {
  return {
    number: '1a',
    districtCode: 9_999_901,
    districtName: 'Opdigtet By, Eksempelø',
    area: 800,
    municipalityCode: '9001',
    ...of,
  };
}

/** A property with its own ground `g1` and nothing on it. */
export function propertyRows(of: Partial<PropertyRows> = {}): PropertyRows {
  return {
    bfe: 9_100_001,
    kind: 'ground',
    municipalityCode: '9002',
    grounds: [groundRow({ id: 'g1' })],
    buildings: [],
    floors: [],
    units: [],
    facilities: [],
    groundParcels: [],
    ownParcels: [],
    parcels: new Map(),
    ...of,
  };
}
