/** In small pieces: finds a flipped bit that no question touches. */
import { crc32 } from 'node:zlib';
import { CHECKED_FROM, sealOf } from '../snapshot/format.ts';

export class Scrubber {
  #buffers: readonly SharedArrayBuffer[] = [];
  #current = 0;
  #at = CHECKED_FROM;
  #sum = 0;

  set buffers(buffers: readonly SharedArrayBuffer[]) {
    const reading = this.#buffers[this.#current];
    this.#buffers = buffers;
    const kept = reading === undefined ? -1 : buffers.indexOf(reading);
    this.#current = Math.max(0, kept);
    if (kept < 0) this.#begin();
  }

  read(bytes: number): SharedArrayBuffer | null {
    const buffer = this.#buffers[this.#current];
    if (buffer === undefined) return null;
    const end = Math.min(buffer.byteLength, this.#at + bytes);
    this.#sum = crc32(new Uint8Array(buffer, this.#at, end - this.#at), this.#sum);
    this.#at = end;
    if (end < buffer.byteLength) return null;
    const isWhole = this.#sum === sealOf(buffer);
    this.#current = (this.#current + 1) % this.#buffers.length;
    this.#begin();
    return isWhole ? null : buffer;
  }

  #begin(): void {
    this.#at = CHECKED_FROM;
    this.#sum = 0;
  }
}
