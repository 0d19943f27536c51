/**
 * Reads memory continuously: the checksum of every snapshot in small pieces, so that a flipped bit
 * is found even if no question touches it.
 */
import { crc32 } from 'node:zlib';
import { CHECKED_FROM, sealOf } from '../snapshot/format.ts';

export class Scrubber {
  #buffers: readonly SharedArrayBuffer[] = [];
  #current = 0;
  #at = CHECKED_FROM;
  #sum = 0;

  /** Buffers to read; a pass over a kept buffer continues. */
  set buffers(buffers: readonly SharedArrayBuffer[]) {
    const reading = this.#buffers[this.#current];
    this.#buffers = buffers;
    const kept = reading === undefined ? -1 : buffers.indexOf(reading);
    this.#current = Math.max(0, kept);
    if (kept < 0) this.#begin();
  }

  /** Reads `bytes` and returns a buffer just found to differ from its seal. */
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
