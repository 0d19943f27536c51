/** How long a caller waits, and who it is. Its signal is created only when something waits. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** The account or visitor that queues count for; absent: none. */
  readonly holder?: string | undefined;
  /** Call where another is asked instead of the store; absent: no client waits. */
  storeFailed?(error: unknown): void;
}

/** The same without a deadline. */
export interface Asker extends Pick<Deadline, 'holder'> {
  readonly signal?: AbortSignal | undefined;
}
