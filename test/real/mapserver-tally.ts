/** What is compared with the oracle, how closely, and the account of it that a test prints. */
import { expect } from 'vitest';
import { pointFromUtm32 } from '../../src/geo/project.ts';
import type { Point } from '../../src/geo/point.ts';
import type { LineAnswer, Rung } from '../../src/answers/answer.ts';
import type { LineTruth, Probe } from '../support/oracle.ts';

/** Metres: nearer than this to where an answer flips, two right computations may differ. */
const LEFT_OUT_M = 1e-6;
const TOLERANCE_M = 0.001;

/** The probes as points of the lookups, a batch of the interface at a time, and where each begins. */
export function* batchesOf(probes: readonly Probe[], size: number): Generator<[number, Point[]]> {
  for (let from = 0; from < probes.length; from += size) {
    const batch = probes.slice(from, from + size);
    yield [from, batch.map(({ x, y }) => pointFromUtm32({ xUtm32: x, yUtm32: y }))];
  }
}

/**
 * null when the answer is the truth: distances to 1 mm, everything else exactly. The origin may know
 * that a point is inside and not how far (an invalid area beside it): then it says null, no number.
 */
export function lineDifference(
  given: LineAnswer | undefined,
  truth: LineTruth,
  rung: Rung = 'store',
): object | null {
  const isRight =
    given?.status === 'ok' &&
    given.provenance.rung === rung &&
    given.within === truth.within &&
    given.uncertain === truth.uncertain &&
    given.count === truth.count &&
    (given.hit?.objectId ?? null) === truth.hitId &&
    ((rung === 'origin' && isWithoutDistance(given)) ||
      isBetween(given.distanceM, truth.deepestM, truth.distanceM));
  return isRight ? null : { given, truth };
}

/** Inside, and how far is not known. */
export function isWithoutDistance(given: LineAnswer | undefined): boolean {
  return given?.status === 'ok' && given.within && given.distanceM === null;
}

/** Whether a signed distance lies deeper inside than another by more than 1 mm. */
export function isFarther(one: number | null, other: number | null): boolean {
  return one !== null && other !== null && other - one > TOLERANCE_M;
}

function isBetween(given: number | null, least: number | null, most: number | null): boolean {
  if (given === null || least === null || most === null) return given === most;
  return given >= least - TOLERANCE_M && given <= most + TOLERANCE_M;
}

export class Tally {
  readonly #name: string;
  readonly #probes: readonly Probe[];
  readonly #mismatches: unknown[] = [];
  readonly #compared = { edge: 0, near: 0, wide: 0 };
  readonly #notes = new Map<string, number>();
  #leftOut = 0;

  constructor(name: string, probes: readonly Probe[]) {
    this.#name = name;
    this.#probes = probes;
  }

  add(index: number, marginM: number, difference: object | null): void {
    const probe = this.#probes[index]!;
    if (marginM < LEFT_OUT_M) {
      this.#leftOut += 1;
      return;
    }
    this.#compared[probe.kind] += 1;
    if (difference !== null) this.#mismatches.push({ probe, ...difference });
  }

  /** Counts something worth knowing about the points compared. */
  note(what: 'either way' | 'without a distance'): void {
    this.#notes.set(what, (this.#notes.get(what) ?? 0) + 1);
  }

  /** @param least points that must have been held against one truth and no other. */
  expectNoMismatch(least: number): void {
    const { edge, near, wide } = this.#compared;
    const compared = edge + near + wide;
    console.log(
      `${this.#name}: ${compared} points, ${edge} of them within 5 m of an edge; ` +
        `${this.#mismatches.length} mismatches, ${this.#leftOut} left out` +
        [...this.#notes].map(([what, count]) => `, ${count} ${what}`).join(''),
    );
    expect(this.#mismatches.slice(0, 5)).toEqual([]);
    expect(compared - (this.#notes.get('either way') ?? 0)).toBeGreaterThanOrEqual(least);
    expect(edge / compared).toBeGreaterThan(1 / 3);
  }
}
