/** Datavask. The categories are DAWA's (upstream/registers-geo.md 3.5); every doubt lowers them. */
import type {
  AccessAddress,
  UnitAddress,
  CleanseCandidate,
  CleanseCategory,
  Cleansed,
  CleanseKind,
  WrittenAddress,
} from '../addresses.ts';
import { accessOf } from '../addresses.ts';
import type { OpenAddressIndex } from './address-index.ts';
import type { CandidateFinder, Hit } from './candidates.ts';
import { normalize, keyOf } from '../../../names/normalize.ts';
import { asNearAs, lettersOf, slipsBetween } from '../../../names/slips.ts';
import { hasItsCuts, nameWords } from './cut-names.ts';
import { asDigits, isGuess } from './houses.ts';
import { differencesOf, isExact, isSureBeyondRoad, plainCost, readOf } from './judge.ts';
import type { Judge, Judged } from './judge.ts';
import type { Lexicon } from './lexicon.ts';
import { insideOf } from './outside.ts';
import { partsLabelled } from './labelled.ts';
import { readingsOf } from './parts.ts';
import { isMended } from './unit-slips.ts';
import { asWritten, readRoadAlone } from './written.ts';
import type { Reading } from './written.ts';

export interface CleanseParts {
  readonly addressIndex: OpenAddressIndex;
  readonly lexicon: Lexicon;
  readonly candidates: CandidateFinder;
  readonly judge: Judge;
}

const roadEdits = (letters: number): number => (letters < 5 ? 1 : letters < 8 ? 2 : 3);
const OPENED = 40;
/** `Vej 3`, `Afd. 2`, `3. Række` may belong to a place named before it. */
const SECTION = /\d$|^\d{1,2}\.\s*\S+$/;

export class Cleanser {
  readonly #parts: CleanseParts;

  constructor(parts: CleanseParts) {
    this.#parts = parts;
  }

  cleanse(written: WrittenAddress, kind: CleanseKind | null, limit: number): Cleansed {
    const whole = this.#cleanse(written, kind, limit);
    if (whole.category === 'A' || whole.category === 'B' || !('text' in written)) return whole;
    const mayHaveNames = partsLabelled(written) === written;
    const isPlace = (folded: string): boolean => this.#mayBePlace(folded);
    const { text, outside, names } = insideOf(written.text, { isPlace, mayHaveNames });
    if (text === written.text) return whole;
    const inside = this.#cleanse({ ...written, text }, kind, limit);
    const [best] = inside.candidates;
    if (best === undefined || inside.category === 'C') return whole;
    if (names.some((name) => this.#mayBeOf(name, accessOf(best.address).road.name))) return whole;
    const candidates = inside.candidates.map((candidate) => ({
      ...candidate,
      unknownWords: [...outside, ...candidate.unknownWords],
    }));
    return { category: 'B', candidates };
  }

  /** `Gammel, Kongevej 5` is one road; `Rosenhaven, Vej 3, 12` may be. */
  #mayBeOf(name: string, road: string): boolean {
    const whole = `${normalize(name)} ${normalize(road)}`;
    return SECTION.test(road) || this.#parts.candidates.mayBeRoad(whole);
  }

  #mayBePlace(folded: string): boolean {
    const { candidates, lexicon } = this.#parts;
    return lexicon.mayBeTown(folded) || candidates.mayBeRoad(folded);
  }

  #cleanse(written: WrittenAddress, kind: CleanseKind | null, limit: number): Cleansed {
    const readings = readingsOf(written, this.#parts.lexicon);
    const exact = readings.flatMap((reading) =>
      this.#judgeAll(this.#parts.candidates.exact(reading), reading, kind),
    );
    let found = this.#inOrder(exact);
    if (!found.some(isExact) && !this.#isSettled(found)) {
      const alike = readings.flatMap((reading) =>
        this.#judgeAll(this.#parts.candidates.alike(reading), reading, kind),
      );
      found = this.#inOrder([...exact, ...alike]);
    }
    if (found.length === 0 && 'text' in written) {
      const road = readRoadAlone(written.text, this.#parts.lexicon);
      found = this.#inOrder(this.#judgeAll(this.#parts.candidates.alike(road), road, kind));
    }
    const ordered = this.#withBestFirst(found);
    const [first, ...others] = ordered;
    if (first === undefined) return { category: null, candidates: [] };
    const rivals = isMended(first.reading.mended) ? this.#asFewSlipsAway(first) : [];
    const best = rivals.length === 0 ? ordered : distinct([first, ...rivals, ...others]);
    const category = rivals.length === 0 ? this.#category(ordered, exact) : 'C';
    const top = best.slice(0, limit);
    const listed = kind === null ? this.#withUnits(top, category === 'C').slice(0, limit) : top;
    return { category, candidates: listed.map((judged) => this.#candidate(judged)) };
  }

  /** A house is followed by its units, unless it is a guess: then the other guesses come first. */
  #withUnits([best, ...others]: readonly Judged[], isGuess: boolean): readonly Judged[] {
    if (best === undefined) return [];
    const [first, ...units] = this.#opened(best);
    const rest = others.map((other) => this.#opened(other)[0]!);
    return distinct(isGuess ? [first!, ...rest, ...units] : [first!, ...units, ...rest]);
  }

  #opened(judged: Judged): readonly Judged[] {
    if (judged.unit >= 0 || !judged.isUnitOpen) return [judged];
    const units = this.#parts.judge
      .allUnits(judged.hit, judged.reading)
      .filter(({ isLiving }) => isLiving);
    const [only, ...more] = units;
    const isWhole =
      only !== undefined && more.length === 0 && only.floorEdits + only.doorEdits === 0;
    if (isWhole && judged.isLiving) return [only];
    return [judged, ...units];
  }

  #judgeAll(hits: readonly Hit[], reading: Reading, kind: CleanseKind | null): readonly Judged[] {
    const { judge } = this.#parts;
    const isWhole = reading.floor === null && reading.door === null;
    if (kind === 'access') return hits.map((hit) => judge.access(hit, reading));
    if (kind === null && isWhole) return hits.flatMap((hit) => this.#house(hit, reading));
    if (hits.length <= OPENED) return hits.flatMap((hit) => this.#units(hit, reading, kind));
    // The cost of the whole house already rules out the worst hits.
    const whole = { ...reading, floor: null, door: null };
    return hits
      .map((hit) => judge.access(hit, whole))
      .sort((a, b) => a.cost - b.cost)
      .slice(0, OPENED)
      .flatMap(({ hit }) => this.#units(hit, reading, kind));
  }

  /** A house where no unit is written; a unit where the former name was a unit's. */
  #house(hit: Hit, reading: Reading): readonly Judged[] {
    const { judge, addressIndex } = this.#parts;
    const isUnits = hit.former >= 0 && addressIndex.columns.formerKind[hit.former] === 1;
    return isUnits ? judge.units(hit, reading) : [judge.access(hit, reading)];
  }

  /** A house without units is its own answer where either kind is accepted. */
  #units(hit: Hit, reading: Reading, kind: CleanseKind | null): readonly Judged[] {
    const { judge } = this.#parts;
    const units = judge.units(hit, reading);
    return units.length === 0 && kind === null ? [judge.access(hit, reading)] : units;
  }

  #inOrder(all: readonly Judged[]): readonly Judged[] {
    const sorted = [...all].sort(
      (a, b) =>
        a.cost - b.cost ||
        Number(b.isLiving) - Number(a.isLiving) ||
        Math.sign(a.hit.former) - Math.sign(b.hit.former) ||
        this.#houseOrder(a) - this.#houseOrder(b) ||
        a.hit.access - b.hit.access ||
        a.order - b.order ||
        a.hit.former - b.hit.former,
    );
    return distinct(sorted);
  }

  #houseOrder({ hit }: Judged): number {
    const { accessHouse, accessPostcode } = this.#parts.addressIndex.columns;
    return accessHouse[hit.access]! * 0x1_0000 + accessPostcode[hit.access]!;
  }

  /** Nothing similar can be better: fields are missing, none contradicts. */
  #isSettled(found: readonly Judged[]): boolean {
    const [best] = found;
    if (best === undefined || !best.hit.isNamed || best.houseEdits > 0 || !best.isUnitOpen)
      return false;
    return best.unknown.length === 0 && this.#isInPlace(best);
  }

  /** Of several exact answers the one in use, present and spelt as written comes first. */
  #withBestFirst(found: readonly Judged[]): readonly Judged[] {
    const certain = this.#certain(found);
    if (certain === null || certain === found[0]) return found;
    return [certain, ...found.filter((judged) => judged !== certain)];
  }

  #certain(found: readonly Judged[]): Judged | null {
    let exact = found.filter(isExact);
    const narrow = (isBetter: (judged: Judged) => boolean): void => {
      const better = exact.filter(isBetter);
      if (better.length > 0) exact = better;
    };
    narrow(({ hit, isLiving }) => hit.former < 0 && isLiving);
    narrow(({ isLiving }) => isLiving);
    narrow(({ hit }) => hit.former < 0);
    if (new Set(exact.map(({ reading }) => normalize(reading.road))).size > 1) {
      return this.#asRegistered(exact);
    }
    narrow((judged) => this.#isToTheLetter(judged));
    return exact.length === 1 ? exact[0]! : null;
  }

  /** Of readings that each match, the one spelt as in the register. */
  #asRegistered(exact: readonly Judged[]): Judged | null {
    const { addressIndex } = this.#parts;
    const longest = Math.max(...exact.map(({ reading }) => reading.road.length));
    const [only, ...more] = exact.filter(({ hit, reading }) => {
      const { name } = addressIndex.road(addressIndex.columns.accessRoad[hit.access]!);
      const isWhole = reading.road.length === longest && reading.way !== 'apart';
      return isWhole && reading.road === name && hit.former < 0;
    });
    return only !== undefined && more.length === 0 ? only : null;
  }

  #isToTheLetter({ hit, reading }: Judged): boolean {
    const { addressIndex } = this.#parts;
    const { columns } = addressIndex;
    const written = reading.road.toLowerCase();
    if (hit.former >= 0) {
      return columns.names.at(columns.formerName[hit.former]!).toLowerCase() === written;
    }
    const { name, shortName } = addressIndex.road(columns.accessRoad[hit.access]!);
    return name.toLowerCase() === written || shortName?.toLowerCase() === written;
  }

  #category(found: readonly Judged[], exact: readonly Judged[]): CleanseCategory {
    const best = found[0]!;
    if (isExact(best)) {
      // `2-4` is floor 4 of number 2, or the numbers 2 and 4.
      const mayBeSeveral = exact.some((judged) => {
        return judged.reading.way === 'one of several' && judged.houseEdits === 0;
      });
      const isSure = best.reading.way === 'plain' || !mayBeSeveral;
      const isOne = !found.some((judged) => isOtherRoad(judged, best));
      return isSure && isOne && this.#certain(found) === best ? 'A' : 'C';
    }
    if (isGuess(best.reading.way) || !this.#isAlmostCertain(best)) return 'C';
    const hasRival = found.some((judged) => judged !== best && this.#isRival(judged, best));
    return !hasRival && this.#isNearestRoad(best) ? 'B' : 'C';
  }

  /** Alternatives where words were corrected: flats, numbers and roads with as few edits. */
  #asFewSlipsAway(best: Judged): readonly Judged[] {
    const { candidates, judge } = this.#parts;
    const { hit, reading, unit } = best;
    const { houseNumber, postcode } = reading.mended;
    const slips = this.#slipsTo(best);
    const elsewhere = { ...reading, road: this.#nameOf(best), postcode: null, places: [] };
    const accesses = [
      hit.access,
      ...(houseNumber === null ? [] : candidates.besides(hit.access)),
      ...(postcode === null ? [] : candidates.exact(elsewhere).map(({ access }) => access)),
    ];
    const hits = [...new Set(accesses)].map((access) => ({ ...hit, access, former: -1 }));
    const isNear = (other: Hit, place: number): boolean =>
      this.#slipsTo({ hit: other, unit: place, reading }) <= slips;
    return hits
      .filter((other) => isNear(other, -1))
      .flatMap((other) => {
        if (unit < 0) return other.access === hit.access ? [] : [judge.access(other, reading)];
        const near = new Set(judge.unitsOf(other).filter((own) => isNear(other, own)));
        near.delete(unit);
        if (near.size === 0) return [];
        return judge.allUnits(other, reading, Infinity).filter((own) => near.has(own.unit));
      })
      .filter(({ isLiving }) => isLiving);
  }

  #slipsTo(judged: Pick<Judged, 'hit' | 'unit' | 'reading'>): number {
    const { floor, door, houseNumber, postcode } = this.#parts.judge.slipsTo(judged);
    return floor + door + houseNumber + postcode;
  }

  /** It costs no more than the best, or only more of what was not written. */
  #isRival(judged: Judged, best: Judged): boolean {
    if (!judged.isLiving) return false;
    if (plainCost(judged) <= plainCost(best) && this.#isAlmostCertain(judged)) return true;
    const { isNamed, roadEdits: edits, dropped } = judged.hit;
    // `Odense Engvej 3`: Engvej in Odense.
    const posts = this.#parts.lexicon.postsNamed(dropped.join(' '));
    const isAsTold = edits === 0 && judged.houseEdits === 0 && posts.includes(this.#postOf(judged));
    if (isAsTold && best.hit.roadEdits > 0) return true;
    if (!isSureBeyondRoad(judged) || !this.#isInPlace(judged)) return false;
    const isNamedAlike = isNamed && edits <= best.hit.roadEdits;
    return isNamedAlike || this.#asNearAs(best)(this.#nameOf(judged));
  }

  #asNearAs(best: Judged): (name: string) => boolean {
    const { hit, reading } = best;
    const written = lettersOf(reading.road);
    if (hit.isNamed) return (name) => slipsBetween(written, lettersOf(name)) <= hit.roadEdits;
    const isAsNear = asNearAs(written, lettersOf(this.#nameOf(best)));
    return (name) => isAsNear(lettersOf(name));
  }

  #isAlmostCertain(judged: Judged): boolean {
    return isSureBeyondRoad(judged) && this.#isRoadLike(judged) && this.#isInPlace(judged);
  }

  /** The road is an abbreviation or a slip of the pen: few letters, no digit, and not another road's name. */
  #isRoadLike(judged: Judged): boolean {
    const { hit, reading } = judged;
    if (hit.roadEdits === 0) return true;
    const { candidates } = this.#parts;
    const words = nameWords(reading.road);
    // `Øster Allé` elsewhere is a different name from `Østre Allé`.
    if (hit.isNamed)
      return words.some(({ isCut }) => isCut) || !candidates.isRoadAsWritten(reading.road);
    const name = this.#nameOf(judged);
    // `Vej ll` may be number 11.
    const digits = (text: string): string =>
      text.replace(/(?<!\S)[lioszb|]{1,3}(?!\S)/gi, asDigits).replace(/\D/g, '');
    return (
      hit.roadEdits <= roadEdits(keyOf(normalize(reading.road)).length) &&
      digits(name) === digits(reading.road) &&
      hasItsCuts(words, nameWords(name)) &&
      !candidates.isRoad(reading.road)
    );
  }

  /** The former name, else the nearer of the present and the short one. */
  #nameOf({ hit, reading }: Judged): string {
    const { addressIndex } = this.#parts;
    const { columns } = addressIndex;
    if (hit.former >= 0) return columns.names.at(columns.formerName[hit.former]!);
    const { name, shortName } = addressIndex.road(columns.accessRoad[hit.access]!);
    if (shortName === null) return name;
    const written = lettersOf(reading.road);
    const [own, short] = [name, shortName].map((each) => slipsBetween(written, lettersOf(each)));
    return short! < own! ? shortName : name;
  }

  #isInPlace(judged: Judged): boolean {
    if (judged.postcodeEdits === 0) return !this.#isTornApart(judged);
    const { fit, reading } = judged;
    const isTownAlone = fit.postRead === null && fit.townRead !== null && fit.town === 0;
    return reading.postcode === null && (fit.postName === 0 || isTownAlone);
  }

  #isTornApart(judged: Judged): boolean {
    const { postName, postRead } = judged.fit;
    if (postName === 0 || postRead === null) return false;
    const posts = this.#parts.lexicon.postsNamed(postRead);
    return posts.length > 0 && !posts.includes(this.#postOf(judged));
  }

  #postOf({ hit }: Judged): number {
    return this.#parts.addressIndex.columns.accessPostcode[hit.access]!;
  }

  #isNearestRoad(judged: Judged): boolean {
    const { hit, reading } = judged;
    if (hit.roadEdits === 0) return true;
    const post = this.#postOf(judged);
    if (post === 0) return false;
    const { candidates } = this.#parts;
    // `N. Vej` matches every name that begins with N.
    if (candidates.namesCut(reading.road, post) > 1) return false;
    const present = candidates.roadsNear(reading.road, post, {
      // Two swapped letters are two edits.
      edits: 2 * hit.roadEdits + 2,
      isNear: this.#asNearAs(judged),
    });
    return hit.former < 0 ? present <= 1 : present === 0;
  }

  #candidate(judged: Judged): CleanseCandidate {
    const { addressIndex } = this.#parts;
    const { hit, unit } = judged;
    const address: AccessAddress | UnitAddress =
      unit < 0 ? addressIndex.accessAt(hit.access) : addressIndex.unitAt(unit);
    const successors = addressIndex.successors(address);
    return {
      ...(successors === null ? {} : { successors }),
      kind: unit < 0 ? 'access' : 'unit',
      address,
      former: hit.former < 0 ? null : addressIndex.formerAt(hit.former),
      differences: differencesOf(judged, (own) => this.#parts.judge.slipsTo(own)),
      read: readOf(judged),
      unknownWords: judged.unknown.map((word) => asWritten(word, judged.reading)),
    };
  }
}

/** `1114 Dragsrup Strandvej 4`: Strandvej in Dragsrup, or Dragsrup Strandvej. */
function isOtherRoad(judged: Judged, best: Judged): boolean {
  return (
    judged.reading.road !== best.reading.road &&
    judged.reading.postcode !== null &&
    judged.hit.roadEdits === 0 &&
    judged.postcodeEdits === 0 &&
    judged.fit.postRead === null &&
    best.fit.postRead !== null &&
    isSureBeyondRoad(judged)
  );
}

function distinct(all: readonly Judged[]): readonly Judged[] {
  const seen = new Set<number>();
  return all.filter(({ unit, hit }) => {
    // Access addresses and units are numbered separately.
    const place = unit < 0 ? -1 - hit.access : unit;
    return !seen.has(place) && seen.add(place);
  });
}
