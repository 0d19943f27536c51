import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { replaceFile } from '../kernel/replace-file.ts';

const PIECE_BYTES = 1024 * 1024;

/** Replaces the file with what `write` appends. */
export async function replaceByAppending<T>(
  path: string,
  write: (file: AppendedFile) => T,
): Promise<T> {
  return await replaceFile(path, (temporary) => {
    using file = new AppendedFile(temporary);
    const written = write(file);
    file.flush();
    return Promise.resolve(written);
  });
}

class AppendedFile {
  readonly #file: number;
  #waiting: Uint8Array[] = [];
  #bytes = 0;

  constructor(path: string) {
    this.#file = openSync(path, 'w');
  }

  append(bytes: Uint8Array): void {
    this.#waiting.push(bytes);
    this.#bytes += bytes.length;
    if (this.#bytes >= PIECE_BYTES) this.#write();
  }

  flush(): void {
    this.#write();
    fsyncSync(this.#file);
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
  }

  #write(): void {
    const piece = Buffer.concat(this.#waiting);
    for (let at = 0; at < piece.length;) at += writeSync(this.#file, piece, at);
    this.#waiting = [];
    this.#bytes = 0;
  }
}
