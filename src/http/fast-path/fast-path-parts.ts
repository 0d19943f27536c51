import type { RequestTally } from '../request-tally.ts';
import type { Gates } from '../plugins/access.ts';
import type { AnsweredLine } from '../plugins/logging.ts';

export interface FastPathParts {
  readonly isOn: boolean;
  /** null: no key is needed. */
  readonly gates: Gates | null;
  readonly requests: Pick<RequestTally, 'count'>;
  /** null: the level is not logged. */
  readonly log: ((line: AnsweredLine) => void) | null;
  /** The caller's id if valid, else a new one (D65). */
  readonly requestIdFor: (own: string | undefined) => string;
}
