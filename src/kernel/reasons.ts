export class Reasons {
  readonly #say: (message: string) => void;
  #last = '';

  constructor(say: (message: string) => void) {
    this.#say = say;
  }

  /** `source`: what did not answer. */
  tell(source: string, error: unknown): void {
    const reason = `${source}: ${error instanceof Error ? error.message : String(error)}`;
    if (reason === this.#last) return;
    this.#last = reason;
    this.#say(reason);
  }
}
