/** What a lookup of the fast path states, and what the fast path needs of the edge. */
import type { Point } from '../../geo/point.ts';
import type { AccessRule } from '../access.ts';
import type { Answered } from '../metrics-requests.ts';
import type { Gates } from '../plugins/access.ts';
import type { AnsweredLine } from '../plugins/logging.ts';
import type { JsonWriter } from '../../answers/json-writer.ts';
import type { AnswerFacts } from '../../answers/provenance.ts';

/** A lookup that has a fast path. */
export interface PlainLookup {
  /** The path of its route. */
  readonly path: string;
  readonly operation: string;
  readonly rule: AccessRule;
  /** Whether it can be answered without waiting. */
  readonly isReady: () => boolean;
  /** Writes the body to `to`, and returns what the headers and the bill need. null: it would have to wait. */
  readonly answer: (point: Point, to: JsonWriter) => RenderedAnswer | null;
}

export interface RenderedAnswer {
  readonly facts: AnswerFacts;
  readonly units: number;
}

export interface FastPathParts {
  /** False: everything goes through the full pipeline. */
  readonly isOn: boolean;
  /** Keys and metering, shared with the full pipeline. null: no key is needed. */
  readonly gates: Gates | null;
  readonly count: (answered: Answered) => void;
  /** Writes the log line of an answered request. null: that level is not logged. */
  readonly log: ((line: AnsweredLine) => void) | null;
  /** The caller's own where it may be one, else a new one (D65). */
  readonly requestIdFor: (own: string | undefined) => string;
}
