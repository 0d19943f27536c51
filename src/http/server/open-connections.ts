/**
 * Near the total, a new connection replaces those that wait longest and whose client holds most, so
 * that a few addresses cannot shut out others.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { clientOf, networksOf } from '../../kernel/client-address.ts';
import type { Counter } from '../../kernel/limited-counter.ts';
import type { Limiters } from '../../kernel/limiters.ts';
import { HTTP_LIMITS } from '../limits.ts';
import { Connection } from './connection.ts';
import type { ConnectionHost } from './connection.ts';

export interface ConnectionLimits {
  readonly total: number;
  readonly address: number;
}

export type ManyConnections = 'of one address' | 'in all';

interface OpenConnectionsParts {
  readonly server: Server;
  readonly host: ConnectionHost;
  readonly limiters: Limiters;
  readonly isProxy: (address: string) => boolean;
  readonly limits: ConnectionLimits;
  readonly tooMany: (socket: Socket, which: ManyConnections) => string;
}

/** null: a proxy's connection. */
type Client = string | null;

export class OpenConnections {
  readonly #parts: OpenConnectionsParts;
  readonly #all: Counter;
  readonly #ofAddresses: Counter;
  readonly #open = new Map<Connection, Client>();

  constructor(parts: OpenConnectionsParts) {
    this.#parts = parts;
    const { limiters, server } = parts;
    const { total, address } = parts.limits;
    const most = total + CROWD.probePlaces;
    this.#all = limiters.counter('connections', { each: most, total: most });
    const each = { each: address, total: Infinity };
    this.#ofAddresses = limiters.counter('connections of addresses', each);
    server.maxConnections = most;
    server.on('connection', (socket: Socket) => this.#accept(socket));
    const timer = setInterval(() => this.#closeIdle(), CROWD.everyMs);
    timer.unref();
    server.once('close', () => clearInterval(timer));
  }

  get connections(): Iterable<Connection> {
    return this.#open.keys();
  }

  #accept(socket: Socket): void {
    const { limits, isProxy, host, tooMany } = this.#parts;
    const address = socket.remoteAddress ?? '';
    const client = isProxy(address) ? null : clientOf(address);
    if (client !== null && this.#ofAddresses.add(client) !== null) {
      socket.removeAllListeners('data');
      socket.end(tooMany(socket, 'of one address'), () => socket.destroy());
      return;
    }
    if (this.#isOver(CROWD.fullFrom)) this.#makeRoom();
    // As node does beyond `maxConnections`.
    if (this.#all.add('') !== null) {
      if (client !== null) this.#ofAddresses.remove(client);
      socket.destroy();
      return;
    }
    const isForProbe = this.#all.countOf('') > limits.total;
    const connection = new Connection(socket, host, isForProbe);
    this.#open.set(connection, client);
    socket.once('close', () => this.#forget(connection));
  }

  #isOver(share: number): boolean {
    return this.#all.countOf('') >= share * this.#parts.limits.total;
  }

  #makeRoom(): void {
    const nowMs = performance.now();
    const holders = [...this.#open].map(([connection, client]) => ({
      connection,
      names: networkNames(client ?? connection.forwardedClient()),
    }));
    const held = new Map<string, number>();
    for (const { name } of holders.flatMap(({ names }) => names)) {
      held.set(name, (held.get(name) ?? 0) + 1);
    }
    const waiting = holders.flatMap(({ connection, names }) => {
      const ofClient = Math.max(
        1,
        ...names.map(({ name, times }) => (held.get(name) ?? 0) / times),
      );
      const waitedMs = connection.waitedMs(nowMs, ofClient > CROWD.readersOfClient);
      return waitedMs === null ? [] : [{ connection, room: ofClient * (waitedMs + CROWD.newMs) }];
    });
    waiting.sort((a, b) => b.room - a.room);
    const count = Math.ceil(this.#open.size * CROWD.freed);
    for (const { connection } of waiting.slice(0, count)) this.#close(connection);
  }

  #closeIdle(): void {
    const isCrowded = this.#isOver(CROWD.from);
    const { keepAliveMs } = isCrowded ? CROWD : HTTP_LIMITS;
    this.#parts.server.keepAliveTimeout = keepAliveMs;
    if (!isCrowded) return;
    const nowMs = performance.now();
    for (const connection of this.#open.keys()) {
      if (connection.idleMs(nowMs) > keepAliveMs + HTTP_LIMITS.keepAliveGraceMs) {
        this.#close(connection);
      }
    }
  }

  #close(connection: Connection): void {
    // `close` comes after others of this turn.
    this.#forget(connection);
    connection.destroy();
  }

  #forget(connection: Connection): void {
    const client = this.#open.get(connection);
    if (client === undefined) return;
    this.#open.delete(connection);
    this.#all.remove('');
    if (client !== null) this.#ofAddresses.remove(client);
  }
}

const CROWD = HTTP_LIMITS.crowd;

function networkNames(client: Client): ReturnType<typeof networksOf> {
  return client === null ? [] : [{ name: client, times: 1 }, ...networksOf(client)];
}
