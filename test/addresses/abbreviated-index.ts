/** An index of the roads that are abbreviated, all in one town, each with its houses 2 and 11. */
import type { AccessRow, IndexRows, UnitRow } from '../../src/registers/addresses/addresses.ts';

const NUMBERS = ['2', '11'];

const uuid = (kind: number, i: number): string =>
  `${String(kind).padStart(8, '0')}-0000-4000-8000-${String(i).padStart(12, '0')}`;

export function rowsOfRoads(names: readonly string[]): IndexRows {
  const distinct = [...new Set(names)];
  const roads = distinct.map((name, i) => {
    return { roadId: uuid(1, i), municipalityCode: '0101', roadCode: null, name, shortName: null };
  });
  const accesses = distinct.flatMap((_, road) =>
    NUMBERS.map((houseNumber, i): AccessRow => ({
      ...{ id: uuid(2, 2 * road + i), status: 3, road, houseNumber, supplementaryTown: null },
      ...{ postcode: 0, designation: null, position: null, bfe: null },
    })),
  );
  const units = accesses.map((_, access): UnitRow => ({
    ...{ id: uuid(3, access), status: 3, access, floor: null, door: null },
    ...{ designation: null, bfe: null },
  }));
  const postcodes = [{ code: '5000', name: 'Odense C' }];
  return { postcodes, roads, accesses, units, formerNames: [] };
}
