/** Counts the rungs that answered. Never waits, allocates or throws. */
import { remember } from '../kernel/remember.ts';
import type { Clock } from '../kernel/clock.ts';
import type { MirrorId } from '../layers/keys.ts';

export const ANSWERED_BY = ['snapshot', 'store', 'origin', 'stale', 'unavailable'] as const;
export type AnsweredBy = (typeof ANSWERED_BY)[number];

/** Rungs that a healthy mirror never needs. */
const FALLBACKS: ReadonlySet<AnsweredBy> = new Set(['origin', 'stale', 'unavailable']);

export interface LayerTally {
  readonly answers: Readonly<Record<AnsweredBy, number>>;
  readonly originFailures: Readonly<Record<string, number>>;
  readonly lastFallback: { readonly by: AnsweredBy; readonly atMs: number } | null;
}

export type LayerTallies = ReadonlyMap<MirrorId, LayerTally>;

export interface LookupTally {
  readonly answered: (layer: MirrorId, by: AnsweredBy, times?: number) => void;
  originFailed(layer: MirrorId, kind: string): void;
  readonly layers: LayerTallies;
}

interface Counted {
  readonly answers: Record<AnsweredBy, number>;
  readonly originFailures: Record<string, number>;
  lastFallback: LayerTally['lastFallback'];
}

export function createLookupTally(clock: Clock): LookupTally {
  const layers = new Map<MirrorId, Counted>();
  const countedOf = (layer: MirrorId): Counted => remember(layers, layer, nothingCounted);
  return {
    answered: (layer, by, times = 1) => {
      const counted = countedOf(layer);
      counted.answers[by] += times;
      if (by !== 'snapshot' && FALLBACKS.has(by))
        counted.lastFallback = { by, atMs: clock.nowMs() };
    },
    originFailed: (layer, kind) => {
      const { originFailures } = countedOf(layer);
      originFailures[kind] = (originFailures[kind] ?? 0) + 1;
    },
    layers,
  };
}

function nothingCounted(): Counted {
  return { answers: noAnswers(), originFailures: {}, lastFallback: null };
}

function noAnswers(): Record<AnsweredBy, number> {
  return { snapshot: 0, store: 0, origin: 0, stale: 0, unavailable: 0 };
}

const NONE: LayerTally = { answers: noAnswers(), originFailures: {}, lastFallback: null };

export function tallyOf(tallies: LayerTallies, layer: MirrorId): LayerTally {
  return tallies.get(layer) ?? NONE;
}

/** Of several threads; the last fallback of any. */
export function sumOfLookups(all: readonly LayerTallies[]): LayerTallies {
  const sums = new Map<MirrorId, LayerTally>();
  for (const [layer, tally] of all.flatMap((each) => [...each])) {
    const known = sums.get(layer);
    sums.set(layer, known === undefined ? tally : added(known, tally));
  }
  return sums;
}

function added(a: LayerTally, b: LayerTally): LayerTally {
  const answers = noAnswers();
  for (const by of ANSWERED_BY) answers[by] = a.answers[by] + b.answers[by];
  const originFailures = { ...a.originFailures };
  for (const [kind, count] of Object.entries(b.originFailures)) {
    originFailures[kind] = (originFailures[kind] ?? 0) + count;
  }
  const isLater = (b.lastFallback?.atMs ?? 0) > (a.lastFallback?.atMs ?? 0);
  return { answers, originFailures, lastFallback: isLater ? b.lastFallback : a.lastFallback };
}
