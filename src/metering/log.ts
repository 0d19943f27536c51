export interface MeterLog {
  error(message: string): void;
}

/** Logs when a problem begins and ends, not on each occurrence. */
export class Trouble {
  readonly #log: MeterLog;
  readonly #what: string;
  #on = false;

  constructor(log: MeterLog, what: string) {
    this.#log = log;
    this.#what = what;
  }

  begins(error: unknown): void {
    if (this.#on) return;
    this.#on = true;
    const why = error instanceof Error && error.message !== '' ? error.message : String(error);
    this.#log.error(`${this.#what}: ${why}`);
  }

  ends(): void {
    if (!this.#on) return;
    this.#on = false;
    this.#log.error(`${this.#what}: no more`);
  }
}
