/** Node's own server, with limits to its connections, and the fast path before the framework. */
import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import { membersOf } from '../../kernel/address-ranges.ts';
import { clientOf } from '../../kernel/client-address.ts';
import { LimitedCounter } from '../../kernel/limited-counter.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { HTTP_LIMITS } from '../limits.ts';
import type { FastPath } from '../fast-path/fast-path.ts';
import { createFairScheduler } from '../plugins/fair-scheduler.ts';
import { Connection, connectionOf } from './connection.ts';
import type { ConnectionHost } from './connection.ts';

export interface EdgeServerParts {
  readonly fastPath: FastPath;
  /** Addresses and CIDR ranges of proxies that bring many clients. */
  readonly trustedProxies: readonly string[];
  /** What a connection too many of one client is told, head and body. */
  readonly tooManyConnections: (socket: Duplex) => string;
}

/** As the framework makes its own, and with its waits; what the fast path does not take is for `fullPipeline`. */
export function createEdgeServer(parts: EdgeServerParts, fullPipeline: RequestListener): Server {
  const { fastPath } = parts;
  const server = createServer({
    maxHeaderSize: LIMITS.headerBytes,
    // Node would answer a missing Host by itself, without the six fields.
    requireHostHeader: false,
    // Two hosts or two keys are no host and no key: node would take the first, a proxy perhaps the last.
    joinDuplicateHeaders: true,
    keepAliveTimeout: HTTP_LIMITS.keepAliveMs,
    keepAliveTimeoutBuffer: HTTP_LIMITS.keepAliveGraceMs,
    requestTimeout: HTTP_LIMITS.requestReceiveMs,
    // No stream of a body is begun and ended for a request that has none.
    optimizeEmptyRequests: true,
  });
  server.maxConnections = HTTP_LIMITS.connections.total;
  server.timeout = HTTP_LIMITS.stalledMs;
  // A client that closes its side after the question is answered still.
  Object.assign(server, { httpAllowHalfOpen: true });
  const answer: RequestListener = (request, response) => {
    const keyMemo = connectionOf(request.socket)?.keyMemo ?? { secret: '', digest: '' };
    if (!fastPath.tryHandle({ request, response, keyMemo, fullPipeline })) {
      fullPipeline(request, response);
    }
  };
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    receive({ request, response }, () => answer(request, response));
  });
  // Only when nothing is owed before it: else it would stand in the middle of another answer.
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    receive({ request, response }, () => {
      response.writeContinue();
      answer(request, response);
    });
  });
  keepConnections(server, parts);
  return server;
}

interface Read {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Begins a request when its turn on its connection has come. */
export function receive({ request, response }: Read, answer: () => void): void {
  const begin = (): void => {
    if (!response.destroyed) answer();
  };
  const connection = connectionOf(request.socket);
  if (connection === undefined) request.socket.destroy();
  else connection.receive({ request, response, begin });
}

function keepConnections(server: Server, parts: EdgeServerParts): void {
  const isProxy = membersOf(parts.trustedProxies);
  const count = new LimitedCounter({ each: HTTP_LIMITS.connections.address, total: Infinity });
  const host = hostOf(isProxy);
  const open = new Set<Connection>();
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const client = clientOf(address);
    const isCounted = !isProxy(address);
    if (isCounted && count.add(client) !== null) {
      socket.removeAllListeners('data');
      socket.end(parts.tooManyConnections(socket), () => socket.destroy());
      return;
    }
    const connection = new Connection(socket, host);
    open.add(connection);
    socket.once('close', () => {
      open.delete(connection);
      if (isCounted) count.remove(client);
    });
  });
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    closeIdle();
    // Those that have never said anything are not idle to node.
    for (const connection of open) connection.closeIfIdle();
  };
}

/** Requests without a key share the turns by client address; those with one by account, later on. */
function hostOf(isProxy: (address: string) => boolean): ConnectionHost {
  const turns = createFairScheduler(HTTP_LIMITS.openFairTurns);
  return {
    schedule: ({ address }, { request, begin }, isAhead) => {
      if (!showsKey(request)) {
        const client = clientOf(isProxy(address) ? forwardedFor(request, address) : address);
        // Who asks ahead stands in a queue of its own, and not before those who wait for their answers.
        turns.begin(isAhead ? `${client} ahead` : client, begin);
      } else if (isAhead) setImmediate(begin);
      else begin();
    },
  };
}

function showsKey({ headers, url = '' }: IncomingMessage): boolean {
  return headers.authorization !== undefined || url.includes('token=');
}

/** The client as the proxy nearest to us saw it. */
function forwardedFor({ headers }: IncomingMessage, proxy: string): string {
  const header = headers['x-forwarded-for'];
  const last = (typeof header === 'string' ? header : '').split(',').at(-1)?.trim() ?? '';
  return last === '' ? proxy : last;
}
