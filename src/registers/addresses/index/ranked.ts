import type { Road, SearchFilter } from '../addresses.ts';
import { normalize } from '../../../names/normalize.ts';
import { lowerBound } from '../../../kernel/compare.ts';
import { houseNumberOrder, NUMBER_STEP as NUMBER } from '../../../layers/address-text.ts';
import type { OpenAddressIndex } from './address-index.ts';
import { editsAllowed } from '../../../names/unread-names.ts';
import { STATUS_OF } from './index-format.ts';
import type { Lexicon } from './lexicon.ts';
import type { RoadNames } from './road-names.ts';
import type { Scope } from './scope.ts';
import type { Typed } from './typed.ts';

export interface RankedName {
  readonly name: number;
  /**
   * 0: whole name, 1: its start, 2: a word inside, 3 and more: misspelt. Slightly more where
   * abbreviated.
   */
  readonly rank: number;
}

const SHORTENED = 0.25;
const MOST_ROADS = 1_000;

interface Parts {
  readonly addressIndex: OpenAddressIndex;
  readonly names: RoadNames;
  readonly lexicon: Lexicon;
}

export class Ranking {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Whole names before prefixes, then near before far or frequent before rare; misspelt only if
   * none matches.
   */
  names(typed: Typed, scope: Scope, limit: number): readonly RankedName[] {
    if (typed.road === '') return [];
    const { names } = this.#parts;
    const { nearness } = scope;
    const best = new Best(limit, {
      isWanted: (name) => this.hasName(name, scope) && this.#hasItsNumbers(name, typed),
      after: (name) => nearness?.ofName(name, names) ?? -names.weights[name]!,
    });
    for (const { name, edits } of names.same(typed.road)) best.offer(name, edits && SHORTENED);
    if (typed.isRoadOpen || typed.houseNumber === null || best.count === 0) {
      names.beginning(typed.road, (name, rank, isShort) => {
        best.offer(name, isShort ? rank + SHORTENED : rank);
      });
    }
    if (typed.isToTheLetter) return best.sorted();
    const { length } = typed.road;
    const most = editsAllowed(length);
    for (let edits = 1; edits <= most && best.count === 0; edits++) {
      const near =
        typed.isRoadOpen || typed.houseNumber === null
          ? names.nearBeginning(typed.road, edits)
          : names.near(typed.road, edits + (length < 9 ? 0 : 1));
      for (const match of near) best.offer(match.name, 2 + match.edits);
    }
    return best.sorted();
  }

  /** `Vej 1 1` is not a prefix of `Vej 11`, though its letters are. */
  #hasItsNumbers(name: number, { road, isToTheLetter }: Typed): boolean {
    if (!isToTheLetter || !/\d \d/.test(road)) return true;
    return normalize(this.#parts.addressIndex.columns.names.at(name)).startsWith(road);
  }

  accesses(found: readonly RankedName[], typed: Typed, scope: Scope, limit: number): number[] {
    const accesses = new Set<number>();
    for (const { name } of found) {
      for (const range of rangesOf(typed)) {
        for (const access of this.#accessesOf(name, { range, scope, limit })) accesses.add(access);
        if (accesses.size >= limit) return [...accesses].slice(0, limit);
      }
    }
    return [...accesses];
  }

  /** A cellar without doors comes first. `wanted` null: any in use. */
  units(
    access: number,
    { floor, door, unitStart }: Typed,
    wanted: SearchFilter['status'],
  ): readonly number[] {
    const { doors, floors, unitDoor, unitFloor, unitStarts, unitStatus, unitsByAccess } =
      this.#parts.addressIndex.columns;
    const fits = (unit: number): boolean => {
      const ownFloor = floors.at(unitFloor[unit]!);
      const ownDoor = doors.at(unitDoor[unit]!);
      if (unitStart !== null) {
        const isLeft = floor === null ? ownFloor.startsWith(unitStart) : ownFloor === floor;
        return isLeft && (floor === null || ownDoor.startsWith(unitStart));
      }
      if (floor !== null && door === null)
        return ownFloor === floor || (ownFloor === '' && ownDoor === floor);
      return (floor === null || ownFloor === floor) && (door === null || ownDoor.startsWith(door));
    };
    const units: number[] = [];
    for (let i = unitStarts[access]!; i < unitStarts[access + 1]!; i++) {
      const unit = unitsByAccess[i]!;
      const status = unitStatus[unit]! & STATUS_OF;
      if (status <= 3 && (wanted ?? status) === status && fits(unit)) units.push(unit);
    }
    const cellar = units.findIndex((unit) => {
      return unitDoor[unit] === 0 && floors.at(unitFloor[unit]!).startsWith('k');
    });
    return cellar < 1 ? units : [units[cellar]!, ...units.toSpliced(cellar, 1)];
  }

  roadOf(name: number, scope: Scope): Road {
    const { addressIndex, names } = this.#parts;
    const { roadStarts } = addressIndex.columns;
    const { from, to } = names.roadsOf(name);
    let best = names.roads[from]!;
    let least = Infinity;
    for (let at = from; at < to; at++) {
      const road = names.roads[at]!;
      const after = scope.nearness?.ofRoad(road) ?? roadStarts[road]! - roadStarts[road + 1]!;
      if (after >= least || !(scope.isOpen || scope.hasRoad(road))) continue;
      best = road;
      least = after;
    }
    return addressIndex.road(best);
  }

  hasSeveralUnits(access: number): boolean {
    const { unitStarts } = this.#parts.addressIndex.columns;
    return unitStarts[access + 1]! - unitStarts[access]! > 1;
  }

  hasName(name: number, scope: Scope): boolean {
    const { names } = this.#parts;
    const { from, to } = names.roadsOf(name);
    if (scope.isOpen) return to > from;
    for (let at = from; at < to; at++) if (scope.hasRoad(names.roads[at]!)) return true;
    return false;
  }

  #accessesOf(
    name: number,
    asked: { readonly range: Range; readonly scope: Scope; readonly limit: number },
  ): readonly number[] {
    const { names, addressIndex } = this.#parts;
    const { accessHouse, accessPostcode } = addressIndex.columns;
    const { scope, limit } = asked;
    const { nearness } = scope;
    const { from, to } = names.roadsOf(name);
    const roads = [...names.roads.subarray(from, Math.min(to, from + MOST_ROADS))].filter((road) =>
      scope.mayHaveRoad(road),
    );
    if (nearness !== null) {
      const found = roads.flatMap((road) => this.#accessesOn(road, asked, Infinity));
      const distances = new Map(found.map((access) => [access, nearness.ofAccess(access)]));
      return found.sort((a, b) => distances.get(a)! - distances.get(b)! || a - b);
    }
    // A few addresses of each of many roads suffice: the list is cut to its limit.
    const some = Math.max(2, Math.ceil((2 * limit) / Math.max(1, roads.length)));
    const each = scope.isOpen ? some : limit;
    const found = roads.flatMap((road) => this.#accessesOn(road, asked, each));
    return found.sort(
      (a, b) =>
        accessHouse[a]! - accessHouse[b]! || accessPostcode[a]! - accessPostcode[b]! || a - b,
    );
  }

  #accessesOn(
    road: number,
    { range, scope }: { readonly range: Range; readonly scope: Scope },
    most: number,
  ): readonly number[] {
    const { accessHouse, accessesByRoad, roadStarts } = this.#parts.addressIndex.columns;
    const { houseOrders } = this.#parts.lexicon;
    const orderAt = (i: number): number => houseOrders[accessHouse[accessesByRoad[i]!]!]!;
    const span = { from: roadStarts[road]!, to: roadStarts[road + 1]! };
    const found: number[] = [];
    let i = lowerBound(span, (at) => orderAt(at) < range.from);
    for (; i < span.to && found.length < most && orderAt(i) < range.to; i++) {
      if (scope.hasAccess(accessesByRoad[i]!)) found.push(accessesByRoad[i]!);
    }
    return found;
  }
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** The number, then with letters, then with more digits while it is being typed. */
function rangesOf({ houseNumber, isHouseOpen }: Typed): readonly Range[] {
  if (houseNumber === null) return [{ from: 0, to: Infinity }];
  const exact = houseNumberOrder(houseNumber);
  const ranges = [{ from: exact, to: exact + 1 }];
  if (exact % NUMBER !== 0) return ranges;
  ranges.push({ from: exact + 1, to: exact + NUMBER });
  if (!isHouseOpen || exact === 0) return ranges;
  ranges.push({ from: exact * 10, to: exact * 10 + 10 * NUMBER });
  if (exact < 10 * NUMBER) ranges.push({ from: exact * 100, to: exact * 100 + 100 * NUMBER });
  return ranges;
}

interface Asked {
  isWanted(name: number): boolean;
  /** Ascending. */
  after(name: number): number;
}

interface Offered extends RankedName {
  readonly after: number;
}

class Best {
  readonly #limit: number;
  readonly #asked: Asked;
  readonly #ranks = new Map<number, number>();
  readonly #kept: Offered[] = [];

  constructor(limit: number, asked: Asked) {
    this.#limit = limit;
    this.#asked = asked;
  }

  get count(): number {
    return this.#kept.length;
  }

  offer(name: number, rank: number): void {
    const last = this.#kept.length < this.#limit ? undefined : this.#kept.at(-1);
    if (last !== undefined && rank > last.rank) return;
    const made = { name, rank, after: this.#asked.after(name) };
    if (last !== undefined && compare(made, last) > 0) return;
    const known = this.#ranks.get(name);
    if (known !== undefined && known <= rank) return;
    if (known === undefined && !this.#asked.isWanted(name)) {
      this.#ranks.set(name, -1);
      return;
    }
    if (known !== undefined) {
      this.#kept.splice(
        this.#kept.findIndex((kept) => kept.name === name),
        1,
      );
    }
    this.#ranks.set(name, rank);
    const at = this.#kept.findIndex((kept) => compare(made, kept) < 0);
    this.#kept.splice(at < 0 ? this.#kept.length : at, 0, made);
    if (this.#kept.length > this.#limit) this.#ranks.delete(this.#kept.pop()!.name);
  }

  sorted(): readonly RankedName[] {
    return this.#kept;
  }
}

function compare(a: Offered, b: Offered): number {
  if (a.rank !== b.rank) return a.rank - b.rank;
  // Two roads without a point are infinitely far.
  return a.after === b.after ? a.name - b.name : a.after - b.after;
}
