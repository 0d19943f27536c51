import { normalize } from '../../../names/normalize.ts';
import { lowerBound } from '../../../kernel/compare.ts';
import { pointsInBox } from '../../../snapshot/points.ts';
import type { RoadExtent, RoadFilter, UnitFilter, WalkFilter } from '../addresses.ts';
import type { OpenAddressIndex } from './address-index.ts';
import { STATUS_OF } from './index-format.ts';
import { RoadNames } from './road-names.ts';

export class AddressWalk {
  readonly #index: OpenAddressIndex;
  #names: RoadNames | null = null;
  #byMunicipality: ReadonlyMap<string, readonly number[]> | null = null;

  constructor(index: OpenAddressIndex) {
    this.#index = index;
  }

  *accesses(filter: WalkFilter): Generator<number> {
    const { columns } = this.#index;
    if (filter.accessId !== null) {
      const place = columns.accessIds.find(filter.accessId);
      if (place >= 0 && this.#fits(place, filter) && this.#hasRoad(place, filter)) yield place;
      return;
    }
    if (filter.within !== null) {
      for (const place of this.#inBox(filter.within)) {
        if (this.#fits(place, filter) && this.#hasRoad(place, filter)) yield place;
      }
      return;
    }
    const { accessesByRoad, roadStarts } = columns;
    for (const road of this.roads(filter)) {
      for (let i = roadStarts[road]!; i < roadStarts[road + 1]!; i++) {
        const place = accessesByRoad[i]!;
        if (this.#fits(place, filter)) yield place;
      }
    }
  }

  *units(filter: UnitFilter): Generator<number> {
    const { columns } = this.#index;
    const { doors, floors, unitDoor, unitFloor, unitStarts, unitStatus, unitsByAccess } = columns;
    const { statuses } = filter;
    for (const access of this.accesses({ ...filter, statuses: [2, 3, 4, 5] })) {
      for (let i = unitStarts[access]!; i < unitStarts[access + 1]!; i++) {
        const unit = unitsByAccess[i]!;
        if (!statuses.includes(unitStatus[unit]! & STATUS_OF)) continue;
        if (!meets(filter.floors, floors.at(unitFloor[unit]!))) continue;
        if (!meets(filter.doors, doors.at(unitDoor[unit]!))) continue;
        yield unit;
      }
    }
  }

  *roads(filter: RoadFilter): Generator<number> {
    for (const road of this.#candidates(filter)) if (this.#isRoad(road, filter)) yield road;
  }

  extentOf(road: number): RoadExtent {
    const { columns, postcodes } = this.#index;
    const { accessPostcode, accessStatus, accessesByRoad, roadStarts } = columns;
    const posts = new Set<number>();
    for (let i = roadStarts[road]!; i < roadStarts[road + 1]!; i++) {
      const access = accessesByRoad[i]!;
      if ((accessStatus[access]! & STATUS_OF) > 3) continue;
      if (accessPostcode[access]! > 0) posts.add(accessPostcode[access]!);
    }
    const found = [...posts].toSorted((a, b) => a - b).map((post) => postcodes[post - 1]!);
    const { minX, minY, maxX, maxY } = columns.boxOfRoad(road);
    const box = minX > maxX ? null : ([minX, minY, maxX, maxY] as const);
    return { postcodes: found.map(({ code, name }) => ({ code, name })), box };
  }

  named(name: string): readonly number[] {
    const names = (this.#names ??= new RoadNames(this.#index));
    return names.same(normalize(name)).flatMap((match) => {
      const { from, to } = names.roadsOf(match.name);
      return [...names.roads.subarray(from, to)];
    });
  }

  #candidates({ roadId, roadNames, municipalityCodes, postcodes }: RoadFilter): Iterable<number> {
    const { columns } = this.#index;
    if (roadId !== null) return placesOf(columns.roadIds, roadId);
    if (roadNames.length > 0) return new Set(roadNames.flatMap((name) => this.named(name)));
    if (postcodes.length > 0) return this.#inPostcodes(postcodes);
    if (municipalityCodes.length === 0) return Array(columns.roadName.length).keys();
    const { roadMunicipalities: codes } = columns;
    this.#byMunicipality ??= Map.groupBy(Array(codes.count).keys(), (road) => codes.at(road));
    return municipalityCodes.flatMap((code) => this.#byMunicipality!.get(code) ?? []);
  }

  #inPostcodes(codes: readonly string[]): readonly number[] {
    const { postStarts, roadsByPost } = this.#index.columns;
    const roads = new Set<number>();
    for (const [post, { code }] of this.#index.postcodes.entries()) {
      if (!codes.includes(code)) continue;
      for (let i = postStarts[post]!; i < postStarts[post + 1]!; i++) roads.add(roadsByPost[i]!);
    }
    return [...roads].toSorted((a, b) => a - b);
  }

  #isRoad(road: number, { municipalityCodes, roadCodes, roadId, roadNames }: RoadFilter): boolean {
    const found = this.#index.road(road);
    const { roadCode, municipalityCode, name, shortName } = found;
    return (
      (roadId === null || found.roadId === roadId) &&
      (municipalityCodes.length === 0 || municipalityCodes.includes(municipalityCode)) &&
      (roadCodes.length === 0 || (roadCode !== null && roadCodes.includes(roadCode))) &&
      (roadNames.length === 0 ||
        roadNames.some((asked) => isSame(name, asked) || isSame(shortName, asked)))
    );
  }

  #hasRoad(access: number, filter: RoadFilter): boolean {
    return this.#isRoad(this.#index.columns.accessRoad[access]!, filter);
  }

  #fits(access: number, filter: WalkFilter): boolean {
    const { accessHouse, accessPostcode, accessStatus, accessTown, houses, towns } =
      this.#index.columns;
    const { postcodes, statuses } = filter;
    if (!statuses.includes(accessStatus[access]! & STATUS_OF)) return false;
    if (!meets(filter.houseNumbers, houses.at(accessHouse[access]!))) return false;
    const town = towns.at(accessTown[access]!);
    if (filter.towns.length > 0 && !filter.towns.some((each) => isSame(town, each))) return false;
    const post = this.#index.postcodes[accessPostcode[access]! - 1];
    return postcodes.length === 0 || (post !== undefined && postcodes.includes(post.code));
  }

  #inBox(within: NonNullable<WalkFilter['within']>): readonly number[] {
    const found: number[] = [];
    for (const points of this.#index.pointSets) {
      pointsInBox(points, within.box, (rank, xUtm32, yUtm32) => {
        if (within.covers({ xUtm32, yUtm32 })) found.push(rank);
      });
    }
    return found.toSorted((a, b) => a - b);
  }
}

const meets = (asked: readonly string[], own: string): boolean =>
  asked.length === 0 || asked.includes(own);

function isSame(own: string | null, asked: string): boolean {
  return own !== null && own.toLocaleLowerCase('da') === asked.toLocaleLowerCase('da');
}

/** A road has a part in each of its municipalities. */
function placesOf(ids: { readonly count: number; at(i: number): string }, id: string): number[] {
  const found: number[] = [];
  let i = lowerBound({ from: 0, to: ids.count }, (at) => ids.at(at) < id);
  for (; i < ids.count && ids.at(i) === id; i++) found.push(i);
  return found;
}
