/** Node's own server, with the fast path before it and before the framework. */
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { LIMITS } from '../../kernel/limits.ts';
import { NodeExchange } from './node-exchange.ts';
import { plainHeadOf } from './plain-head.ts';
import type { FastPath } from './fast-path.ts';
import { SocketLine } from './socket-line.ts';
import type { LineKeeper } from './socket-line.ts';

/** As the framework makes its own, and with its waits; what it does not know is for `fullPipeline`. */
export function createEdgeServer(fastPath: FastPath, fullPipeline: RequestListener): Server {
  // Node would answer a missing Host by itself, without the six fields.
  const settings = { maxHeaderSize: LIMITS.headerBytes, requireHostHeader: false };
  const server = createServer(settings, (request, response) => {
    const head = plainHeadOf(request);
    const isTaken =
      head !== null && fastPath.tryHandle(new NodeExchange(head, request, response, fullPipeline));
    if (!isTaken) fullPipeline(request, response);
  });
  server.keepAliveTimeout = LIMITS.keepAliveMs;
  server.requestTimeout = LIMITS.requestReceiveMs;
  listenFirst(server, fastPath);
  return server;
}

/** New connections are read by the fast path, until they say something else. */
function listenFirst(server: Server, fastPath: FastPath): void {
  // Node's reader of HTTP: made to be handed connections by others too (event `connection`).
  const readers = server.listeners('connection');
  server.removeAllListeners('connection');
  const handOver = (socket: Socket): void => {
    for (const read of readers) read.call(server, socket);
  };
  const lines = new Set<SocketLine>();
  const keeper: LineKeeper = {
    tryHandle: (exchange) => fastPath.tryHandle(exchange),
    handOver,
    tooSlow: (socket) => {
      // Told so, and not waited for again.
      socket.setTimeout(LIMITS.keepAliveGraceMs, () => socket.destroy());
      socket.resume();
      const error = Object.assign(new Error('Nothing came'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      server.emit('clientError', error, socket);
    },
    gone: (line) => lines.delete(line),
    keepAliveMs: server.keepAliveTimeout,
    receiveMs: server.requestTimeout,
    nowMs: fastPath.nowMs,
  };
  server.on('connection', (socket: Socket) => lines.add(new SocketLine(socket, keeper)));
  fastPath.onClose(() => {
    for (const line of lines) line.close();
  });
}
