/**
 * Memory for the bodies of answers, lent and given back. Made anew for each answer, it is memory
 * outside the heap that only a full collection frees: under batches one every 200 ms, and everybody
 * waits for it. Shared memory, so that threads write into it and nothing is passed but its name.
 */
import { LIMITS } from './limits.ts';

const SMALLEST_BITS = 12;

export class BufferPool {
  /** By power of two, from 4 KiB. */
  readonly #free: SharedArrayBuffer[][] = [];
  /** Whoever forgets to give back loses nothing but the reuse. */
  readonly #lent = new WeakSet<ArrayBufferLike>();
  #freeBytes = 0;
  readonly #mostBytes: number;

  /** `mostBytes`: kept for reuse, at most. */
  constructor(mostBytes: number = LIMITS.bodyPoolBytes) {
    this.#mostBytes = mostBytes;
  }

  /** A buffer of just this length; what it holds is of no meaning. */
  acquire(length: number): Buffer {
    if (length > LIMITS.bodyPooledBytes) return Buffer.allocUnsafeSlow(length);
    const memory = this.#free[classOf(length)]?.pop();
    if (memory !== undefined) this.#freeBytes -= memory.byteLength;
    const lent = memory ?? new SharedArrayBuffer(2 ** (SMALLEST_BITS + classOf(length)));
    this.#lent.add(lent);
    return Buffer.from(lent, 0, length);
  }

  /** A copy in a lent buffer. */
  lendCopy(bytes: Uint8Array): Buffer {
    const copy = this.acquire(bytes.length);
    copy.set(bytes);
    return copy;
  }

  /** Nobody reads it any more. A buffer that was not lent here, or is back already, is left alone. */
  release({ buffer }: Uint8Array): void {
    if (!this.#lent.delete(buffer) || !(buffer instanceof SharedArrayBuffer)) return;
    if (this.#freeBytes + buffer.byteLength > this.#mostBytes) return;
    this.#freeBytes += buffer.byteLength;
    (this.#free[classOf(buffer.byteLength)] ??= []).push(buffer);
  }

  /** Bytes that wait to be lent. */
  get freeBytes(): number {
    return this.#freeBytes;
  }
}

function classOf(length: number): number {
  const bits = 32 - Math.clz32(Math.max(length, 1) - 1);
  return Math.max(0, bits - SMALLEST_BITS);
}

/** Those of this thread. */
export const bodyBuffers = new BufferPool();
