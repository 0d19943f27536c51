/** What the fast path needs of the edge. */
import type { Answered } from '../metrics-requests.ts';
import type { Gates } from '../plugins/access.ts';
import type { AnsweredLine } from '../plugins/logging.ts';

export interface FastPathParts {
  /** False: everything takes the full pipeline. */
  readonly isOn: boolean;
  /** Keys and metering, shared with the full pipeline. null: no key is needed. */
  readonly gates: Gates | null;
  readonly count: (answered: Answered) => void;
  /** Writes the log line of an answered request. null: that level is not logged. */
  readonly log: ((line: AnsweredLine) => void) | null;
  /** The caller's own id if it is valid, else a new one (D65). */
  readonly requestIdFor: (own: string | undefined) => string;
}
