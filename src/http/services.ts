/**
 * What the edge asks of the rest of the house: one small interface per question. The composition in
 * `main.ts` hands over the real ones; http never sees a store, a register or the environment.
 */
import type { Point } from '../geo/point.ts';
import type { Catalogue } from '../layers/catalogue.ts';
import type { LineKey } from '../layers/keys.ts';
import type { BuildingLinesAnswer } from '../lookups/answers.ts';
import type { Areas } from '../lookups/areas.ts';
import type { ReverseAreas } from '../lookups/reverse-areas.ts';
import type { ServiceStatus } from '../ops/freshness.ts';

/** Aborted when the caller went away or the time is up: nobody waits for the answer any more. */
export interface LookupOptions {
  readonly signal: AbortSignal;
}

/** An answer and the store generation it was read from (D19). One batch has one generation. */
export interface Answered<T> {
  readonly generation: number;
  readonly value: T;
}

/** Ten lines or some of them at points; answers in the order of the points. */
export interface BuildingLines {
  at(
    points: readonly Point[],
    lines: readonly LineKey[],
    options: LookupOptions,
  ): Promise<Answered<readonly BuildingLinesAnswer[]>>;
}

export interface Services {
  /** The catalogue in force: names, provisions and sources of the lines. */
  readonly catalogue: Catalogue;
  /** `meta.kilde` of the two families of answers; a sample says that it is invented. */
  readonly sourceNames: { readonly lines: string; readonly areas: string };
  /** null: no line source is configured in this environment, which is 503. */
  readonly buildingLines: BuildingLines | null;
  readonly areas: Areas;
  readonly reverseAreas: ReverseAreas;
  status(): Promise<ServiceStatus>;
  /** Whether the store answers. Never throws. */
  isReady(): Promise<boolean>;
}
