import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** A pipe without a writer, or a device, must not block a start. */
const AT_ONCE = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;
const CHUNK_BYTES = 64 * 1024;

/**
 * As UTF-8. Throws where it is no plain file (links are followed) or has more than `mostBytes`,
 * whatever size it reports.
 */
export function readPlainFile(path: string, mostBytes: number): string {
  const file = openSync(path, AT_ONCE);
  try {
    if (!fstatSync(file).isFile()) throw new TypeError('not a plain file');
    const chunks: Buffer[] = [];
    for (let length = 0; ;) {
      const chunk = Buffer.alloc(CHUNK_BYTES);
      const read = readSync(file, chunk);
      if (read === 0) return Buffer.concat(chunks).toString();
      length += read;
      if (length > mostBytes) throw new RangeError(`more than ${mostBytes} bytes`);
      chunks.push(chunk.subarray(0, read));
    }
  } finally {
    closeSync(file);
  }
}
