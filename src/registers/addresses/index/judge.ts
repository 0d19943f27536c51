/** Costs are weighted edits by field. */
import type { CleanseField } from '../addresses.ts';
import type { OpenAddressIndex } from './address-index.ts';
import { STATUS_OF } from './index-format.ts';
import type { Hit } from './candidates.ts';
import { editsBetween } from '../../../names/normalize.ts';
import type { Lexicon } from './lexicon.ts';
import { slipsOf } from '../../../names/slips.ts';
import { fitPlaces } from './place-fit.ts';
import type { PlaceFit } from './place-fit.ts';
import { DOORS, FLOORS, isMended, slipsFrom } from './unit-slips.ts';
import type { Mended } from './unit-slips.ts';
import { asWritten } from './written.ts';
import type { Reading } from './written.ts';

export interface Judged {
  readonly hit: Hit;
  readonly reading: Reading;
  /** -1 for an access address. */
  readonly unit: number;
  readonly houseEdits: number;
  readonly floorEdits: number;
  readonly doorEdits: number;
  /** 0: equal; 4: not written; else differing digits. */
  readonly postcodeEdits: number;
  readonly fit: PlaceFit;
  readonly unknown: readonly string[];
  readonly isLiving: boolean;
  /** Floor or door is missing, none is contradicted. */
  readonly isUnitOpen: boolean;
  readonly order: number;
  readonly cost: number;
}

const WEIGHT = {
  ...{ strict: 3, road: 2, place: 0.5, unknown: 2, noPostcode: 1, dropped: 1.5 },
  // A missing field costs less than a contradicted one.
  unwritten: 0.4,
} as const;
const LETTER = { forgotten: 1.5, tooMany: 2.5, other: 4 } as const;
/** Likelier readings are cheaper. */
const WAY = {
  plain: 0,
  rare: 0.1,
  apart: 0.1,
  mended: 0.3,
  guessed: 0.4,
  'one of several': 0.2,
} as const;
const DROPPED_LETTERS = 4;
const DIGITS = 4;
const OTHER_HOUSE = 2;
const MOST_UNITS = 12;

export class Judge {
  readonly #addressIndex: OpenAddressIndex;
  readonly #lexicon: Lexicon;
  readonly #slips = new WeakMap<Reading, Record<'floor' | 'door', (own: string) => number>>();

  constructor(addressIndex: OpenAddressIndex, lexicon: Lexicon) {
    this.#addressIndex = addressIndex;
    this.#lexicon = lexicon;
  }

  /** Floor and door must be those of one of its units. */
  access(hit: Hit, reading: Reading): Judged {
    const isWhole = reading.floor === null && reading.door === null;
    const hasUnit = isWhole || this.#unitsLike(hit, reading).some(({ edits }) => edits === 0);
    const floorEdits = hasUnit ? 0 : (reading.floor ?? '').length;
    const doorEdits = hasUnit ? 0 : (reading.door ?? '').length;
    const status = this.#addressIndex.columns.accessStatus[hit.access]! & STATUS_OF;
    const unitCost = floorEdits + doorEdits;
    return this.#judge(hit, reading, {
      ...{ unit: -1, floorEdits, doorEdits, status, order: -1 },
      ...{ unitCost: WEIGHT.strict * unitCost, isUnitOpen: unitCost === 0 },
    });
  }

  units(hit: Hit, reading: Reading): readonly Judged[] {
    const like = this.#unitsLike(hit, reading);
    const least = Math.min(...like.map(({ edits }) => edits));
    const wanted = least === 0 ? like.filter(({ edits }) => edits === 0) : like;
    return wanted
      .sort((a, b) => a.unitCost - b.unitCost || a.order - b.order)
      .slice(0, MOST_UNITS)
      .map((unit) => this.#judge(hit, reading, unit));
  }

  allUnits(hit: Hit, reading: Reading, most = MOST_UNITS): readonly Judged[] {
    return this.#unitsLike(hit, reading)
      .slice(0, most)
      .map((unit) => this.#judge(hit, reading, unit));
  }

  unitsOf({ access }: Pick<Hit, 'access'>): readonly number[] {
    const { unitStarts, unitsByAccess } = this.#addressIndex.columns;
    return [...unitsByAccess.subarray(unitStarts[access], unitStarts[access + 1])];
  }

  slipsTo(judged: Pick<Judged, 'hit' | 'unit' | 'reading'>): Record<keyof Mended, number> {
    const { hit, unit, reading } = judged;
    const { columns, postcodes } = this.#addressIndex;
    const { accessHouse, accessPostcode, doors, floors, houses, unitDoor, unitFloor } = columns;
    const { floor, door, houseNumber, postcode } = reading.mended;
    const house = houses.at(accessHouse[hit.access]!);
    const post = postcodes[accessPostcode[hit.access]! - 1]?.code ?? '';
    const words = this.#slips.get(reading) ?? {
      floor: slipsFrom(floor ?? reading.floor, FLOORS),
      door: slipsFrom(door ?? reading.door, DOORS),
    };
    this.#slips.set(reading, words);
    return {
      floor: unit < 0 ? 0 : words.floor(floors.at(unitFloor[unit]!)),
      door: unit < 0 ? 0 : words.door(doors.at(unitDoor[unit]!)),
      houseNumber: houseNumber === null ? 0 : slipsOf(houseNumber, house),
      postcode: postcode === null ? 0 : slipsOf(postcode, post),
    };
  }

  #unitsLike(hit: Hit, { floor, door }: Reading) {
    const { columns } = this.#addressIndex;
    const one = (unit: number, floorCode: number, doorCode: number, order: number) => {
      const own = {
        floor: floorCode === 0 ? null : columns.floors.at(floorCode),
        door: doorCode === 0 ? null : columns.doors.at(doorCode),
      };
      const floorEdits = editsOf(floor, own.floor);
      const doorEdits = isSameDoor(door, own.door) ? 0 : editsOf(door, own.door);
      const unitCost = costOf(floor, own.floor, floorEdits) + costOf(door, own.door, doorEdits);
      const isUnitOpen = (floorEdits === 0 || floor === null) && (doorEdits === 0 || door === null);
      const status = columns.unitStatus[unit]! & STATUS_OF;
      const edits = floorEdits + doorEdits;
      return { unit, floorEdits, doorEdits, edits, unitCost, isUnitOpen, status, order };
    };
    const { former } = hit;
    if (former >= 0 && columns.formerKind[former] === 1) {
      const unit = columns.formerTarget[former]!;
      return [one(unit, columns.formerFloor[former]!, columns.formerDoor[former]!, 0)];
    }
    const found = [];
    const to = columns.unitStarts[hit.access + 1]!;
    for (let i = columns.unitStarts[hit.access]!; i < to; i++) {
      const unit = columns.unitsByAccess[i]!;
      found.push(one(unit, columns.unitFloor[unit]!, columns.unitDoor[unit]!, i));
    }
    return found;
  }

  #judge(
    hit: Hit,
    reading: Reading,
    own: Pick<Judged, 'unit' | 'floorEdits' | 'doorEdits' | 'order' | 'isUnitOpen'> & {
      readonly status: number;
      readonly unitCost: number;
    },
  ): Judged {
    const { columns } = this.#addressIndex;
    const { access, former } = hit;
    const isFormer = former >= 0;
    const house = isFormer ? columns.formerHouse[former]! : columns.accessHouse[access]!;
    const houseNumber = columns.houses.at(house);
    const houseEdits = editsOf(reading.houseNumber, houseNumber);
    const post = isFormer
      ? columns.formerPostcodes.at(columns.formerPostcode[former]!)
      : (this.#addressIndex.postcodes[columns.accessPostcode[access]! - 1]?.code ?? '');
    const town = isFormer ? columns.formerTown[former]! : columns.accessTown[access]!;
    const postName = this.#lexicon.postcodeName(post) ?? '';
    const fit = fitPlaces(reading.places, this.#lexicon.town(town), postName);
    const postcodeEdits = postcodeDifference(reading.postcode, post);
    const unknown = hit.dropped.length === 0 ? fit.unknown : [...hit.dropped, ...fit.unknown];
    const dropped = hit.dropped.map(({ length }) => Math.min(length, DROPPED_LETTERS));
    const strict = postcodeEdits === DIGITS ? 0 : postcodeEdits;
    return {
      hit,
      reading,
      unit: own.unit,
      houseEdits,
      floorEdits: own.floorEdits,
      doorEdits: own.doorEdits,
      postcodeEdits,
      fit,
      unknown,
      isLiving: own.status <= 3,
      isUnitOpen: own.isUnitOpen,
      order: own.order,
      cost:
        (houseEdits === 0 ? 0 : houseCost(reading.houseNumber, houseNumber, houseEdits)) +
        own.unitCost +
        WAY[reading.way] +
        WEIGHT.strict * strict +
        WEIGHT.road * hit.roadEdits +
        WEIGHT.place * (Math.min(fit.postName, 4) + fit.town) +
        WEIGHT.unknown * fit.unknown.length +
        WEIGHT.dropped * dropped.reduce((sum, letters) => sum + letters, 0) +
        (postcodeEdits === DIGITS ? WEIGHT.noPostcode : 0),
    };
  }
}

/** Without the cost of the reading: a likelier one is not a surer answer. */
export function plainCost({ cost, reading }: Judged): number {
  return cost - WAY[reading.way];
}

export function isExact(judged: Judged): boolean {
  const { way } = judged.reading;
  return (
    (way === 'plain' || way === 'rare' || way === 'apart') &&
    judged.hit.roadEdits === 0 &&
    judged.postcodeEdits === 0 &&
    judged.fit.postName === 0 &&
    judged.fit.town === 0 &&
    isSureBeyondRoad(judged)
  );
}

export function isSureBeyondRoad(judged: Judged): boolean {
  return (
    judged.houseEdits === 0 &&
    judged.floorEdits === 0 &&
    judged.doorEdits === 0 &&
    judged.unknown.length === 0
  );
}

/** `0121` and `-121` equal `121`. */
function isSameDoor(written: string | null, own: string | null): boolean {
  if (written === null || own === null) return false;
  return written === own || bareDoor(written) === bareDoor(own);
}

function bareDoor(door: string): string {
  return /^[-0]/.test(door) ? door.replace(/^[-0]+(?=.)/, '') : door;
}

function costOf(written: string | null, own: string | null, edits: number): number {
  if (edits === 0) return 0;
  return written === null && own !== null ? WEIGHT.unwritten : WEIGHT.strict * edits;
}

function houseCost(written: string | null, own: string, edits: number): number {
  const [number, letter] = splitNumber(written ?? '');
  const [ownNumber, ownLetter] = splitNumber(own);
  if (written === null || number !== ownNumber) return WEIGHT.strict * (OTHER_HOUSE + edits);
  if (letter === '') return LETTER.forgotten;
  return ownLetter === '' ? LETTER.tooMany : LETTER.other;
}

function splitNumber(houseNumber: string): readonly [string, string] {
  const number = /^\d*/.exec(houseNumber)![0];
  return [number, houseNumber.slice(number.length)];
}

function editsOf(written: string | null, own: string | null): number {
  if (written === own) return 0;
  return Math.max(1, editsBetween((written ?? '').toLowerCase(), (own ?? '').toLowerCase()));
}

function postcodeDifference(written: string | null, own: string): number {
  if (own === '') return written === null ? 0 : DIGITS;
  if (written === null) return DIGITS;
  let differing = 0;
  for (let i = 0; i < DIGITS; i++) if (written[i] !== own[i]) differing += 1;
  return differing;
}

/** A corrected word counts from what was written. */
export function differencesOf(
  judged: Judged,
  slipsTo: (judged: Judged) => Record<keyof Mended, number>,
): Record<CleanseField, number> {
  const { mended } = judged.reading;
  const slips = isMended(mended) ? slipsTo(judged) : null;
  const ofPart = (part: keyof Mended, edits: number): number =>
    slips === null || mended[part] === null ? edits : Math.ceil(slips[part]);
  return {
    road: judged.hit.roadEdits,
    houseNumber: ofPart('houseNumber', judged.houseEdits),
    floor: judged.unit < 0 ? judged.floorEdits : ofPart('floor', judged.floorEdits),
    door: judged.unit < 0 ? judged.doorEdits : ofPart('door', judged.doorEdits),
    supplementaryTown: judged.fit.town,
    postcode: ofPart('postcode', judged.postcodeEdits),
    postcodeName: judged.fit.postName,
  };
}

export function readOf({ reading, fit }: Judged): Record<CleanseField, string | null> {
  const written = (folded: string | null): string | null =>
    folded === null ? null : asWritten(folded, reading);
  return {
    road: reading.road === '' ? null : reading.road,
    houseNumber: reading.houseNumber,
    floor: reading.floor,
    door: reading.door,
    supplementaryTown: written(fit.townRead),
    postcode: reading.postcode,
    postcodeName: written(fit.postRead),
  };
}
