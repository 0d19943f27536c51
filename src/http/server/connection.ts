/**
 * One connection of node's server: what is asked on it is answered in order, one at a time, and never
 * is more owed than a limit. Node's parser takes in a whole read of 64 kB at once, in which there may be
 * more than a thousand requests; so it is given a little at a time, and nothing past the limit.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { KeyMemo } from '../../account/principal.ts';
import { LIMITS } from '../../kernel/limits.ts';

/** A request that was read, and how it is begun. */
export interface Owed {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly begin: () => void;
}

export interface ConnectionHost {
  /** Begins a request now or in a later turn of the event loop, so that others come between. */
  schedule(connection: Connection, owed: Owed, isAhead: boolean): void;
}

export class Connection {
  readonly keyMemo: KeyMemo = { secret: '', digest: '' };
  /** Of the client, or of the proxy it comes through. */
  readonly address: string;
  readonly #socket: Socket;
  readonly #host: ConnectionHost;
  readonly #parsers: readonly ((piece: Buffer) => void)[];
  /** The request being answered. */
  #current: Owed | null = null;
  /** Those behind it, in their order. */
  #waiting: Owed[] = [];
  /** The request read last, until it is answered and read to its end. */
  #newest: IncomingMessage | null = null;
  /** At least so many bytes of the body of `#bodyOf` are still to come. */
  #bodyBytes = 0;
  #bodyOf: IncomingMessage | null = null;
  /** Nothing more of it is parsed. */
  #isDeaf = false;
  /** The last word, sent after all that is owed. */
  #lastWord: string | null = null;
  #isLingering = false;
  #thrownAway = 0;

  /** `socket` is attached to node's server already. */
  constructor(socket: Socket, host: ConnectionHost) {
    this.#socket = socket;
    this.#host = host;
    this.address = socket.remoteAddress ?? '';
    this.#parsers = socket.listeners('data') as ((piece: Buffer) => void)[];
    socket.removeAllListeners('data');
    socket.on('data', this.#read);
    socket.on('end', this.#ended);
    // What node closes after its last answer is closed so that the client can read that.
    socket.destroySoon = () => this.linger();
  }

  /** Closes it where nothing is owed and no request is being read. */
  closeIfIdle(): void {
    if (this.#current === null && this.#newest?.complete !== false) this.#socket.destroy();
  }

  /** Takes in a request that node has read. */
  receive(owed: Owed): void {
    if (this.#isDeaf || this.#owed >= LIMITS.owedAnswers) {
      this.#stopListening();
      return;
    }
    this.#newest = owed.request;
    this.#thrownAway = 0;
    if (this.#current !== null) {
      this.#waiting.push(owed);
      return;
    }
    this.#begin(owed, false);
  }

  /** Ends the connection with this instead of what is being read; answers owed go first. */
  fail(lastWord: string): void {
    if (this.#isLingering || !this.#socket.writable) {
      this.#socket.destroy();
      return;
    }
    if (this.#isDeaf) return;
    this.#isDeaf = true;
    const isBroken = this.#newest?.complete === false;
    // A request that was not read to its end is not begun, if it waits; and it is answered once.
    if (isBroken && this.#waiting.length > 0) this.#waiting.pop();
    else if (isBroken && this.#current?.response.headersSent !== false) {
      this.finish();
      return;
    }
    this.#lastWord = lastWord;
    const current = this.#current;
    if (current === null) this.#end();
    else if (isBroken && current.request === this.#newest) {
      this.#end();
      this.#breakOff(current);
    }
  }

  /** Answers what is owed, then closes; nothing more is read. */
  finish(): void {
    this.#isDeaf = true;
    if (this.#current === null) this.linger();
  }

  /**
   * Says no more, and throws away for a while what still comes: a socket that is closed with bytes
   * unread is reset, and its client may never see the answer that was sent before.
   */
  linger(): void {
    if (this.#isLingering) return;
    this.#isLingering = true;
    this.#isDeaf = true;
    this.#waiting = [];
    const socket = this.#socket;
    const { totalMs, idleMs } = LIMITS.lingeringClose;
    const deadline = setTimeout(() => socket.destroy(), totalMs);
    socket.once('close', () => clearTimeout(deadline));
    socket.end(() => {
      // Node closes a socket whose time is up.
      socket.setTimeout(idleMs);
    });
    socket.resume();
  }

  get #owed(): number {
    return this.#waiting.length + (this.#current === null ? 0 : 1);
  }

  #begin(owed: Owed, isAhead: boolean): void {
    this.#current = owed;
    owed.response.on('close', this.#answered);
    this.#host.schedule(this, owed, isAhead);
  }

  readonly #read = (chunk: Buffer): void => {
    const socket = this.#socket;
    let at = 0;
    while (at < chunk.length) {
      if (this.#owed >= LIMITS.owedAnswers && this.#newest?.complete !== false) {
        this.#stopListening();
      }
      if (this.#isDeaf || socket.destroyed) {
        this.#throwAway(chunk.length - at);
        return;
      }
      const end = at + Math.max(this.#bodyBytes, LIMITS.parsedBytesAtOnce);
      const piece = at === 0 && end >= chunk.length ? chunk : chunk.subarray(at, end);
      for (const parse of this.#parsers) parse.call(socket, piece);
      this.#countBody(piece.length);
      at += piece.length;
      if (socket.isPaused() && at < chunk.length) {
        // As a rule by node, for as long as it has answers to write or a body nobody reads yet.
        socket.unshift(chunk.subarray(at));
        return;
      }
    }
    if (this.#waiting.length > 0) socket.pause();
  };

  /** What is certainly body is parsed in one piece, however long. */
  #countBody(bytes: number): void {
    const newest = this.#newest;
    if (newest === null || newest.complete) {
      this.#bodyBytes = 0;
      return;
    }
    const before =
      newest === this.#bodyOf ? this.#bodyBytes : Number(newest.headers['content-length'] ?? 0);
    this.#bodyOf = newest;
    this.#bodyBytes = Math.max(0, before - bytes);
    if (this.#current?.request !== newest && this.#waiting.length === 0) this.#throwAway(bytes);
  }

  /** More was asked than may be owed. */
  #stopListening(): void {
    if (this.#isDeaf) return;
    this.#isDeaf = true;
    this.#socket.pause();
    const last = (this.#waiting.at(-1) ?? this.#current)?.response;
    if (last?.headersSent === false) last.setHeader('connection', 'close');
  }

  #throwAway(bytes: number): void {
    this.#thrownAway += bytes;
    if (this.#thrownAway > LIMITS.lingeringClose.bytes) this.#socket.destroy();
    else if (!this.#isLingering && this.#isDeaf) this.#socket.pause();
  }

  readonly #answered = (): void => {
    this.#current = null;
    if (this.#newest?.complete === true && this.#waiting.length === 0) this.#newest = null;
    if (this.#isLingering || this.#socket.destroyed) return;
    const next = this.#waiting.shift();
    if (next !== undefined) {
      this.#begin(next, true);
      // Node has begun to read again.
      if (this.#waiting.length > 0 || this.#isDeaf) this.#socket.pause();
      else this.#socket.resume();
    } else if (this.#isDeaf) {
      this.#end();
    }
  };

  /** To whoever works on a request, its client is gone: nothing is billed that is not answered. */
  #breakOff({ response }: Owed): void {
    response.detachSocket(this.#socket);
    response.destroy();
    response.emit('close');
  }

  #end(): void {
    if (this.#lastWord !== null) this.#socket.write(this.#lastWord);
    this.linger();
  }

  /** Its client has closed its side: it may still be reading, or gone. */
  readonly #ended = (): void => {
    if (this.#current === null) return;
    const deadline = setTimeout(() => this.#socket.destroy(), LIMITS.halfClosedMs);
    this.#socket.once('close', () => clearTimeout(deadline));
  };
}
