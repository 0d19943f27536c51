/**
 * One connection of node's server: what is asked on it is answered in order, one at a time, and never
 * is more owed than a limit. Node's parser takes its bytes from the socket by itself, a whole read of
 * 64 kB at once, in which there may be more than a thousand requests; so it is stopped at the first
 * request past the limit, and parses nothing behind that.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { KeyMemo } from '../../account/principal.ts';
import { HTTP_LIMITS } from '../limits.ts';

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

/** A request as node's parser tells of it; `upgrade`: it is to leave HTTP. */
interface ParsedRequest extends IncomingMessage {
  upgrade: boolean;
}

/** The socket of a server, as node makes it. */
interface ParsedSocket extends Socket {
  /** Called with each request when its headers are read; tells the parser how to go on. */
  readonly parser: { onIncoming: (request: ParsedRequest, keepAlive: boolean) => number };
  /** What reads from the network; null once it is closed. */
  readonly _handle: { readonly reading: boolean } | null;
}

/**
 * Tells the parser to go no further in what it has read, as where a connection leaves HTTP. Nothing else
 * stops it: a pause is heeded when the whole read is parsed.
 */
const STOP = 2;

const connections = new WeakMap<Duplex, Connection>();

/** The connection of a socket of an edge server; undefined: it was refused. */
export function connectionOf(socket: Duplex): Connection | undefined {
  return connections.get(socket);
}

export class Connection {
  readonly keyMemo: KeyMemo = { secret: '', digest: '' };
  /** Of the client, or of the proxy it comes through. */
  readonly address: string;
  readonly #socket: Socket;
  readonly #host: ConnectionHost;
  /** The request being answered. */
  #current: Owed | null = null;
  /** Those behind it, in their order. */
  #waiting: Owed[] = [];
  /** The request read last, until it is answered and read to its end. */
  #newest: IncomingMessage | null = null;
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
    connections.set(socket, this);
    this.address = socket.remoteAddress ?? '';
    this.#limit(socket as ParsedSocket);
    socket.on('resume', this.#steer);
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
    this.#newest = owed.request;
    this.#thrownAway = 0;
    if (this.#current !== null) {
      this.#waiting.push(owed);
      // After the ticks in which node begins to read again behind each request it has read.
      if (this.#waiting.length === 1) queueMicrotask(this.#steer);
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
    this.#steer();
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
    this.#steer();
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
    this.#steer();
    this.#waiting = [];
    const socket = this.#socket;
    const { totalMs, idleMs } = HTTP_LIMITS.lingeringClose;
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

  /** Who asks ahead is read no further; what nobody asked for comes by here. */
  readonly #steer = (): void => {
    if (this.#waiting.length > 0) this.#socket.pause();
    else if (this.#isDeaf || this.#isUnread) this.#divert();
  };

  /** A body goes on whose request has its answer. */
  get #isUnread(): boolean {
    return this.#current === null && this.#newest?.complete === false;
  }

  #limit({ parser }: ParsedSocket): void {
    const { onIncoming } = parser;
    parser.onIncoming = (request, keepAlive) => {
      if (!this.#isFull()) return onIncoming(request, keepAlive);
      request.upgrade = false;
      return STOP;
    };
  }

  /** Whether a request just read is past what may be owed: then it is the last thing read. */
  #isFull(): boolean {
    if (this.#isDeaf) return true;
    if (this.#owed < HTTP_LIMITS.owedAnswers) return false;
    this.#isDeaf = true;
    const last = (this.#waiting.at(-1) ?? this.#current)?.response;
    if (last?.headersSent === false) last.setHeader('connection', 'close');
    // Not before the parser has come back.
    queueMicrotask(this.#steer);
    return true;
  }

  /** From now on node hands the bytes out instead of reading them by itself, so that they are counted. */
  #divert(): void {
    const socket = this.#socket;
    // Node would not begin to read again after that: this comes back when it has. Between being told to
    // and doing so it is no longer paused, and does not read yet.
    if (socket.isPaused() || !(socket as ParsedSocket)._handle?.reading) return;
    if (this.#isDeaf) socket.removeAllListeners('data');
    else socket.off('data', this.#count);
    socket.on('data', this.#count);
  }

  /** Behind the parser, where that is still listening. */
  readonly #count = ({ length }: Buffer): void => {
    if (this.#isDeaf || this.#isUnread) this.#throwAway(length);
  };

  #throwAway(bytes: number): void {
    this.#thrownAway += bytes;
    if (this.#thrownAway > HTTP_LIMITS.lingeringClose.bytes) this.#socket.destroy();
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
    } else {
      this.#steer();
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
    const deadline = setTimeout(() => this.#socket.destroy(), HTTP_LIMITS.halfClosedMs);
    this.#socket.once('close', () => clearTimeout(deadline));
  };
}
