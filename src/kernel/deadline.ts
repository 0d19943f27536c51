/**
 * How long somebody waits for an answer. The signal is asked for by whoever really waits, at the
 * moment it does: making one costs as much as an answer from memory, which never waits.
 */
export interface Deadline {
  readonly signal: AbortSignal;
}
