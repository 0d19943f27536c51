/**
 * Judges answers to written addresses by the truth alone: it knows ids and what was told, nothing of
 * how an index finds them. Whatever answers is a function from a spelling to ids, the best first.
 */
import { KINDS } from './kinds.ts';
import type { Asks, Kind, PlaceTold, Random, Spelling } from './writing.ts';
import type { Plain, Truth } from './truth.ts';

export interface Answer {
  /** null: nothing, or whoever answers knows no categories. */
  readonly category: 'A' | 'B' | 'C' | null;
  /** The best first. */
  readonly ids: readonly string[];
}

export type Answerer = (written: Spelling['written'], asks: Asks) => Answer | Promise<Answer>;

export interface KindScore {
  readonly kind: Kind;
  count: number;
  first: number;
  inThree: number;
  a: number;
  b: number;
  wrongA: number;
  /** B for another address than the one meant, or for one of a road that is not there. */
  wrongB: number;
  /** B for an address of a road that is not there. */
  falseB: number;
  /** Of what went wrong, the first few. */
  readonly misses: string[];
}

export interface Question {
  readonly kind: Kind;
  readonly asks: Asks;
  readonly meant: Plain;
  readonly written: Spelling['written'];
  /** Ids that are right. */
  readonly right: ReadonlySet<string>;
}

/** Draws of one kind before it is given up as not possible among these addresses. */
const MOST_DRAWS = 4_000;
const SHOWN = 4;
const NOTHING = { count: 0, first: 0, inThree: 0, a: 0, b: 0, wrongA: 0, wrongB: 0, falseB: 0 };

/** mulberry32. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** `each` questions of every kind that these addresses can be written in. */
export function* questions(truth: Truth, each: number, seed: number): Generator<Question> {
  const houses = truth.houses.filter(({ id }) => (truth.unitsOf.get(id) ?? []).length > 1);
  const pools: Readonly<Record<Asks, readonly Plain[]>> = {
    unit: truth.units,
    access: truth.houses,
    house: houses,
  };
  for (const [i, kind] of KINDS.entries()) {
    const random = randomOf(seed * 1_009 + i);
    let made = 0;
    for (let draw = 0; made < each && draw < MOST_DRAWS; draw++) {
      const asks = kind.asks[draw % kind.asks.length]!;
      const pool = pools[asks];
      const meant = pool[Math.floor(random() * pool.length)];
      if (meant === undefined) break;
      const spelt = kind.spell(meant, random, truth);
      if (spelt === null) continue;
      const { written, told = 'postcode' } = typeof spelt === 'string' ? { written: spelt } : spelt;
      made += 1;
      const right = kind.isAbsent === true ? new Set<string>() : rightOf(meant, told, truth);
      yield { kind, asks, meant, written, right };
    }
  }
}

/** `each` questions of every kind of unit texts, of a flat whose house has no such floor or door. */
export function* absentQuestions(truth: Truth, each: number, seed: number): Generator<Question> {
  const { units } = truth;
  for (const [i, kind] of KINDS.entries()) {
    if (!kind.asks.includes('unit')) continue;
    const random = randomOf(seed * 1_013 + i);
    const draw = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
    const absent = { ...kind, isAbsent: true };
    let made = 0;
    for (let n = 0; made < each && n < MOST_DRAWS; n++) {
      const own = draw(units);
      const share = random();
      const floor = own.floor === null || share > 0.5 ? draw(FLOORS) : own.floor;
      const door = share > 0.5 ? own.door : draw(DOORS);
      const meant = { ...own, floor, door };
      if (truth.unitsOf.get(own.houseId)!.some((unit) => isSameUnit(unit, meant))) continue;
      const spelt = kind.spell(meant, random, truth);
      if (spelt === null) continue;
      made += 1;
      const written = typeof spelt === 'string' ? spelt : spelt.written;
      yield { kind: absent, asks: 'unit', meant, written, right: new Set() };
    }
  }
}

const FLOORS = ['kl', 'k2', 'st', '1', '2', '3', '4', '5', '6', '12', '21'];
const DOORS = [null, 'tv', 'mf', 'th', '1', '2', '3', '4', '12', '101', '1203', 'a', 'b12'];

const isSameUnit = (a: Plain, b: Plain): boolean => a.floor === b.floor && a.door === b.door;

/** All that say the same as what is told. */
function rightOf(meant: Plain, told: PlaceTold, truth: Truth): ReadonlySet<string> {
  const alike = truth.namesakes(meant).filter(({ code, post }) => {
    if (told === 'postcode') return code === meant.code;
    return told === 'nothing' || post === meant.post;
  });
  return new Set(alike.map(({ id }) => id));
}

/** Asks all questions and counts, a row a kind. */
export async function score(
  asked: Iterable<Question>,
  answer: Answerer,
): Promise<readonly KindScore[]> {
  const scores = new Map<Kind, KindScore>();
  for (const question of asked) {
    const { kind, asks, written } = question;
    let own = scores.get(kind);
    if (own === undefined) {
      own = { kind, ...NOTHING, misses: [] };
      scores.set(kind, own);
    }
    count(own, question, await answer(written, asks));
  }
  return [...scores.values()];
}

function count(own: KindScore, question: Question, { category, ids }: Answer): void {
  const { kind, right } = question;
  const isAbsent = kind.isAbsent === true;
  const isSure = category === 'A' || category === 'B';
  const isFirst = isAbsent ? !isSure : right.has(ids[0] ?? '');
  const isListed = isFirst || ids.slice(0, 3).some((id) => right.has(id));
  own.count += 1;
  own.a += Number(category === 'A');
  own.b += Number(category === 'B');
  own.first += Number(isFirst);
  own.inThree += Number(isListed);
  const isWrong = isSure && (!isFirst || kind.isSeveral === true);
  own.wrongA += Number(category === 'A' && isWrong);
  own.wrongB += Number(category === 'B' && isWrong);
  own.falseB += Number(category === 'B' && isAbsent);
  if (isWrong || (!isFirst && own.misses.length < SHOWN))
    own.misses.push(missText(question, category, ids));
}

function missText(
  { meant, written }: Question,
  category: Answer['category'],
  ids: readonly string[],
): string {
  const { road, number, floor, door, code } = meant;
  const unit = `${floor ?? ''} ${door ?? ''}`.trim();
  const shown = typeof written === 'string' ? written : JSON.stringify(written);
  return `${shown} [${road} ${number} ${unit} ${code}] ${category ?? '-'} ${ids[0] ?? ''}`;
}
