/** Requests are answered in order; past a limit of pending ones node's parser stops. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { HTTP_LIMITS } from '../limits.ts';

export interface Owed {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly begin: () => void;
}

export interface ConnectionHost {
  /** May start it in a later turn, so that others come between. */
  schedule(owed: Owed, isAhead: boolean): void;
  /** null: allowed. For connections reserved for a probe. */
  refusalOf(request: IncomingMessage): string | null;
  clientOf(request: IncomingMessage): string;
}

interface ParsedRequest extends IncomingMessage {
  upgrade: boolean;
}

interface ParsedSocket extends Socket {
  /** The result directs the parser. */
  readonly parser: { onIncoming: (request: ParsedRequest, keepAlive: boolean) => number };
  /** Reads from the network; null once closed. */
  readonly _handle: { readonly reading: boolean } | null;
}

/** Stops as for an upgrade: a pause would parse the bytes already read. */
const STOP = 2;

const connections = new WeakMap<Duplex, Connection>();

export function connectionOf(socket: Duplex): Connection | undefined {
  return connections.get(socket);
}

export class Connection {
  readonly #isForProbe: boolean;
  readonly #socket: Socket;
  readonly #host: ConnectionHost;
  #current: Owed | null = null;
  #waiting: Owed[] = [];
  #newest: IncomingMessage | null = null;
  #isDeaf = false;
  #lastWord: string | null = null;
  #isLingering = false;
  #isLeaving = false;
  #answers = 0;
  #thrownAway = 0;
  /** At the last check. */
  #bytesSeen = 0;
  /** When it opened, or the last request or answer came; monotonic milliseconds. */
  #changedMs = performance.now();

  /** `isForProbe`: reserved for a probe. */
  constructor(socket: Socket, host: ConnectionHost, isForProbe = false) {
    this.#socket = socket;
    this.#host = host;
    this.#isForProbe = isForProbe;
    this.#isLeaving = isForProbe;
    connections.set(socket, this);
    this.#limit(socket as ParsedSocket);
    socket.on('resume', this.#steer);
    socket.on('end', this.#ended);
    // Lets the client read the last answer.
    socket.destroySoon = () => this.linger();
  }

  /** Closes it when nothing is pending or being read. */
  closeIfIdle(): void {
    if (this.#current === null && this.#newest?.complete !== false) this.#socket.destroy();
  }

  /** 0: it has a request. */
  idleMs(nowMs: number): number {
    return this.#current === null ? nowMs - this.#changedMs : 0;
  }

  /** How long a request is unfinished or, with `isReading`, an answer unread; null: neither. */
  waitedMs(nowMs: number, isReading: boolean): number | null {
    const isRead = this.#current === null || !this.#current.request.complete;
    const { bytesRead } = this.#socket;
    // A body that still arrives does not count.
    if (this.#current !== null && bytesRead !== this.#bytesSeen) this.#changedMs = nowMs;
    this.#bytesSeen = bytesRead;
    const isWaiting = isRead || (isReading && this.#socket.writableLength > 0);
    return isWaiting ? nowMs - this.#changedMs : null;
  }

  /** The client of a proxy's current request; null: none. */
  forwardedClient(): string | null {
    return this.#current === null ? null : this.#host.clientOf(this.#current.request);
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** Answers since the last call. */
  takeAnswers(): number {
    const answers = this.#answers;
    this.#answers = 0;
    return answers;
  }

  /** Asks the client to close with its last answer. */
  leave(): void {
    this.#isLeaving = true;
  }

  receive(owed: Owed): void {
    const refusal = this.#isForProbe ? this.#host.refusalOf(owed.request) : null;
    if (refusal !== null) {
      this.fail(refusal);
      return;
    }
    this.#newest = owed.request;
    this.#thrownAway = 0;
    if (this.#current !== null) {
      this.#waiting.push(owed);
      // After the ticks in which node resumes reading.
      if (this.#waiting.length === 1) queueMicrotask(this.#steer);
      return;
    }
    this.#begin(owed, false);
  }

  /** Ends with this text after pending answers. */
  fail(lastWord: string): void {
    if (this.#isLingering || !this.#socket.writable) {
      this.#socket.destroy();
      return;
    }
    if (this.#isDeaf) return;
    this.#isDeaf = true;
    this.#steer();
    const isBroken = this.#newest?.complete === false;
    // A partly read request is not started, and is answered once.
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

  finish(): void {
    this.#isDeaf = true;
    this.#steer();
    if (this.#current === null) this.linger();
  }

  /**
   * Discards input: closing a socket with unread bytes resets it, and the client may lose the last
   * answer.
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
      // Node closes a socket whose timeout expires.
      socket.setTimeout(idleMs);
    });
    socket.resume();
  }

  get #owed(): number {
    return this.#waiting.length + (this.#current === null ? 0 : 1);
  }

  #begin(owed: Owed, isAhead: boolean): void {
    this.#current = owed;
    this.#changedMs = performance.now();
    if (this.#isLeaving && this.#waiting.length === 0) owed.response.shouldKeepAlive = false;
    owed.response.on('close', this.#answered);
    this.#host.schedule(owed, isAhead);
  }

  /** Stops reading while pipelined requests are unanswered. */
  readonly #steer = (): void => {
    if (this.#waiting.length > 0) this.#socket.pause();
    else if (this.#isDeaf || this.#isUnread) this.#divert();
  };

  /** The body of an answered request still arrives. */
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

  #isFull(): boolean {
    if (this.#isDeaf) return true;
    if (this.#owed < HTTP_LIMITS.owedAnswers) return false;
    this.#isDeaf = true;
    const last = (this.#waiting.at(-1) ?? this.#current)?.response;
    if (last?.headersSent === false) last.setHeader('connection', 'close');
    // Not before the parser has returned.
    queueMicrotask(this.#steer);
    return true;
  }

  /** Makes node emit the bytes to be counted. */
  #divert(): void {
    const socket = this.#socket;
    // Node would not resume reading afterwards, so this waits until it has.
    if (socket.isPaused() || !(socket as ParsedSocket)._handle?.reading) return;
    if (this.#isDeaf) socket.removeAllListeners('data');
    else socket.off('data', this.#count);
    socket.on('data', this.#count);
  }

  /** Runs after the parser, if that still listens. */
  readonly #count = ({ length }: Buffer): void => {
    if (this.#isDeaf || this.#isUnread) this.#throwAway(length);
  };

  #throwAway(bytes: number): void {
    this.#thrownAway += bytes;
    if (this.#thrownAway > HTTP_LIMITS.lingeringClose.bytes) this.#socket.destroy();
    else if (!this.#isLingering && this.#isDeaf) this.#socket.pause();
  }

  readonly #answered = (): void => {
    this.#answers += 1;
    this.#current = null;
    this.#changedMs = performance.now();
    if (this.#newest?.complete === true && this.#waiting.length === 0) this.#newest = null;
    if (this.#isLingering || this.#socket.destroyed) return;
    const next = this.#waiting.shift();
    if (next !== undefined) {
      this.#begin(next, true);
      // Node has resumed reading.
      if (this.#waiting.length > 0 || this.#isDeaf) this.#socket.pause();
      else this.#socket.resume();
    } else if (this.#isDeaf) {
      this.#end();
    } else {
      this.#steer();
    }
  };

  /** A disconnected client is not billed. */
  #breakOff({ response }: Owed): void {
    response.detachSocket(this.#socket);
    response.destroy();
    response.emit('close');
  }

  #end(): void {
    if (this.#lastWord !== null) this.#socket.write(this.#lastWord);
    this.linger();
  }

  /** The client closed its side: it may still read, or be gone. */
  readonly #ended = (): void => {
    if (this.#current === null) return;
    const deadline = setTimeout(() => this.#socket.destroy(), HTTP_LIMITS.halfClosedMs);
    this.#socket.once('close', () => clearTimeout(deadline));
  };
}
