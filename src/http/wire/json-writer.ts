/**
 * Lays JSON out as bytes. What is the same in every answer is encoded once and copied; only what was
 * measured is written. The texts given must be JSON already: nothing here escapes or checks.
 */
import type { FastifyReply } from 'fastify';

/** A text encoded once. */
export function constant(text: string): Uint8Array {
  return Buffer.from(text, 'utf8');
}

const FIRST_BYTES = 16 * 1024;

/** Sends a body that is JSON already. */
export function sendBytes(reply: FastifyReply, body: Buffer): FastifyReply {
  return reply.header('content-type', 'application/json; charset=utf-8').send(body);
}

/** UTF-8 needs at most so many bytes for one UTF-16 unit. */
const BYTES_PER_UNIT = 3;

/** One at a time: `begin`, write, `take`. Between them nothing may wait. */
export class JsonWriter {
  #buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #length = 0;

  begin(): this {
    this.#length = 0;
    return this;
  }

  bytes(piece: Uint8Array): this {
    this.#reserve(piece.length);
    this.#buffer.set(piece, this.#length);
    this.#length += piece.length;
    return this;
  }

  /** Characters below U+0080 only: numbers, names, punctuation. */
  ascii(text: string): this {
    this.#reserve(text.length);
    this.#length += this.#buffer.write(text, this.#length, 'latin1');
    return this;
  }

  text(text: string): this {
    this.#reserve(BYTES_PER_UNIT * text.length);
    this.#length += this.#buffer.write(text, this.#length, 'utf8');
    return this;
  }

  /** A copy of what was written, the reader's own. */
  take(): Buffer {
    return Buffer.from(this.#buffer.subarray(0, this.#length));
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * needed);
    larger.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = larger;
  }
}
