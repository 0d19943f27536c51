/** What the fast path knows of its lookups, and what it needs of the edge. */
import type { Point } from '../../geo/point.ts';
import type { AccessRule } from '../access.ts';
import type { Answered } from '../metrics-requests.ts';
import type { Gates } from '../plugins/access.ts';
import type { AnsweredLine } from '../plugins/logging.ts';
import type { JsonWriter } from '../../answers/json-writer.ts';
import type { AnswerFacts } from '../../answers/provenance.ts';

/** A lookup that has a fast path. */
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

export interface FastPathParts {
  /** False: everything goes through the full pipeline. */
  readonly isOn: boolean;
  /** Keys and metering, shared with the full pipeline; null asks nobody for a key. */
  readonly gates: Gates | null;
  readonly count: (answered: Answered) => void;
  /** Writes the line of an answered request; null: nobody reads it. */
  readonly log: ((line: AnsweredLine) => void) | null;
  /** The caller's own where it may be one, else a new one (D65). */
  readonly requestIdFor: (own: string | undefined) => string;
}
