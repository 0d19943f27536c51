/**
 * Datavask: which address a written one is, how sure that is, and what differs. The categories are
 * DAWA's published ones (upstream/registers-geo.md 3.5) with every doubt read against the answer:
 * A is given only to one address that nothing written speaks against.
 */
import type {
  AccessAddress,
  UnitAddress,
  WashCandidate,
  WashCategory,
  Washed,
  WashField,
  WrittenAddress,
} from '../../layers/addresses.ts';
import { normalDoor, normalFloor, normalHouseNumber } from '../../layers/address-text.ts';
import type { OpenAddressBook } from './book.ts';
import type { CandidateFinder, Hit } from './candidates.ts';
import { fold } from './fold.ts';
import { isExact, isSureBeyondRoad } from './judge.ts';
import type { Judge, Judged } from './judge.ts';
import type { Lexicon } from './lexicon.ts';
import { asWritten, readText } from './written.ts';
import type { Reading } from './written.ts';

export interface WashParts {
  readonly book: OpenAddressBook;
  readonly lexicon: Lexicon;
  readonly candidates: CandidateFinder;
  readonly judge: Judge;
}

/** Edits to a road name that B allows. */
const ROAD_EDITS = 3;
/** Hits of which the unit addresses are looked at, the best by their access address. */
const OPENED = 40;

export class Wash {
  readonly #parts: WashParts;

  constructor(parts: WashParts) {
    this.#parts = parts;
  }

  wash(written: WrittenAddress, kind: 'access' | 'unit', limit: number): Washed {
    const readings = this.#read(written);
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
    const best = this.#withBestFirst(found);
    if (best.length === 0) return { category: null, candidates: [] };
    const candidates = best.slice(0, limit).map((judged) => this.#candidate(judged, kind));
    return { category: this.#category(best), candidates };
  }

  #read(written: WrittenAddress): readonly Reading[] {
    if ('text' in written) return readText(written.text, this.#parts.lexicon);
    const { road, houseNumber, floor, door, postcode, town } = written;
    const places = town === null ? [] : town.split(',').filter((place) => fold(place) !== '');
    const isBlank = (text: string | null): text is null => text === null || text.trim() === '';
    return [
      {
        road: road.trim(),
        houseNumber: isBlank(houseNumber) ? null : (normalHouseNumber(houseNumber) ?? houseNumber),
        floor: isBlank(floor) ? null : (normalFloor(floor) ?? floor),
        door: isBlank(door) ? null : (normalDoor(door) ?? door),
        postcode: isBlank(postcode) ? null : paddedPostcode(postcode.trim()),
        places: places.map(fold),
        spelling: new Map(places.map((place) => [fold(place), place.trim()])),
      },
    ];
  }

  #judgeAll(hits: readonly Hit[], reading: Reading, kind: 'access' | 'unit'): readonly Judged[] {
    const { judge } = this.#parts;
    if (kind === 'access') return hits.map((hit) => judge.access(hit, reading));
    if (hits.length <= OPENED) return hits.flatMap((hit) => judge.units(hit, reading));
    // The whole house says enough to leave the worst unopened.
    const whole = { ...reading, floor: null, door: null };
    return hits
      .map((hit) => judge.access(hit, whole))
      .sort((a, b) => a.cost - b.cost)
      .slice(0, OPENED)
      .flatMap(({ hit }) => judge.units(hit, reading));
  }

  /** Best first, each address once. Never by chance: the last word has the id. */
  #inOrder(all: readonly Judged[]): readonly Judged[] {
    const sorted = [...all].sort(
      (a, b) =>
        a.cost - b.cost ||
        Number(b.isLiving) - Number(a.isLiving) ||
        Math.sign(a.hit.former) - Math.sign(b.hit.former) ||
        a.unit - b.unit ||
        a.hit.access - b.hit.access ||
        a.hit.former - b.hit.former,
    );
    const seen = new Set<number>();
    return sorted.filter(({ unit, hit }) => {
      const place = unit < 0 ? hit.access : unit;
      return !seen.has(place) && seen.add(place);
    });
  }

  /** Nothing alike could be better: only what was not written is missing. */
  #isSettled(found: readonly Judged[]): boolean {
    const [best] = found;
    return best !== undefined && this.#isAlmostCertain(best) && best.hit.roadEdits === 0;
  }

  /** Of several exact answers the living and present one that is written to the letter, if one is. */
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
    narrow((judged) => this.#isToTheLetter(judged));
    return exact.length === 1 ? exact[0]! : null;
  }

  #isToTheLetter({ hit, reading }: Judged): boolean {
    const { book } = this.#parts;
    const { columns } = book;
    const written = reading.road.toLowerCase();
    if (hit.former >= 0) {
      return columns.names.at(columns.formerName[hit.former]!).toLowerCase() === written;
    }
    const { name, shortName } = book.road(columns.accessRoad[hit.access]!);
    return name.toLowerCase() === written || shortName?.toLowerCase() === written;
  }

  #category(found: readonly Judged[]): WashCategory {
    const best = found[0]!;
    if (isExact(best)) return this.#certain(found) === best ? 'A' : 'C';
    if (!this.#isAlmostCertain(best)) return 'C';
    const rivals = found.filter(
      (judged) =>
        judged !== best &&
        judged.isLiving &&
        this.#isAlmostCertain(judged) &&
        judged.cost <= best.cost,
    );
    return rivals.length === 0 && this.#isNearestRoad(best) ? 'B' : 'C';
  }

  #isAlmostCertain(judged: Judged): boolean {
    if (!isSureBeyondRoad(judged) || judged.hit.roadEdits > ROAD_EDITS) return false;
    if (judged.postcodeEdits === 0) return !this.#isTornApart(judged);
    return judged.reading.postcode === null && judged.fit.postName === 0;
  }

  /** The postcode is one, the town written beside it is another's. */
  #isTornApart({ fit, hit }: Judged): boolean {
    if (fit.postName === 0 || fit.postRead === null) return false;
    const posts = this.#parts.lexicon.postsNamed(fit.postRead);
    return (
      posts.length > 0 && !posts.includes(this.#parts.book.columns.accessPostcode[hit.access]!)
    );
  }

  /** No other road in the postcode is as near to what was written. */
  #isNearestRoad({ hit, reading }: Judged): boolean {
    if (hit.roadEdits === 0) return true;
    const post = this.#parts.book.columns.accessPostcode[hit.access]!;
    if (post === 0) return false;
    const present = this.#parts.candidates.namesWithin(reading.road, post, hit.roadEdits);
    return hit.former < 0 ? present <= 1 : present === 0;
  }

  #candidate(judged: Judged, kind: 'access' | 'unit'): WashCandidate {
    const { book } = this.#parts;
    const { hit, unit } = judged;
    const address: AccessAddress | UnitAddress =
      unit < 0 ? book.accessAt(hit.access) : book.unitAt(unit);
    return {
      kind,
      address,
      former: hit.former < 0 ? null : book.formerAt(hit.former),
      differences: differencesOf(judged),
      read: readOf(judged),
      unknownWords: judged.unknown.map((word) => asWritten(word, judged.reading)),
    };
  }
}

function differencesOf(judged: Judged): Record<WashField, number> {
  return {
    road: judged.hit.roadEdits,
    houseNumber: judged.houseEdits,
    floor: judged.floorEdits,
    door: judged.doorEdits,
    supplementaryTown: judged.fit.town,
    postcode: judged.postcodeEdits,
    postcodeName: judged.fit.postName,
  };
}

function readOf({ reading, fit }: Judged): Record<WashField, string | null> {
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

/** A spreadsheet drops the zeros that a postcode begins with. */
function paddedPostcode(written: string): string {
  return /^\d{1,3}$/.test(written) ? written.padStart(4, '0') : written;
}
