/** So many at a time. Who has none waits in a line of its own. */
export interface Permits {
  /** How many are taken. */
  readonly taken: number;
  take(): boolean;
  /** True: no other thread waits for it, so that the next of the own line may take it at once. */
  give(): boolean;
  /** Calls `again` once one may be free that another thread had. */
  whenGiven(again: () => void): void;
}

export class LocalPermits implements Permits {
  readonly #atATime: number;
  taken = 0;

  constructor(atATime: number) {
    this.#atATime = atATime;
  }

  take(): boolean {
    if (this.taken >= this.#atATime) return false;
    this.taken += 1;
    return true;
  }

  give(): boolean {
    this.taken -= 1;
    return true;
  }

  /** No other thread has any. */
  whenGiven(): void {}
}
