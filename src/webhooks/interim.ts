/**
 * Interim answers (RFC 9110, 15.2): a receiver may send any number of 1xx heads before its answer, asked for or
 * not. undici takes an unasked `100 Continue` for a broken answer, so they are left out of what it reads.
 */
import type { Socket } from 'node:net';
import { WEBHOOK_LIMITS } from './limits.ts';

const HEAD_END = '\r\n\r\n';
/** 101 is no interim answer: it ends HTTP on the connection. */
const INTERIM = /^HTTP\/1\.[01] 1(?!01)\d\d[ \r]/;
/** As much of a head as tells whether it is one. */
const TOLD_BY = 'HTTP/1.1 100 '.length;

/**
 * The same socket, whose `read` gives no interim heads. What comes behind the head of an answer is its body, and
 * left as it is, until another request is written.
 */
export function withoutInterim(socket: Socket): Socket {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  const write = socket.write.bind(socket) as (...given: unknown[]) => boolean;
  let isHeadAwaited = true;
  socket.write = (...given: unknown[]): boolean => {
    isHeadAwaited = true;
    return write(...given);
  };
  /** Of a head whose end has not come. */
  let held: Buffer | null = null;
  socket.read = (size?: number): Buffer | null => {
    const chunk = read(size);
    if (chunk === null || !isHeadAwaited) return chunk;
    const all: Buffer = held === null ? chunk : Buffer.concat([held, chunk]);
    const rest = afterInterim(all);
    held = rest === 'more' ? all : null;
    if (rest === 'more' || rest.length === 0) return null;
    isHeadAwaited = false;
    return rest;
  };
  return socket;
}

/** What stands behind the interim heads that bytes begin with; `more`: that is not known yet. */
export function afterInterim(bytes: Buffer): Buffer | 'more' {
  let rest = bytes;
  while (rest.length > 0) {
    const start = rest.toString('latin1', 0, TOLD_BY);
    if (!INTERIM.test(start)) {
      return rest.length < TOLD_BY && mayBecome(start) ? 'more' : rest;
    }
    const end = rest.indexOf(HEAD_END);
    // One without end is for the parser to refuse.
    if (end === -1) return rest.length > WEBHOOK_LIMITS.responseHeadBytes ? rest : 'more';
    rest = rest.subarray(end + HEAD_END.length);
  }
  return rest;
}

/** Whether a text that is too short to tell may go on as an interim head. */
function mayBecome(start: string): boolean {
  return INTERIM.test(start + 'HTTP/1.1 100 '.slice(start.length));
}
