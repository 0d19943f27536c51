/**
 * Reusable shared memory for answer bodies: fresh buffers per batch would force a full collection
 * every 200 ms.
 */
import { LIMITS } from './limits.ts';

const SMALLEST_BITS = 12;

export class BufferPool {
  /** Free buffers by power of two, from 4 KiB. */
  readonly #free: SharedArrayBuffer[][] = [];
  readonly #lent = new WeakSet<ArrayBufferLike>();
  #freeBytes = 0;
  readonly #mostBytes: number;

  constructor(mostBytes: number = LIMITS.bodyPoolBytes) {
    this.#mostBytes = mostBytes;
  }

  acquire(length: number): Buffer {
    if (length > LIMITS.bodyPooledBytes) return Buffer.allocUnsafeSlow(length);
    const memory = this.#free[classOf(length)]?.pop();
    if (memory !== undefined) this.#freeBytes -= memory.byteLength;
    const lent = memory ?? new SharedArrayBuffer(2 ** (SMALLEST_BITS + classOf(length)));
    this.#lent.add(lent);
    return Buffer.from(lent, 0, length);
  }

  lendCopy(bytes: Uint8Array): Buffer {
    const copy = this.acquire(bytes.length);
    copy.set(bytes);
    return copy;
  }

  /** Ignores foreign and already released buffers. */
  release({ buffer }: Uint8Array): void {
    if (!this.#lent.delete(buffer) || !(buffer instanceof SharedArrayBuffer)) return;
    if (this.#freeBytes + buffer.byteLength > this.#mostBytes) return;
    this.#freeBytes += buffer.byteLength;
    (this.#free[classOf(buffer.byteLength)] ??= []).push(buffer);
  }

  get freeBytes(): number {
    return this.#freeBytes;
  }
}

function classOf(length: number): number {
  const bits = 32 - Math.clz32(Math.max(length, 1) - 1);
  return Math.max(0, bits - SMALLEST_BITS);
}

export const bodyBuffers = new BufferPool();
