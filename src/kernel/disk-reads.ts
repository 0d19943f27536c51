/**
 * Reads of files that an answer waits for. A disk may hang: a read that takes too long is given up, and while
 * such a one is under way no other is begun. The threads that read for node are few and serve more than
 * files, so that few read here at a time.
 */
import { read } from 'node:fs';
import { promisify } from 'node:util';
import { LIMITS } from './limits.ts';
import { Semaphore } from './semaphore.ts';

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

export class DiskReads {
  readonly #readAt: ReadAt;
  readonly #permits = new Semaphore(LIMITS.diskReads);
  /** Given up, and still under way. */
  #silent = 0;

  constructor(
    readInto: ReadAt = (file, bytes, from) => readAt(file, bytes, 0, bytes.length, from),
  ) {
    this.#readAt = readInto;
  }

  /** Fills the bytes from a place in the file on; how many there were. Rejects with DiskSilent, or what `read` says. */
  async read(file: number, bytes: Buffer, from: number): Promise<number> {
    if (this.#silent > 0) throw new DiskSilent();
    const reading = this.#permits.run('', () => this.#readAt(file, bytes, from), tooMany);
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      this.#silent += 1;
      const back = (): void => {
        this.#silent -= 1;
      };
      reading.then(back, back);
      reject(new DiskSilent());
    }, LIMITS.diskReads.ms);
    try {
      return (await Promise.race([reading, late])).bytesRead;
    } finally {
      clearTimeout(timer);
    }
  }
}

function tooMany(): DiskSilent {
  return new DiskSilent();
}

/** Of the files beside the indexes in memory: properties and the geometries of places. */
export const diskReads = new DiskReads();
