import type { JsonWriter } from '../../answers/json-writer.ts';
import type { AnswerFacts } from '../../answers/provenance.ts';
import type { Point } from '../../geo/point.ts';
import type { AccessRule } from '../access.ts';

export interface PlainLookup {
  readonly path: string;
  readonly operation: string;
  readonly rule: AccessRule;
  readonly isReady: () => boolean;
  /** Writes the body to `to`. null: it would have to wait. */
  readonly answer: (point: Point, to: JsonWriter) => RenderedAnswer | null;
}

export interface RenderedAnswer {
  readonly facts: AnswerFacts;
  readonly units: number;
}
