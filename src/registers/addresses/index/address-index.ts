/** Nothing is unpacked in advance; roads are kept once read. */
import type { PointUtm32 } from '../../../geo/point.ts';
import type {
  AccessAddress,
  AddressIndex,
  AddressStatus,
  FormerName,
  Postcode,
  PostcodeEntry,
  Road,
  UnitAddress,
} from '../addresses.ts';
import { composeAccess, composeUnit } from '../../../layers/address-text.ts';
import { unpack } from '../../../snapshot/format.ts';
import { NearestPointEngine } from '../../../snapshot/points.ts';
import type { SortedPoints } from '../../../snapshot/points.ts';
import { ADDRESS_INDEX_KIND, OWN_TEXT, STATUS_OF } from './index-format.ts';
import type { IndexMeta } from './index-format.ts';
import { readColumns } from './columns.ts';
import type { Columns } from './columns.ts';
import { successorsOf } from './successors.ts';

export interface OpenAddressIndex extends AddressIndex {
  readonly columns: Columns;
  readonly formerCount: number;
  readonly pointSets: readonly SortedPoints[];
  /** As `nearest`, but the place of the address; -1: none. */
  nearestPlace(point: PointUtm32, radiusM: number): number;
  road(place: number): Road;
  accessAt(place: number): AccessAddress;
  unitAt(place: number): UnitAddress;
  formerAt(place: number): FormerName;
}

export interface OpenOptions {
  /** This buffer's checksum was already checked. */
  readonly verified?: boolean;
}

export function openAddressIndex(
  buffer: SharedArrayBuffer,
  { verified = false }: OpenOptions = {},
): OpenAddressIndex {
  const container = unpack<IndexMeta>(buffer, { kind: ADDRESS_INDEX_KIND, verified });
  const columns = readColumns(container);
  const records = new Records(columns, container.meta.postcodes);
  const pointSets = pointSetsOf(columns, container.meta);
  // Provisional addresses do not answer (D47).
  const engine = new NearestPointEngine(pointSets[0]);
  /** Ties go to the lower place, which is the lower id. */
  const nearestPlace = (point: PointUtm32, radiusM: number): number => {
    const slot = engine.nearest(point, radiusM);
    return slot < 0 ? slot : engine.points.ranks[slot]!;
  };
  return {
    version: container.meta.version,
    accessCount: columns.accessIds.count,
    unitCount: columns.unitIds.count,
    columns,
    formerCount: columns.formerKind.length,
    postcodes: container.meta.postcodes,
    towns: container.meta.towns,
    pointSets,
    road: (place) => records.road(place),
    accessAt: (place) => records.accessAt(place),
    unitAt: (place) => records.unitAt(place),
    formerAt: (place) => records.formerAt(place),
    access: (id) => {
      const place = columns.accessIds.find(id);
      return place < 0 ? null : records.accessAt(place);
    },
    unit: (id) => {
      const place = columns.unitIds.find(id);
      return place < 0 ? null : records.unitAt(place);
    },
    unitsOf: (accessId) => records.unitsOf(columns.accessIds.find(accessId)),
    successors: (address) => successorsOf(records, address),
    nearestPlace,
    nearest: (point, radiusM) => {
      const place = nearestPlace(point, radiusM);
      return place < 0 ? null : { address: records.accessAt(place), distanceM: engine.distanceM };
    },
  };
}

/** Of the addresses in force, and of the provisional ones. */
function pointSetsOf(
  { xy, inForce, provisional }: Columns,
  { points }: IndexMeta,
): readonly [SortedPoints, SortedPoints] {
  const split = 2 * points.inForce.count;
  const end = split + 2 * points.provisional.count;
  return [
    { ...inForce, grid: points.inForce.grid, xy: xy.subarray(0, split) },
    { ...provisional, grid: points.provisional.grid, xy: xy.subarray(split, end) },
  ];
}

class Records {
  readonly columns: Columns;
  readonly #postcodes: readonly Postcode[];
  readonly #roads: (Road | undefined)[];

  constructor(columns: Columns, postcodes: readonly PostcodeEntry[]) {
    this.columns = columns;
    this.#postcodes = postcodes.map(({ code, name }) => ({ code, name }));
    this.#roads = Array.from({ length: columns.roadName.length });
  }

  road(place: number): Road {
    return (this.#roads[place] ??= this.#readRoad(place));
  }

  #readRoad(place: number): Road {
    const { roadIds, roadMunicipalities, roadCodes, roadName, roadShort, names } = this.columns;
    return {
      roadId: roadIds.at(place),
      municipalityCode: roadMunicipalities.at(place),
      roadCode: roadCodes.at(place) || null,
      name: names.at(roadName[place]!),
      shortName: textOf(names, roadShort[place]!),
    };
  }

  accessAt(place: number): AccessAddress {
    const columns = this.columns;
    const status = columns.accessStatus[place]!;
    const road = this.road(columns.accessRoad[place]!);
    const houseNumber = columns.houses.at(columns.accessHouse[place]!);
    const supplementaryTown = textOf(columns.towns, columns.accessTown[place]!);
    const postcode = this.#postcodes[columns.accessPostcode[place]! - 1] ?? null;
    const parts = { roadName: road.name, houseNumber, supplementaryTown, postcode };
    return {
      id: columns.accessIds.at(place),
      status: (status & STATUS_OF) as AddressStatus,
      road,
      houseNumber,
      supplementaryTown,
      postcode,
      designation: (status & OWN_TEXT) !== 0 ? columns.accessOwn(place) : composeAccess(parts),
      position: columns.pointOf(place),
      bfe: columns.accessBfe[place] || null,
    };
  }

  unitAt(place: number, known?: AccessAddress): UnitAddress {
    const columns = this.columns;
    const status = columns.unitStatus[place]!;
    const access = known ?? this.accessAt(columns.unitAccess[place]!);
    const floor = textOf(columns.floors, columns.unitFloor[place]!);
    const door = textOf(columns.doors, columns.unitDoor[place]!);
    const designation =
      (status & OWN_TEXT) !== 0
        ? columns.unitOwn(place)
        : composeUnit({ ...access, roadName: access.road.name, floor, door });
    return {
      id: columns.unitIds.at(place),
      status: (status & STATUS_OF) as AddressStatus,
      access,
      floor,
      door,
      designation,
      bfe: columns.unitBfe(place) ?? access.bfe,
    };
  }

  unitsOf(access: number): readonly UnitAddress[] {
    if (access < 0) return [];
    const { unitStarts, unitsByAccess, unitStatus } = this.columns;
    const record = this.accessAt(access);
    const units: UnitAddress[] = [];
    for (let i = unitStarts[access]!; i < unitStarts[access + 1]!; i++) {
      const place = unitsByAccess[i]!;
      if ((unitStatus[place]! & STATUS_OF) <= 3) units.push(this.unitAt(place, record));
    }
    return units;
  }

  formerAt(place: number): FormerName {
    const columns = this.columns;
    const target = columns.formerTarget[place]!;
    const kind = columns.formerKind[place] === 0 ? 'access' : 'unit';
    return {
      kind,
      id: (kind === 'access' ? columns.accessIds : columns.unitIds).at(target),
      roadName: columns.names.at(columns.formerName[place]!),
      houseNumber: columns.houses.at(columns.formerHouse[place]!),
      floor: textOf(columns.floors, columns.formerFloor[place]!),
      door: textOf(columns.doors, columns.formerDoor[place]!),
      supplementaryTown: textOf(columns.towns, columns.formerTown[place]!),
      postcode: textOf(columns.formerPostcodes, columns.formerPostcode[place]!),
      validFrom: textOf(columns.formerFroms, columns.formerFrom[place]!),
      validTo: textOf(columns.formerTos, columns.formerTo[place]!),
    };
  }
}

function textOf(texts: { at(code: number): string }, code: number): string | null {
  return code === 0 ? null : texts.at(code);
}
