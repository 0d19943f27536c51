export interface Permits {
  readonly taken: number;
  take(): boolean;
  /** True: no other thread waits, so this thread's next may take it at once. */
  give(): boolean;
  /** Calls `again` once another thread may have freed one. */
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

  /** There is no other thread. */
  whenGiven(): void {}
}
