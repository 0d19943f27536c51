/**
 * Reads of files that an answer waits for. A disk may hang: a read that takes too long is given up, and with it
 * those that wait; while it is under way no other is begun. The threads that read for node are few and serve
 * more than files, so that few read here at a time.
 */
import { read } from 'node:fs';
import { promisify } from 'node:util';
import { LIMITS } from './limits.ts';

const readAt = promisify(read);

/** The disk does not answer, which says nothing of the file. */
export class DiskSilent extends Error {
  constructor() {
    super(`The disk did not answer within ${LIMITS.diskReads.ms} ms.`);
  }
}

/** How a file is read: as node's `fs.read`, or for a test by something that hangs. */
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
  /** Given up, and still under way. */
  #silent = 0;

  constructor(
    readInto: ReadAt = (file, bytes, from) => readAt(file, bytes, 0, bytes.length, from),
  ) {
    this.#readAt = readInto;
  }

  /** Fills the bytes from a place in the file on; how many there were. Rejects with DiskSilent, or what `read` says. */
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
    const { promise: late, reject } = Promise.withResolvers<never>();
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.#silent += 1;
      reject(new DiskSilent());
      for (const { giveUp } of this.#waiting.splice(0)) giveUp(new DiskSilent());
    }, LIMITS.diskReads.ms);
    this.#underWay += 1;
    const reading = work().finally(() => {
      clearTimeout(timer);
      this.#underWay -= 1;
      if (isLate) this.#silent -= 1;
      this.#waiting.shift()?.begin();
    });
    return (await Promise.race([reading, late])).bytesRead;
  }
}

/** Of the files beside the indexes in memory: properties and the geometries of places. */
export const diskReads = new DiskReads();
