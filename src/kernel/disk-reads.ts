/** Limits concurrent file reads; a slow read is abandoned with its waiters. */
import { read } from 'node:fs';
import { promisify } from 'node:util';
import { LIMITS } from './limits.ts';
import { within } from './within.ts';

const readAt = promisify(read);

/** The disk does not answer; the file may be fine. */
export class DiskSilent extends Error {
  constructor() {
    super(`The disk did not answer within ${LIMITS.diskReads.ms} ms.`);
  }
}

/** As `fs.read`; tests inject a hanging one. */
export type ReadAt = (
  file: number,
  bytes: Buffer,
  from: number,
) => Promise<{ readonly bytesRead: number }>;

interface Waiting {
  readonly begin: () => void;
  readonly giveUp: (error: DiskSilent) => void;
}

export class DiskReads {
  readonly #readAt: ReadAt;
  #waiting: Waiting[] = [];
  #underWay = 0;
  /** Reads that were abandoned but still run. */
  #silent = 0;

  constructor(
    readInto: ReadAt = (file, bytes, from) => readAt(file, bytes, 0, bytes.length, from),
  ) {
    this.#readAt = readInto;
  }

  /** Returns the bytes read. Rejects with DiskSilent, or the error of `read`. */
  read(file: number, bytes: Buffer, from: number): Promise<number> {
    const { atATime, waiting } = LIMITS.diskReads;
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        this.#begin(() => this.#readAt(file, bytes, from)).then(resolve, reject);
      };
      if (this.#silent > 0 || this.#waiting.length >= waiting) reject(new DiskSilent());
      else if (this.#underWay < atATime) begin();
      else this.#waiting.push({ begin, giveUp: reject });
    });
  }

  async #begin(work: () => ReturnType<ReadAt>): Promise<number> {
    let isLate = false;
    this.#underWay += 1;
    const reading = work().finally(() => {
      this.#underWay -= 1;
      if (isLate) this.#silent -= 1;
      this.#waiting.shift()?.begin();
    });
    const { bytesRead } = await within(LIMITS.diskReads.ms, reading, () => {
      isLate = true;
      this.#silent += 1;
      for (const { giveUp } of this.#waiting.splice(0)) giveUp(new DiskSilent());
      throw new DiskSilent();
    });
    return bytesRead;
  }
}

export const diskReads = new DiskReads();
