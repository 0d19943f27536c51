/** The signal is created only when something waits. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** The account or visitor that queues count for. */
  readonly holder?: string | undefined;
  /** Call with the store's error when another source is asked instead. */
  storeFailed?(error: unknown): void;
}

export interface Asker extends Pick<Deadline, 'holder'> {
  readonly signal?: AbortSignal | undefined;
}
