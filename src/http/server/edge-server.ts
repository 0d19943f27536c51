import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import { membersOf } from '../../kernel/address-ranges.ts';
import { clientOf } from '../../kernel/client-address.ts';
import { localLimiters } from '../../kernel/limiters.ts';
import type { Limiters } from '../../kernel/limiters.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Balance } from '../../threads/balance.ts';
import { THREAD_LIMITS } from '../../threads/limits.ts';
import { HTTP_LIMITS } from '../limits.ts';
import type { FastPath } from '../fast-path/fast-path.ts';
import { createFairScheduler } from '../plugins/fair-scheduler.ts';
import { Connection, connectionOf } from './connection.ts';
import type { ConnectionHost } from './connection.ts';

export interface EdgeServerParts {
  readonly fastPath: FastPath;
  readonly trustedProxies: readonly string[];
  readonly tooManyConnections: (socket: Duplex) => string;
  /** null: there is one request thread. */
  readonly balance: Pick<Balance, 'look'> | null;
  /** Absent: of this thread alone. */
  readonly limiters?: Limiters;
}

/** Configured like the framework's server; `fullPipeline` gets what the fast path does not take. */
export function createEdgeServer(parts: EdgeServerParts, fullPipeline: RequestListener): Server {
  const { fastPath } = parts;
  const server = createServer({
    maxHeaderSize: LIMITS.headerBytes,
    // Node's own answer to a missing Host lacks the six fields.
    requireHostHeader: false,
    // Two hosts or keys count as none: node would take the first, a proxy perhaps the last.
    joinDuplicateHeaders: true,
    keepAliveTimeout: HTTP_LIMITS.keepAliveMs,
    keepAliveTimeoutBuffer: HTTP_LIMITS.keepAliveGraceMs,
    requestTimeout: HTTP_LIMITS.requestReceiveMs,
    // Avoids a body stream for a request without a body.
    optimizeEmptyRequests: true,
  });
  server.maxConnections = HTTP_LIMITS.connections.total;
  server.timeout = HTTP_LIMITS.stalledMs;
  // A client that closes its side after asking is still answered.
  Object.assign(server, { httpAllowHalfOpen: true });
  const answer: RequestListener = (request, response) => {
    if (!fastPath.tryHandle({ request, response, fullPipeline })) {
      fullPipeline(request, response);
    }
  };
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    receive({ request, response }, () => answer(request, response));
  });
  // Only when nothing is pending: otherwise it would appear inside another answer.
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
  const { address: each, total } = HTTP_LIMITS.connections;
  const { limiters = localLimiters() } = parts;
  const all = limiters.counter('connections', { each: total, total });
  const count = limiters.counter('connections of addresses', { each, total: Infinity });
  const host = hostOf(isProxy);
  const open = new Set<Connection>();
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const client = clientOf(address);
    const isCounted = !isProxy(address);
    // As node does with those past the `maxConnections` of this thread.
    if (all.add('') !== null) {
      socket.destroy();
      return;
    }
    if (isCounted && count.add(client) !== null) {
      all.remove('');
      socket.removeAllListeners('data');
      socket.end(parts.tooManyConnections(socket), () => socket.destroy());
      return;
    }
    const connection = new Connection(socket, host);
    open.add(connection);
    socket.once('close', () => {
      open.delete(connection);
      all.remove('');
      if (isCounted) count.remove(client);
    });
  });
  if (parts.balance !== null) moveConnections(server, open, parts.balance);
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    closeIdle();
    // Node does not count connections that never sent anything as idle.
    for (const connection of open) connection.closeIfIdle();
  };
}

/** Where this thread is over its share, the connection with most answers goes. */
function moveConnections(
  server: Server,
  open: ReadonlySet<Connection>,
  balance: Pick<Balance, 'look'>,
): void {
  const timer = setInterval(() => {
    const answers = [...open].map((connection) => ({
      connection,
      count: connection.takeAnswers(),
    }));
    const active = answers.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count);
    if (balance.look(active.length)) active[0]?.connection.leave();
  }, THREAD_LIMITS.moved.everyMs);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}

/** Requests without a key share turns by client address; keyed ones by account, later. */
function hostOf(isProxy: (address: string) => boolean): ConnectionHost {
  const turns = createFairScheduler(HTTP_LIMITS.openFairTurns);
  return {
    schedule: ({ address }, { request, begin }, isAhead) => {
      if (!showsKey(request)) {
        const client = clientOf(isProxy(address) ? forwardedFor(request, address) : address);
        // Pipelined requests have their own queue, so that they do not precede those of clients
        // that wait.
        turns.begin(isAhead ? `${client} ahead` : client, begin);
      } else if (isAhead) setImmediate(begin);
      else begin();
    },
  };
}

function showsKey({ headers, url = '' }: IncomingMessage): boolean {
  return headers.authorization !== undefined || url.includes('token=') || url.includes('/k/svc_');
}

function forwardedFor({ headers }: IncomingMessage, proxy: string): string {
  const header = headers['x-forwarded-for'];
  const last = (typeof header === 'string' ? header : '').split(',').at(-1)?.trim() ?? '';
  return last === '' ? proxy : last;
}
