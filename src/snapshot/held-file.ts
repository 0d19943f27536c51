import { closeSync, fstatSync, openSync } from 'node:fs';
import { SnapshotRefused } from './format.ts';

/** A file next to its index; once another is in service, its last reader closes it. */
export class HeldFile {
  protected readonly file: number;
  readonly #what: string;
  #reading = 0;
  #isRetired = false;

  /** Throws SnapshotRefused when the file's length differs from the index. */
  constructor(path: string, bytes: number, what: string) {
    this.#what = what;
    this.file = openSync(path, 'r');
    const { size } = fstatSync(this.file);
    if (size === bytes) return;
    closeSync(this.file);
    throw new SnapshotRefused(`its ${what} are ${size} bytes long`);
  }

  /** Keeps the file open while `work` reads. Rejects once it is closed. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isRetired) throw new Error(`The file of ${this.#what} was replaced.`);
    this.#reading += 1;
    try {
      return await work();
    } finally {
      this.#reading -= 1;
      this.#closeIfDone();
    }
  }

  retire(): void {
    if (this.#isRetired) return;
    this.#isRetired = true;
    this.#closeIfDone();
  }

  #closeIfDone(): void {
    if (this.#isRetired && this.#reading === 0) closeSync(this.file);
  }
}
