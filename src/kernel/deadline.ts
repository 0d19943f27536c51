/**
 * How long somebody waits for an answer, and who. The signal is asked for by whoever really waits, at the
 * moment it does: making one costs as much as an answer from memory, which never waits.
 */
export interface Deadline {
  readonly signal: AbortSignal;
  /** The account or visitor whom waiting in a line is counted for; absent: nobody in particular. */
  readonly holder?: string | undefined;
}

/** The same of who may wait without end. */
export interface Asker extends Pick<Deadline, 'holder'> {
  readonly signal?: AbortSignal | undefined;
}
