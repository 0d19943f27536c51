import type { AccessRow, IndexRows, Postcode, UnitRow } from '../addresses.ts';
import {
  composeAccess,
  composeUnit,
  doorOrder,
  floorOrder,
  houseNumberOrder,
} from '../../../layers/address-text.ts';
import { pack } from '../../../snapshot/format.ts';
import { ADDRESS_INDEX_KIND } from './index-format.ts';
import type { IndexMeta } from './index-format.ts';
import { orderTexts, packCoded } from './index-parts.ts';
import { AccessTable, FormerTable, RoadTable, SharedTexts, UnitTable } from './index-tables.ts';
import type { Orders } from './index-tables.ts';
import {
  boxesOfRoads,
  describePostcodes,
  formerNamesByPostcode,
  sortAddressPoints,
  roadsByPostcode,
} from './build-points.ts';
import { buildNames } from '../../../names/build-names.ts';
import type { Section } from '../../../snapshot/format.ts';

/**
 * Throws when ids do not ascend or are no UUIDs. About 110 bytes per access address and 35 per
 * unit.
 */
export function buildAddressIndex(version: number, rows: IndexRows): SharedArrayBuffer {
  const texts = new SharedTexts();
  const postcodes = [...rows.postcodes];
  const roads = new RoadTable(rows, texts);
  const accesses = new AccessTable(texts);
  const units = new UnitTable(texts);
  fillAccesses(accesses, rows.accesses, { roads, postcodes });
  fillUnits(units, rows.units, { roads, postcodes, accesses });
  const former = new FormerTable(texts, { accesses, units });
  for (const name of rows.formerNames) former.add(name);
  const orders = orderAll(texts);
  const points = sortAddressPoints(accesses);
  const meta: IndexMeta = {
    version,
    towns: [...(rows.towns ?? [])],
    postcodes: describePostcodes(postcodes, accesses, roads.municipalities),
    points: points.meta,
  };
  const roadSections = roads.sections(orders);
  const accessSections = accesses.sections(orders, roads.names.length);
  const formerSections = former.sections(orders);
  return pack(ADDRESS_INDEX_KIND, meta, {
    ...packCoded('names', orders.names.texts),
    ...packCoded('houses', orders.houses.texts),
    ...packCoded('floors', orders.floors.texts),
    ...packCoded('doors', orders.doors.texts),
    ...packCoded('towns', orders.towns.texts),
    ...roadSections,
    ...accessSections,
    ...boxesOfRoads(accesses, roads.names.length),
    ...roadsByPostcode(accesses, { roads: roads.names.length, postcodes: postcodes.length }),
    ...units.sections(orders, accesses.count),
    ...formerSections,
    ...formerNamesByPostcode(former, { names: orders.names, postcodes }),
    ...indexNames({
      names: orders.names.texts,
      roadName: roadSections['roads.name']!,
      roadShort: roadSections['roads.short']!,
      roadStarts: accessSections['roads.starts']!,
      formerName: formerSections['former.name']!,
    }),
    ...points.sections,
  });
}

interface Placed {
  readonly roads: RoadTable;
  readonly postcodes: readonly Postcode[];
}

function fillAccesses(
  accesses: AccessTable,
  rows: Iterable<AccessRow>,
  { roads, postcodes }: Placed,
): void {
  const placeOf = (row: AccessRow) => ({
    roadName: roads.names[row.road]!,
    houseNumber: row.houseNumber,
    supplementaryTown: row.supplementaryTown,
    postcode: row.postcode === null ? null : postcodes[row.postcode]!,
  });
  for (const row of rows) {
    accesses.add(row, row.designation === null ? '' : composeAccess(placeOf(row)));
  }
}

function fillUnits(
  units: UnitTable,
  rows: Iterable<UnitRow>,
  { roads, postcodes, accesses }: Placed & { readonly accesses: AccessTable },
): void {
  const partsOf = (row: UnitRow) => ({
    roadName: roads.names[accesses.road.items[row.access]!]!,
    houseNumber: accesses.houseNumberAt(row.access),
    supplementaryTown: accesses.townAt(row.access),
    postcode: postcodes[accesses.postcode.items[row.access]! - 1] ?? null,
    floor: row.floor,
    door: row.door,
  });
  for (const row of rows) {
    const composed = row.designation === null ? '' : composeUnit(partsOf(row));
    units.add(row, composed, accesses.bfeAt(row.access));
  }
}

function orderAll(texts: SharedTexts): Orders {
  return {
    names: orderTexts(texts.names.texts),
    houses: orderTexts(texts.houses.texts, houseNumberOrder),
    floors: orderTexts(texts.floors.texts, floorOrder),
    doors: orderTexts(texts.doors.texts, doorOrder),
    towns: orderTexts(texts.towns.texts),
  };
}

export interface NamedRows {
  readonly names: readonly string[];
  readonly roadName: ArrayLike<number>;
  readonly roadShort: ArrayLike<number>;
  readonly formerName: ArrayLike<number>;
  readonly roadStarts: ArrayLike<number>;
}

export function indexNames(rows: NamedRows): Record<string, Section> {
  const count = rows.names.length + 1;
  const formerStarts = new Uint32Array(count + 1);
  for (let i = 0; i < rows.formerName.length; i++) formerStarts[rows.formerName[i]! + 1]! += 1;
  for (let name = 0; name < count; name++) formerStarts[name + 1]! += formerStarts[name]!;
  return {
    ...buildNames(rows.names),
    ...roadsByName(rows, count),
    'index.formerStarts': formerStarts,
  };
}

function roadsByName(
  { roadName, roadShort, roadStarts }: NamedRows,
  count: number,
): Record<string, Section> {
  const starts = new Uint32Array(count + 1);
  const weights = new Uint32Array(count);
  const hasShort = (road: number): boolean =>
    roadShort[road] !== 0 && roadShort[road] !== roadName[road];
  for (let road = 0; road < roadName.length; road++) {
    starts[roadName[road]! + 1]! += 1;
    weights[roadName[road]!]! += roadStarts[road + 1]! - roadStarts[road]!;
    if (hasShort(road)) starts[roadShort[road]! + 1]! += 1;
  }
  for (let name = 0; name < count; name++) starts[name + 1]! += starts[name]!;
  const next = starts.slice();
  const roads = new Uint32Array(starts[count]!);
  const put = (name: number, road: number): void => {
    roads[next[name]!] = road;
    next[name]! += 1;
  };
  for (let road = 0; road < roadName.length; road++) {
    put(roadName[road]!, road);
    if (hasShort(road)) put(roadShort[road]!, road);
  }
  return { 'index.roadStarts': starts, 'index.roads': roads, 'index.weights': weights };
}
