/** A lookup whose plain questions the fast path answers. */
import type { JsonWriter } from '../answers/json-writer.ts';
import type { AnswerFacts } from '../answers/provenance.ts';
import type { Point } from '../geo/point.ts';
import type { AccessRule } from './access.ts';

export interface PlainLookup {
  /** The route's own, without query. */
  readonly path: string;
  readonly operation: string;
  readonly rule: AccessRule;
  /** Whether it could be answered now, without waiting. */
  readonly isReady: () => boolean;
  /** Lays the answer out in `to`, and tells what the headers and the bill say of it; null: not now. */
  readonly answer: (point: Point, to: JsonWriter) => RenderedAnswer | null;
}

export interface RenderedAnswer {
  readonly facts: AnswerFacts;
  readonly units: number;
}

/** Where routes add the lookups that have a fast path. */
export interface PlainLookups {
  add(lookup: PlainLookup): void;
}
