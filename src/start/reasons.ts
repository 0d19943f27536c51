/** Why a source asked live told nothing, for the log. */

/** A reason is a line of the log when it is new, not once for each question. */
export class Reasons {
  readonly #say: (message: string) => void;
  #last = '';

  constructor(say: (message: string) => void) {
    this.#say = say;
  }

  tell(reason: string): void {
    if (reason === this.#last) return;
    this.#last = reason;
    this.#say(reason);
  }
}
