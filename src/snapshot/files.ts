import { closeSync, fstatSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { replaceFile } from '../kernel/replace-file.ts';
import { SnapshotRefused } from './format.ts';

/** Node refuses more than 2 GiB, and smaller reads run in parallel. */
const PIECE_BYTES = 64 * 1024 * 1024;

const MAX_BYTES = 8 * 1024 ** 3;

export async function saveBytes(path: string, bytes: Uint8Array): Promise<void> {
  await replaceFile(path, async (temporary) => {
    await using file = await open(temporary, 'w');
    for (let at = 0; at < bytes.length;) {
      const piece = bytes.subarray(at, at + PIECE_BYTES);
      at += (await file.write(piece, 0, piece.length, at)).bytesWritten;
    }
    await file.sync();
  });
}

export function saveSnapshot(path: string, buffer: SharedArrayBuffer): Promise<void> {
  return saveBytes(path, new Uint8Array(buffer));
}

/** Unchecked. Throws when the file cannot be read. */
export async function loadSnapshot(path: string): Promise<SharedArrayBuffer> {
  await using file = await open(path, 'r');
  const { size } = await file.stat();
  if (size > MAX_BYTES) throw new SnapshotRefused(`it is ${size} bytes long`);
  const buffer = new SharedArrayBuffer(size);
  const bytes = new Uint8Array(buffer);
  for (let at = 0; at < size;) {
    const length = Math.min(PIECE_BYTES, size - at);
    const { bytesRead } = await file.read(bytes, at, length, at);
    if (bytesRead === 0) throw new SnapshotRefused('it is cut off');
    at += bytesRead;
  }
  return buffer;
}

/** A file next to its index, closed by its last reader. */
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
