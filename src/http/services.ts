/**
 * What the edge asks of the rest of the house: one small interface per question. The composition in
 * `main.ts` hands over the real ones; http never sees a store, a register or the environment.
 */
import type { Failure } from '../kernel/failures.ts';
import type { GzipPiece } from '../kernel/gzip.ts';
import type { Point } from '../geo/point.ts';
import type { Catalogue } from '../layers/catalogue.ts';
import type { LineKey, Theme } from '../layers/keys.ts';
import type { BuildingLinesAnswer, Provenance, ReverseAreasAnswer } from '../lookups/answers.ts';
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

/** The six themes at points; a point the register did not answer is a Failure (502 or 503). */
export interface ReverseAreas {
  at(
    points: readonly Point[],
    options: LookupOptions,
  ): Promise<Answered<readonly (ReverseAreasAnswer | Failure)[]>>;
}

/** A DAGI area. The name is always there; the geometry is best effort. */
export interface AreaAnswer {
  readonly theme: Theme;
  readonly code: string;
  readonly name: string;
  /** null: no region layer has told yet. */
  readonly regionCode: string | null;
  /** null: utilgaengelig (D42). */
  readonly geometry: AreaGeometry | null;
  readonly provenance: Provenance;
}

/** The value of `geometri` as JSON text, rendered once per version of the area and kept compressed. */
export interface AreaGeometry {
  readonly json: GzipPiece;
  /** Changes whenever the text does. */
  readonly contentHash: string;
}

/** Areas of one theme by code; an unknown code is a Failure, the others answer (D40, D49). */
export interface Areas {
  find(
    theme: Theme,
    codes: readonly string[],
    options: LookupOptions,
  ): Promise<Answered<readonly (AreaAnswer | Failure)[]>>;
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
