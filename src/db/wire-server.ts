/**
 * PostgreSQL's protocol over one single-session backend. A client's messages run as one batch; a
 * transaction keeps the backend.
 */
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { DB_LIMITS } from './limits.ts';
import {
  READY_FOR_QUERY,
  endedOnce,
  errorResponse,
  greeting,
  hasLostStatement,
  localLimitOf,
  query,
  readStartup,
  refusalOf,
  split,
} from './wire-messages.ts';

/**
 * Frontend messages, ending in Sync or Query. A batch longer than `mostMs` ends the backend, which
 * cannot cancel.
 */
export type RunBatch = (batch: Buffer, mostMs: number) => Promise<Buffer>;

export interface WireOptions {
  /** The server version once batches can run; rejects with the message for clients. */
  readonly ready: Promise<string>;
  readonly run: RunBatch;
  /** The last connection is gone; `orderly`: it said goodbye and awaits the close. */
  readonly onIdle: (orderly: boolean) => void;
  readonly onBroken: (error: unknown) => void;
  readonly idleInTransactionMs?: number;
}

const IDLE = 'I'.charCodeAt(0);

export function createWireServer(options: WireOptions): Server {
  const turns = new Turns(options);
  const open = new Set<Connection>();
  // A client that said goodbye sees its socket close when the server is done.
  const server = createServer({ noDelay: true, allowHalfOpen: true }, (socket) => {
    const connection = new Connection(socket, { ready: options.ready, turns });
    const leave = (orderly: boolean) => {
      if (!open.delete(connection)) return;
      turns.leave(connection);
      if (open.size === 0) options.onIdle(orderly);
      else socket.end();
    };
    open.add(connection);
    connection.onGoodbye = () => leave(true);
    socket.on('end', () => {
      if (open.has(connection)) socket.destroy();
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => leave(false));
  });
  server.maxConnections = DB_LIMITS.embeddedConnections;
  return server;
}

class Connection {
  readonly socket: Socket;
  readonly batches: Buffer[] = [];
  statementMs: number = DB_LIMITS.storeStatementMs.sync;
  onGoodbye: () => void = () => undefined;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #messages: Buffer[] = [];
  #messageBytes = 0;
  /** Bytes needed before splitting, which avoids copying a large message. */
  #needed = 8;
  #started = false;
  readonly #ready: Promise<string>;
  readonly #turns: Turns;

  constructor(socket: Socket, deps: { ready: Promise<string>; turns: Turns }) {
    this.socket = socket;
    this.#ready = deps.ready;
    this.#turns = deps.turns;
    socket.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk);
      this.#bytes += chunk.length;
      if (this.#bytes >= this.#needed) this.#cut();
    });
  }

  refuse(code: string, message: string): void {
    this.socket.end(errorResponse(code, message));
    this.socket.removeAllListeners('data');
  }

  #cut(): void {
    let rest = Buffer.concat(this.#chunks);
    while (!this.#started) {
      const startup = readStartup(rest);
      if (startup === null) {
        this.#keep(rest, 8);
        return;
      }
      rest = rest.subarray(startup.bytes);
      if (startup.kind === 'cancel') {
        this.socket.end();
        return;
      }
      if (startup.kind === 'encryption') this.socket.write('N');
      else this.#start(startup.statementMs);
    }
    const { messages, needed } = split(rest);
    for (const message of messages) {
      this.#take(message);
      rest = rest.subarray(message.length);
    }
    if (Math.max(needed, this.#messageBytes) > DB_LIMITS.embeddedBatchBytes) {
      this.refuse('54000', 'The statement is larger than the embedded store takes.');
      return;
    }
    this.#keep(rest, needed);
  }

  #keep(rest: Buffer, needed: number): void {
    this.#chunks = rest.length === 0 ? [] : [rest];
    this.#bytes = rest.length;
    this.#needed = needed;
  }

  #start(statementMs: number | null): void {
    this.#started = true;
    this.statementMs = statementMs ?? this.statementMs;
    this.#ready.then(
      (version) => this.socket.write(greeting(version)),
      (error: unknown) => this.refuse('57P03', `The embedded store cannot start: ${String(error)}`),
    );
  }

  #take(message: Buffer): void {
    const type = String.fromCharCode(message[0] ?? 0);
    if (type === 'X') {
      this.onGoodbye();
      return;
    }
    // Flush asks for early answers, but answers come per batch. Copy data after a refused COPY is
    // dropped.
    if ('Hdcfp'.includes(type)) return;
    const refusal = refusalOf(type, message);
    if (refusal !== null) {
      this.refuse('0A000', refusal);
      return;
    }
    this.#messages.push(message);
    this.#messageBytes += message.length;
    if (type !== 'S' && type !== 'Q') return;
    this.batches.push(Buffer.concat(this.#messages));
    this.#messages = [];
    this.#messageBytes = 0;
    this.#turns.ask(this);
  }
}

/** First come, first served, whole transactions at a time. */
class Turns {
  readonly #options: WireOptions;
  #queue: Connection[] = [];
  #holder: Connection | null = null;
  /** Set for the transaction; null: as the connection. */
  #localMs: number | null = null;
  #running = false;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(options: WireOptions) {
    this.#options = options;
  }

  ask(connection: Connection): void {
    this.#queue.push(connection);
    this.#next();
  }

  /** Drops a client's requests and rolls its open transaction back. */
  leave(connection: Connection): void {
    this.#queue = this.#queue.filter((waiting) => waiting !== connection);
    if (this.#holder === connection && !this.#running) void this.#rollBack();
  }

  #next(): void {
    if (this.#running) return;
    const at = this.#holder === null ? 0 : this.#queue.indexOf(this.#holder);
    const connection = this.#queue[at];
    const batch = connection?.batches.shift();
    if (connection === undefined || batch === undefined) return;
    this.#queue.splice(at, 1);
    clearTimeout(this.#idleTimer);
    void this.#run(connection, batch);
  }

  async #run(connection: Connection, batch: Buffer): Promise<void> {
    this.#running = true;
    const answer = await this.#answer(batch, this.#localMs ?? connection.statementMs);
    if (answer === null) return;
    this.#running = false;
    const idle = answer.at(-1) === IDLE;
    connection.socket.write(answer);
    this.#holder = idle ? null : connection;
    this.#localMs = idle ? null : (localLimitOf(batch) ?? this.#localMs);
    if (!idle && connection.socket.destroyed) {
      await this.#rollBack();
      return;
    }
    if (!idle) this.#watch(connection);
    // Lets sockets report arrivals and hang-ups between batches.
    setImmediate(() => this.#next());
  }

  /** null: the backend is broken; nothing more runs. */
  async #answer(batch: Buffer, mostMs: number): Promise<Buffer | null> {
    try {
      const answer = endedOnce(await this.#options.run(batch, mostMs));
      // ReadyForQuery ends every answer; its last byte is the transaction state.
      if (answer.at(-6) !== READY_FOR_QUERY) throw new Error('The backend stopped mid-answer.');
      if (!hasLostStatement(answer)) return answer;
      const reason = 'PostGIS lost the statement: it cannot compute with these geometries.';
      return Buffer.concat([errorResponse('XX000', reason, 'ERROR'), answer.subarray(-6)]);
    } catch (error) {
      this.#options.onBroken(error);
      return null;
    }
  }

  #watch(connection: Connection): void {
    this.#idleTimer = setTimeout(() => {
      if (this.#holder !== connection || this.#running) return;
      connection.refuse('25P03', 'The transaction was left open too long and is rolled back.');
      void this.#rollBack();
    }, this.#options.idleInTransactionMs ?? DB_LIMITS.storeIdleInTransactionMs);
  }

  async #rollBack(): Promise<void> {
    clearTimeout(this.#idleTimer);
    this.#running = true;
    if ((await this.#answer(query('rollback'), DB_LIMITS.embeddedStartMs)) === null) return;
    this.#running = false;
    this.#holder = null;
    this.#localMs = null;
    this.#next();
  }
}
