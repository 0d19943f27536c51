/**
 * Addresses as people write them, held against what they meant: others by another `TEST_SEED`.
 */
import { describe, expect, it } from 'vitest';
import { nationalAddresses } from '../../bench/national/addresses.ts';
import { Land } from '../../bench/national/land.ts';
import type { IndexRows } from '../../src/registers/addresses/addresses.ts';
import { ABBREVIATED } from '../addresses/abbreviated.ts';
import { answererOf, suggesterOf } from '../addresses/answerers.ts';
import { FIRST_KINDS } from '../addresses/kinds.ts';
import { hardRows } from '../addresses/hard-roads.ts';
import { FAMILIES, written } from '../addresses/writing.ts';
import { absentQuestions, questions, score } from '../addresses/score.ts';
import type { KindScore } from '../addresses/score.ts';
import { finderOver, smallIndex } from '../addresses/small-index.ts';
import { realRows, Truth } from '../addresses/truth.ts';
import { scoreTyping } from '../addresses/typing.ts';
import { readOsak } from '../support/osak.ts';
import { describeReal } from '../support/real-data.ts';
import { amountOf, oneIn, TEST_SEED } from '../support/run-settings.ts';

const EACH = amountOf({ gate: 3, night: 200 });
const ABSENT = amountOf({ gate: 1, night: 200 });
const TYPED = amountOf({ gate: 60, night: 300 });

const isMost = (share: number): boolean => share >= 0.95;
const sum = (scores: readonly KindScore[], of: (score: KindScore) => number): number =>
  scores.reduce((total, each) => total + of(each), 0);

function judged(name: string, rows: IndexRows, mostLetters: number): void {
  const truth = new Truth(rows);
  const finder = finderOver(rows);

  it(`finds what was meant among ${name}, and is sure of nothing else`, async () => {
    console.log(`${name}: TEST_SEED=${TEST_SEED}`);
    const scores = await score(questions(truth, EACH, TEST_SEED), answererOf(finder));
    const misses = scores.flatMap(({ kind, misses: own }) => own.map((miss) => [kind.name, miss]));
    const count = sum(scores, (own) => own.count);
    expect(scores.length).toBeGreaterThan(80);
    expect([sum(scores, (own) => own.wrongA), misses]).toEqual([0, misses]);
    expect([sum(scores, (own) => own.wrongB), misses]).toEqual([0, misses]);
    const lost = scores.filter((own) => own.first === 0 && own.count >= EACH);
    expect(lost.map(({ kind }) => kind.name)).toEqual([]);
    expect(sum(scores, (own) => own.first) / count, JSON.stringify(misses)).toBeGreaterThan(0.98);
    expect(sum(scores, (own) => own.inThree) / count).toBeGreaterThan(0.99);
    for (const family of FAMILIES) {
      const own = scores.filter(({ kind }) => kind.family === family);
      const asked = sum(own, (each) => each.count);
      // Of a handful one alone may be a road that two can be.
      if (asked < EACH) continue;
      const share = sum(own, (each) => each.first) / asked;
      expect([family, share], JSON.stringify(misses)).toEqual([family, expect.toSatisfy(isMost)]);
    }
    const all = (kind: string): void => {
      const own = scores.find((each) => each.kind.name === kind)!;
      expect([kind, own.first, own.misses]).toEqual([kind, own.count, []]);
    };
    for (const { name: kind, family } of FIRST_KINDS) if (family === 'as registered') all(kind);
    all('house as registered');
  });

  it(`is sure of no flat among ${name} where the house has none as is written`, async () => {
    const asked = absentQuestions(truth, ABSENT, TEST_SEED);
    const scores = await score(asked, answererOf(finder));
    expect(sum(scores, (own) => own.count)).toBeGreaterThan(80 * ABSENT);
    const sure = scores.filter(({ a, b }) => a + b > 0);
    expect(sure.map(({ kind, misses }) => [kind.name, misses])).toEqual([]);
  });

  it(`suggests what is being typed among ${name}, and nothing else behind it`, () => {
    const typing = scoreTyping(truth, suggesterOf(finder), { count: TYPED, seed: TEST_SEED });
    expect(typing.never, JSON.stringify(typing.misses)).toBe(0);
    expect(typing.medianLetters).toBeLessThanOrEqual(mostLetters);
    expect(typing.strayed, JSON.stringify(typing.misses)).toBeLessThanOrEqual(0.05);
    expect(typing.caretFound / typing.caretCount).toBeGreaterThan(0.9);
  });
}

describe('invented addresses as people write them', () => {
  const made = nationalAddresses(new Land(0.01));
  const rows = { ...made, accesses: [...made.accesses] };
  judged('invented addresses', rows, 14);
});

describe('roads that are hard to read as people write them', () => {
  // Most of them begin as another does.
  judged('hard roads', hardRows(), 17);
});

describeReal('real addresses as people write them', [], () => {
  judged('real addresses', realRows(), 14);

  it('are certain by their own text, every one', () => {
    const finder = finderOver(readOsak());
    const { houses, units } = new Truth(readOsak());
    const wrong = [...oneIn(4, houses), ...oneIn(4, units)].flatMap((address) => {
      const text = written(address);
      const { category, candidates } = finder.cleanse({ text }, address.kind, 1);
      const found = candidates[0]?.address.id;
      return category === 'A' && found === address.id ? [] : [`${text}: ${category} ${found}`];
    });
    expect(wrong).toEqual([]);
  });
});

describe('abbreviated roads', () => {
  const roads = [...new Set(ABBREVIATED.map(({ road }) => road))];
  const place = '5000 Odense C';
  const finder = finderOver(smallIndex(roads.map((road) => ({ road, place, numbers: '2 11' }))));

  it.each(ABBREVIATED)('$written is $road', ({ written: start, road }) => {
    const text = `${start} 11, ${place}`;
    const [found] = finder.cleanse({ text }, 'access', 3).candidates;
    expect(found?.address).toMatchObject({ road: { name: road } });
  });
});
