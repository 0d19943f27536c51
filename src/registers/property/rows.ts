import type { ProtectionRow } from './protection/protection.ts';
import { assessmentsOf } from '../assessments/folded.ts';
import type { FoldedAssessments } from '../assessments/folded.ts';
import type {
  BuildingRow,
  FacilityRow,
  FloorRow,
  GroundRow,
  OtherRegister,
  PropertyKind,
  PropertyRows,
  UnitRow,
} from './property.ts';
import type { ParcelRow } from '../cadastre/parcels.ts';

type Owned<T> = T & { readonly bfe: number };

type Via = 'ground' | 'foreign' | 'flat' | 'unit';
type FoundBuilding = Owned<BuildingRow> & { readonly via: Via };
type FoundFloor = FloorRow & { readonly status: number };
/** The building may be known only by its floor or entrance (D92). */
type FoundUnit = Omit<UnitRow, 'buildingId'> & {
  readonly buildingId: string | null;
  readonly entranceId: string | null;
};
type FoundFacility = FacilityRow & {
  readonly via: 'ground' | 'building' | 'unit' | 'property' | 'flat';
  /** The number whose ground it is on, else the id of what names it. */
  readonly of: string;
};

interface FoundProperty {
  readonly bfe: number;
  readonly id: string;
  readonly type: string | null;
  readonly municipalityCode: string | null;
}

/** null: empty; absent: a part left out. */
export interface PropertyLists {
  readonly properties: readonly FoundProperty[] | null;
  readonly grounds: readonly Owned<GroundRow>[] | null;
  readonly groundParcels: PropertyRows['groundParcels'] | null;
  readonly buildings: readonly FoundBuilding[] | null;
  readonly entrances: readonly { readonly id: string; readonly buildingId: string }[] | null;
  readonly units: readonly FoundUnit[] | null;
  readonly flatUnits: readonly Owned<FoundUnit>[] | null;
  readonly floors?: readonly FoundFloor[] | null;
  readonly facilities?: readonly FoundFacility[] | null;
  readonly buildingProperties?:
    | readonly { readonly buildingId: string; readonly propertyId: string }[]
    | null;
  readonly parcels?: readonly ParcelRow[] | null;
  readonly ownParcels?: readonly Owned<ParcelRow>[] | null;
  readonly registered?: readonly { readonly bfe: number }[] | null;
  readonly located?: readonly { readonly bfe: number }[] | null;
  readonly assessed?: readonly Owned<FoldedAssessments>[] | null;
  readonly protections?: readonly ProtectionRow[] | null;
}

/**
 * How the record shows tables that were not read (D89). undefined: not mirrored; null: unreadable;
 * false: read.
 */
export interface Unread {
  readonly floors: boolean;
  readonly facilities: undefined | null | false;
  readonly cadastre: boolean;
  readonly assessments: undefined | null | false;
  readonly protections: boolean;
}

/** Floors in force (D53); others only locate the building of their units. */
const IN_FORCE = 6;

export function rowsByNumber(
  lists: PropertyLists,
  unread: Unread,
): ReadonlyMap<number, PropertyRows> {
  const found = grouped(lists);
  const parcels = new Map(lists.parcels?.map((parcel) => [parcel.id, parcel]));
  const common = {
    groundParcels: lists.groundParcels ?? [],
    parcels: unread.cadastre ? null : parcels,
  };
  const rows = new Map<number, PropertyRows>();
  for (const [bfe, knownTo] of knownToOthers(lists)) {
    const ownParcels = found.ownParcels.get(bfe) ?? [];
    rows.set(bfe, { ...common, ...unknownToBbr(bfe), knownTo, ownParcels });
  }
  for (const [bfe, properties] of found.properties) {
    rows.set(bfe, { ...common, ...knownRows(found, properties, { bfe, unread }) });
  }
  return withAssessments(rows, lists, unread);
}

/** Also for numbers unknown to BBR, because land is assessed too. */
function withAssessments(
  rows: ReadonlyMap<number, PropertyRows>,
  { assessed }: PropertyLists,
  unread: Unread,
): ReadonlyMap<number, PropertyRows> {
  const { assessments } = unread;
  if (assessments === undefined) return rows;
  const byNumber = new Map(
    assessments === null ? [] : assessed?.map((row) => [row.bfe, assessmentsOf(row)]),
  );
  return new Map(
    [...rows].map(([bfe, own]) => [bfe, { ...own, assessments: byNumber.get(bfe) ?? null }]),
  );
}

function knownToOthers({ registered, located }: PropertyLists): Map<number, OtherRegister[]> {
  const known = new Map<number, OtherRegister[]>();
  for (const { bfe } of registered ?? []) known.set(bfe, ['cadastre']);
  for (const { bfe } of located ?? []) known.set(bfe, [...(known.get(bfe) ?? []), 'locations']);
  return known;
}

/** Measured: BBR holds nothing of it (D88). */
function unknownToBbr(bfe: number) {
  return {
    bfe,
    kind: null,
    municipalityCode: null,
    grounds: [],
    buildings: [],
    floors: [],
    units: [],
    facilities: [],
  };
}

function knownRows(
  found: Grouped,
  properties: readonly FoundProperty[],
  { bfe, unread }: { readonly bfe: number; readonly unread: Unread },
) {
  const grounds = distinct(found.grounds.get(bfe) ?? []);
  const foundBuildings = found.buildings.get(bfe) ?? [];
  const buildings = distinct(foundBuildings);
  const units = unitsOf(found, bfe, foundBuildings);
  const kind = kindOf(properties, { grounds, foundBuildings });
  const whole = wholeOf(foundBuildings);
  const ofBuildings = buildings.flatMap(({ id }) => found.floors.get(id) ?? []);
  return {
    bfe,
    kind,
    municipalityCode: properties[0]?.municipalityCode ?? null,
    grounds,
    buildings,
    floors: unread.floors ? null : ofBuildings.filter(({ status }) => status === IN_FORCE),
    units,
    facilities:
      unread.facilities === false
        ? facilitiesOf(found, { bfe, kind, properties, whole, units })
        : unread.facilities,
    ownParcels: [],
    protections: unread.protections
      ? null
      : buildings.flatMap(({ id }) => found.protections.get(id) ?? []),
  };
}

/** Buildings that belong wholly to the number, not those that only hold its units (D57). */
function wholeOf(buildings: readonly FoundBuilding[]): ReadonlySet<string> {
  return new Set(buildings.flatMap(({ id, via }) => (via === 'unit' ? [] : [id])));
}

/** A flat shows only its own units; an owner of the whole building shows all. */
function unitsOf(found: Grouped, bfe: number, buildings: readonly FoundBuilding[]): UnitRow[] {
  const whole = wholeOf(buildings);
  const held = new Set(buildings.map(({ id }) => id));
  const ofWhole = [...whole].flatMap((id) => found.units.get(id) ?? []);
  const own = (found.flatUnits.get(bfe) ?? []).flatMap((unit) => found.placed(unit) ?? []);
  return distinct([...ofWhole, ...own.filter(({ buildingId }) => held.has(buildingId))]);
}

const KINDS: Readonly<Partial<Record<string, PropertyKind>>> = {
  sfe: 'ground',
  '1': 'ground',
  bpfg: 'foreign-building',
  '2': 'foreign-building',
  ejerlejlighed: 'flat',
  '3': 'flat',
};

/** The register's, else derived from what the property has. */
function kindOf(
  properties: readonly FoundProperty[],
  {
    grounds,
    foundBuildings,
  }: { readonly grounds: readonly unknown[]; readonly foundBuildings: readonly FoundBuilding[] },
): PropertyKind {
  for (const { type } of properties) {
    const kind = KINDS[type?.trim().toLowerCase() ?? ''];
    if (kind !== undefined) return kind;
  }
  if (foundBuildings.some(({ via }) => via === 'foreign')) return 'foreign-building';
  if (foundBuildings.some(({ via }) => via === 'flat' || via === 'unit')) return 'flat';
  return grounds.length > 0 ? 'ground' : 'flat';
}

/** D91: for a ground all on it; for a building or flat what names it. Each once. */
function facilitiesOf(
  found: Grouped,
  of: {
    readonly bfe: number;
    readonly kind: PropertyKind;
    readonly properties: readonly FoundProperty[];
    readonly whole: ReadonlySet<string>;
    readonly units: readonly UnitRow[];
  },
): FacilityRow[] {
  const isGround = of.kind === 'ground';
  const beside = isGround
    ? [...of.whole].flatMap((id) => found.buildingProperties.get(id) ?? [])
    : [];
  const keys = [
    ...(isGround ? [`ground ${of.bfe}`] : []),
    ...[...of.whole].map((id) => `building ${id}`),
    ...of.units.map(({ id }) => `unit ${id}`),
    ...of.properties.flatMap(({ id }) => [`property ${id}`, `flat ${id}`]),
    ...beside.map(({ propertyId }) => `property ${propertyId}`),
  ];
  return distinct(keys.flatMap((key) => found.facilities.get(key) ?? []));
}

function distinct<T extends { readonly id: string }>(rows: readonly T[]): T[] {
  const byId = new Map<string, T>();
  for (const row of rows) if (!byId.has(row.id)) byId.set(row.id, row);
  return [...byId.values()];
}

type Grouped = ReturnType<typeof grouped>;

function grouped(lists: PropertyLists) {
  const byNumber = <T extends { readonly bfe: number }>(rows: readonly T[] | null | undefined) =>
    Map.groupBy(rows ?? [], ({ bfe }) => bfe);
  const byBuilding = <T extends { readonly buildingId: string }>(
    rows: readonly T[] | null | undefined,
  ) => Map.groupBy(rows ?? [], ({ buildingId }) => buildingId);
  const buildingOf = (rows: PropertyLists['entrances'] | undefined) =>
    new Map(rows?.map(({ id, buildingId }) => [id, buildingId] as const));
  const [ofFloor, ofEntrance] = [buildingOf(lists.floors), buildingOf(lists.entrances)];
  /** With its own building, else its floor's, else its entrance's (D92); null: unknown. */
  const placed = (unit: FoundUnit): UnitRow | null => {
    const { floorId, entranceId } = unit;
    const buildingId =
      unit.buildingId ?? ofFloor.get(floorId ?? '') ?? ofEntrance.get(entranceId ?? '');
    return buildingId === undefined ? null : { ...unit, buildingId };
  };
  return {
    placed,
    properties: byNumber(lists.properties),
    grounds: byNumber(lists.grounds),
    buildings: byNumber(lists.buildings),
    flatUnits: byNumber(lists.flatUnits),
    ownParcels: byNumber(lists.ownParcels),
    protections: byBuilding(lists.protections),
    floors: byBuilding(lists.floors),
    units: byBuilding((lists.units ?? []).flatMap((unit) => placed(unit) ?? [])),
    facilities: Map.groupBy(lists.facilities ?? [], ({ via, of }) => `${via} ${of}`),
    buildingProperties: byBuilding(lists.buildingProperties),
  };
}
