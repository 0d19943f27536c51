/**
 * A connection, read here for as long as nothing but plain requests comes on it, one at a time and
 * each in one piece. Whatever else comes, it is handed with that to node's server, for good.
 */
import type { Socket } from 'node:net';
import type { KeyMemo } from '../../account/principal.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Exchange, AnswerHeaders } from './exchange.ts';
import { HEAD_ROOM } from './exchange.ts';
import { readPlainHead } from './plain-head.ts';
import type { PlainHead } from './plain-head.ts';

const CAPITAL_G = 0x47;

export interface LineKeeper {
  /** Takes a plain request on. False: it is for the full pipeline. */
  tryHandle(exchange: Exchange): boolean;
  /** Gives a connection to node's server; what was read of it is in front of it again. */
  handOver(socket: Socket): void;
  /** A connection that has never said anything, for as long as a request may take. */
  tooSlow(socket: Socket): void;
  gone(line: SocketLine): void;
  readonly keepAliveMs: number;
  readonly receiveMs: number;
  nowMs(): number;
}

const NO_HEAD: PlainHead = { target: '', authorization: undefined, requestId: undefined };

export class SocketLine implements Exchange {
  head: PlainHead = NO_HEAD;
  readonly keyMemo: KeyMemo = { secret: '', digest: '' };
  readonly #socket: Socket;
  readonly #keeper: LineKeeper;
  /** The request that is being answered, as it came; null: none is. */
  #asked: Buffer | null = null;
  /** What came while it was. */
  #next: Buffer | null = null;
  #isUsed = false;
  #isEnding = false;
  #sent: (() => void) | null = null;

  constructor(socket: Socket, keeper: LineKeeper) {
    this.#socket = socket;
    this.#keeper = keeper;
    socket.on('data', this.#read);
    socket.on('end', this.#end);
    socket.on('error', this.#fail);
    socket.on('close', this.#closed);
    socket.on('timeout', this.#rest);
    socket.setTimeout(keeper.receiveMs);
  }

  get isGone(): boolean {
    return this.#socket.destroyed;
  }

  get isLeaving(): boolean {
    return this.#socket.readableEnded || this.isGone;
  }

  hangUp(): void {
    this.#asked = null;
    this.#socket.destroy();
  }

  /** Closes it as soon as nothing is under way. */
  close(): void {
    this.#isEnding = true;
    if (this.#asked === null) this.#socket.destroySoon();
  }

  send(headers: AnswerHeaders, room: Buffer, sent: () => void): void {
    const start = writeHead(headers, room, this.#keeper);
    this.#sent = sent;
    this.#socket.write(room.subarray(start), this.#written);
  }

  useFullPipeline(): void {
    const asked = this.#asked;
    this.#asked = null;
    if (asked === null || this.isGone) return;
    this.#handOver(this.#next === null ? asked : Buffer.concat([asked, this.#next]));
  }

  readonly #read = (chunk: Buffer): void => {
    if (this.#asked !== null) {
      // Asked before it was answered: in order, and so by node.
      this.#next = this.#next === null ? chunk : Buffer.concat([this.#next, chunk]);
      this.#socket.pause();
      return;
    }
    const isShort = chunk.length <= LIMITS.plainHeadBytes && chunk[0] === CAPITAL_G;
    const head = isShort ? readPlainHead(chunk.toString('latin1')) : null;
    if (head === null) {
      this.#handOver(chunk);
      return;
    }
    this.head = head;
    this.#asked = chunk;
    if (!this.#keeper.tryHandle(this)) this.useFullPipeline();
  };

  readonly #written = (): void => {
    const sent = this.#sent;
    this.#sent = null;
    this.#asked = null;
    sent?.();
    if (this.isGone) return;
    const next = this.#next;
    if (next !== null) this.#handOver(next);
    else if (this.#isEnding) this.#socket.destroySoon();
    else if (!this.#isUsed) {
      this.#isUsed = true;
      this.#socket.setTimeout(this.#keeper.keepAliveMs + LIMITS.keepAliveGraceMs);
    }
  };

  #handOver(bytes: Buffer): void {
    const socket = this.#socket;
    this.#leave();
    // Whoever says no more before it was answered is not listened to by node either.
    if (socket.readableEnded) {
      socket.destroy();
      return;
    }
    socket.unshift(bytes);
    this.#keeper.handOver(socket);
    socket.resume();
  }

  #leave(): void {
    const socket = this.#socket;
    socket.off('data', this.#read);
    socket.off('end', this.#end);
    socket.off('error', this.#fail);
    socket.off('close', this.#closed);
    socket.off('timeout', this.#rest);
    socket.setTimeout(0);
    this.#keeper.gone(this);
  }

  /** Who asks says no more: but what was asked is answered. */
  readonly #end = (): void => {
    this.close();
  };

  /** The socket is closed by itself. */
  readonly #fail = (): void => undefined;

  readonly #closed = (): void => {
    this.#keeper.gone(this);
    const sent = this.#sent;
    this.#sent = null;
    sent?.();
  };

  readonly #rest = (): void => {
    if (this.#asked !== null && this.#sent === null) return;
    if (this.#isUsed || this.#asked !== null) this.#socket.destroy();
    else {
      this.#leave();
      this.#keeper.tooSlow(this.#socket);
    }
  };
}

const NOTHING = Buffer.alloc(0);

/** What heads in a row have in common, of one second. */
let shared: { readonly list: readonly string[]; readonly second: number; readonly bytes: Buffer } =
  {
    list: [],
    second: -1,
    bytes: NOTHING,
  };

/** Writes the head right before the body; returns where it begins. */
function writeHead({ requestId, shared: list }: AnswerHeaders, room: Buffer, keeper: LineKeeper) {
  const second = Math.floor(keeper.nowMs() / 1000);
  if (shared.list !== list || shared.second !== second) {
    shared = { list, second, bytes: sharedHead(list, second, keeper.keepAliveMs) };
  }
  const { bytes } = shared;
  const own = `x-request-id: ${requestId}\r\ncontent-length: ${room.length - HEAD_ROOM}\r\n\r\n`;
  const start = HEAD_ROOM - own.length - bytes.length;
  if (start < 0) throw new RangeError('The head of an answer is too long.');
  room.set(bytes, start);
  room.write(own, HEAD_ROOM - own.length, 'latin1');
  return start;
}

/** From the status line on. */
function sharedHead(list: readonly string[], second: number, keepAliveMs: number): Buffer {
  const lines = ['HTTP/1.1 200 OK'];
  for (let i = 0; i + 1 < list.length; i += 2) lines.push(`${list[i] ?? ''}: ${list[i + 1] ?? ''}`);
  lines.push(
    `Date: ${new Date(second * 1000).toUTCString()}`,
    'Connection: keep-alive',
    `Keep-Alive: timeout=${Math.floor(keepAliveMs / 1000)}`,
    '',
  );
  return Buffer.from(lines.join('\r\n'), 'latin1');
}
