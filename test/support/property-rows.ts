/** Rows of a property as the store gives them, with what a test names put in. */
import type {
  BuildingRow,
  FacilityRow,
  FloorRow,
  GroundRow,
  PropertyRows,
  UnitRow,
} from '../../src/registers/property/property.ts';
import { memberOf } from '../../src/registers/property/fields.ts';
import { BBR_TABLES } from '../../src/registers/property/tables.ts';
import type { ParcelRow } from '../../src/registers/cadastre/parcels.ts';

/** What the store gives of a row with nothing in it. */
function emptyRow(entity: string, ofNumbers: 0 | null = null): object {
  const { columns } = BBR_TABLES.find((each) => each.entity === entity)!;
  const isNumber = (kind: string) => kind === 'integer' || kind === 'decimal';
  return Object.fromEntries(
    columns.map(({ name, kind }) => [memberOf(name), isNumber(kind) ? ofNumbers : null]),
  );
}

export function groundRow(of: Partial<GroundRow> & { readonly id: string }): GroundRow {
  return { ...emptyRow('Grund'), municipalityCode: '9001', ...of } as GroundRow;
}

export function buildingRow(of: Partial<BuildingRow> & { readonly id: string }): BuildingRow {
  return {
    ...emptyRow('Bygning'),
    ...{ municipalityCode: '9001', number: 1, use: '120', builtYear: 1968, rebuiltYear: 0 },
    ...{ outerWall: '1', roof: '5', totalArea: 120, dwellingArea: 120, businessArea: 0 },
    ...{ footprintArea: 120, storeys: 1, x: 600_000.125, y: 6_200_000.5 },
    ...{ coordinateSystem: '5', groundId: 'g1' },
    ...of,
  } as BuildingRow;
}

export function floorRow(of: Partial<FloorRow> & { readonly id: string }): FloorRow {
  return {
    ...{ designation: 'st', area: 0, atticArea: 0, lowBasementArea: 0 },
    ...{ basementDwellingArea: 0, type: '0', buildingId: 'b1' },
    ...of,
  };
}

export function unitRow(of: Partial<UnitRow> & { readonly id: string }): UnitRow {
  return {
    ...{ use: '120', totalArea: 120, rooms: 4, heating: null, heatingFuel: null },
    ...{ addressId: null, floorId: null, buildingId: 'b1' },
    ...of,
  };
}

/** Filled as the register fills: 0 in every number. */
export function facilityRow(of: Partial<FacilityRow> & { readonly id: string }): FacilityRow {
  return {
    ...emptyRow('TekniskAnlaeg', 0),
    ...{ number: 1, class: '1110', operation: '1', x: null, y: null },
    ...of,
  } as FacilityRow;
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
