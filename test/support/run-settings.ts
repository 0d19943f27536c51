/**
 * How much a run tries, and by which seed. The gate tries each kind of thing a few times by a fixed
 * seed, so that it fails for a change alone; `npm run test:nightly` sets the two variables here and
 * tries them many times by a seed of its own.
 */
import { wholeWithin } from '../../src/kernel/number-texts.ts';

/** `1`: the amounts of the night. */
export const HEAVY_ENV = 'TEST_HEAVY';
/** `1`: of what runs on the embedded store, the chosen core. Set by `npm test`. */
export const EMBEDDED_CORE_ENV = 'TEST_EMBEDDED_CORE';
/** A whole number; the fixed one where it is not set. */
export const SEED_ENV = 'TEST_SEED';
/** Seeds are below it: exact in 32 bits, whatever generator takes them. */
const SEEDS = 2 ** 31;
const FIXED_SEED = 20_261_122;

export interface Amounts {
  /** Enough for every kind once. */
  readonly gate: number;
  readonly night: number;
}

export const isHeavy = process.env[HEAVY_ENV] === '1';
export const isEmbeddedCore = process.env[EMBEDDED_CORE_ENV] === '1';

/**
 * Milliseconds: what a machine takes for a short thing however busy it is. Only what hangs, or grows
 * out of bounds, takes longer.
 */
export const HANG_MS = isHeavy ? 300_000 : 30_000;

/** How many of something this run tries. */
export function amountOf({ gate, night }: Amounts): number {
  return isHeavy ? night : gate;
}

/** By day one of so many, the first of them at `from`; by night all. */
export function oneIn<C>(every: number, cases: readonly C[], from = 0): readonly C[] {
  return cases.filter((_, n) => isHeavy || n % every === from);
}

export function seedFrom(text: string | undefined): number {
  return text === undefined || text === '' ? FIXED_SEED : wholeFrom(SEED_ENV, text);
}

/** Throws where the text is no whole number from 0 to 2^31 - 1: a count that is none would try nothing. */
export function wholeFrom(name: string, text: string): number {
  const value = wholeWithin(text, { min: 0, max: SEEDS - 1 });
  if (value !== null) return value;
  throw new Error(`${name} is a whole number below ${SEEDS}, not ${text}.`);
}

/** One that nobody chose. */
export function drawnSeed(): number {
  return Math.floor(Math.random() * SEEDS);
}

/** The seed of this run. A test that fails by chance says it, and `TEST_SEED` plays it again. */
export const TEST_SEED = seedFrom(process.env[SEED_ENV]);
