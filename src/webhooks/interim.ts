/**
 * Removes interim answers (RFC 9110, 15.2): undici takes an unexpected `100 Continue` for broken.
 */
import type { Socket } from 'node:net';
import { WEBHOOK_LIMITS } from './limits.ts';

const HEAD_END = '\r\n\r\n';
/** 101 is not interim: it ends HTTP on the connection. */
const INTERIM = /^HTTP\/1\.[01] 1(?!01)\d\d[ \r]/;
/** The part of a head that decides. */
const TOLD_BY = 'HTTP/1.1 100 '.length;

export function withoutInterim(socket: Socket): Socket {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  const write = socket.write.bind(socket) as (...given: unknown[]) => boolean;
  let isHeadAwaited = true;
  socket.write = (...given: unknown[]): boolean => {
    isHeadAwaited = true;
    return write(...given);
  };
  /** An incomplete head. */
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

/** `more`: not known yet. */
function afterInterim(bytes: Buffer): Buffer | 'more' {
  let rest = bytes;
  while (rest.length > 0) {
    const start = rest.toString('latin1', 0, TOLD_BY);
    if (!INTERIM.test(start)) {
      return rest.length < TOLD_BY && mayBecome(start) ? 'more' : rest;
    }
    const end = rest.indexOf(HEAD_END);
    // The parser refuses an endless one.
    if (end === -1) return rest.length > WEBHOOK_LIMITS.responseHeadBytes ? rest : 'more';
    rest = rest.subarray(end + HEAD_END.length);
  }
  return rest;
}

function mayBecome(start: string): boolean {
  return INTERIM.test(start + 'HTTP/1.1 100 '.slice(start.length));
}
