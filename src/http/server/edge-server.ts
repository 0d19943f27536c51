import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { clientOf, membersOf, senderOf } from '../../kernel/client-address.ts';
import type { Limiters } from '../../kernel/limiters.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Balance } from '../../threads/balance.ts';
import { THREAD_LIMITS } from '../../threads/limits.ts';
import { HTTP_LIMITS } from '../limits.ts';
import type { FastPath } from '../fast-path/fast-path.ts';
import { createFairScheduler } from '../plugins/concurrency.ts';
import { connectionOf } from './connection.ts';
import type { ConnectionHost } from './connection.ts';
import type { ManyConnections, ConnectionLimits } from './open-connections.ts';
import { OpenConnections } from './open-connections.ts';

export interface EdgeServerParts {
  readonly fastPath: FastPath;
  readonly trustedProxies: readonly string[];
  readonly tooManyConnections: (socket: Socket, which: ManyConnections) => string;
  /** null: one request thread. */
  readonly balance: Pick<Balance, 'look'> | null;
  readonly limiters: Limiters;
  /** Absent: `HTTP_LIMITS.connections`. */
  readonly limits?: ConnectionLimits | undefined;
}

export function createEdgeServer(parts: EdgeServerParts, fullPipeline: RequestListener): Server {
  const { fastPath } = parts;
  const server = createServer({
    maxHeaderSize: LIMITS.headerBytes,
    // Node's own answer to a missing Host lacks the six fields.
    requireHostHeader: false,
    // Node would take the first of repeated hosts or keys, a proxy perhaps the last.
    joinDuplicateHeaders: true,
    keepAliveTimeout: HTTP_LIMITS.keepAliveMs,
    keepAliveTimeoutBuffer: HTTP_LIMITS.keepAliveGraceMs,
    requestTimeout: HTTP_LIMITS.requestReceiveMs,
    // A request without a body needs no stream.
    optimizeEmptyRequests: true,
  });
  server.timeout = HTTP_LIMITS.stalledMs;
  // A client that closed its side is still answered.
  Object.assign(server, { httpAllowHalfOpen: true });
  const answer: RequestListener = (request, response) => {
    if (fastPath.tryHandle({ request, response, fullPipeline })) return;
    request.url = withColons(request.url ?? '');
    fullPipeline(request, response);
  };
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    receive({ request, response }, () => answer(request, response));
  });
  // Only if nothing is pending: it would appear inside another answer.
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    receive({ request, response }, () => {
      response.writeContinue();
      answer(request, response);
    });
  });
  keepConnections(server, parts);
  return server;
}

/** Decodes the colons that gateways encode and the router compares (`%3Abatch`). */
function withColons(url: string): string {
  if (!/%3a/i.test(url)) return url;
  const [path = ''] = url.split(/[?#]/, 1);
  return path.replaceAll(/%3a/gi, ':') + url.slice(path.length);
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
  const { limiters, limits = HTTP_LIMITS.connections } = parts;
  const isProxy = membersOf(parts.trustedProxies);
  const tooMany = parts.tooManyConnections;
  const host = hostOf(isProxy, tooMany);
  const open = new OpenConnections({ server, host, limiters, isProxy, limits, tooMany });
  if (parts.balance !== null) moveConnections(server, open, parts.balance);
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    closeIdle();
    // Node does not count connections that never sent anything as idle.
    for (const connection of open.connections) connection.closeIfIdle();
  };
}

function moveConnections(
  server: Server,
  open: OpenConnections,
  balance: Pick<Balance, 'look'>,
): void {
  const timer = setInterval(() => {
    const answers = [...open.connections].map((connection) => ({
      connection,
      count: connection.takeAnswers(),
    }));
    const active = answers.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count);
    if (balance.look(active.length)) active[0]?.connection.leave();
  }, THREAD_LIMITS.moved.everyMs);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}

/** Shares turns by client address without a key, later by account with one. */
function hostOf(
  isProxy: (address: string) => boolean,
  tooMany: EdgeServerParts['tooManyConnections'],
): ConnectionHost {
  const turns = createFairScheduler(HTTP_LIMITS.openFairTurns);
  const clientOfRequest = (request: IncomingMessage): string =>
    clientOf(senderOf(request, isProxy));
  return {
    clientOf: clientOfRequest,
    refusalOf: ({ url = '', socket }) => (isProbe(url) ? null : tooMany(socket, 'in all')),
    schedule: ({ request, begin }, isAhead) => {
      if (!showsKey(request)) {
        const client = clientOfRequest(request);
        // Pipelined requests queue apart, after clients that wait.
        turns.begin(isAhead ? `ahead ${client}` : client, begin);
      } else if (isAhead) setImmediate(begin);
      else begin();
    },
  };
}

function isProbe(url: string): boolean {
  const [path] = url.split('?');
  return HTTP_LIMITS.crowd.probes.some((probe) => probe === path);
}

function showsKey({ headers, url = '' }: IncomingMessage): boolean {
  return headers.authorization !== undefined || url.includes('token=') || url.includes('/k/svc_');
}
