/** Node's own server, with the short way before it and before the framework. */
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { LIMITS } from '../../kernel/limits.ts';
import { NodeExchange } from './node-exchange.ts';
import { plainHeadOf } from './plain-head.ts';
import type { ShortWay } from './short-way.ts';
import { SocketLine } from './socket-line.ts';
import type { LineKeeper } from './socket-line.ts';

/** As the framework makes its own, and with its waits; what it does not know is for `longWay`. */
export function createEdgeServer(shortWay: ShortWay, longWay: RequestListener): Server {
  // Node would answer a missing Host by itself, without the six fields.
  const settings = { maxHeaderSize: LIMITS.headerBytes, requireHostHeader: false };
  const server = createServer(settings, (request, response) => {
    const head = plainHeadOf(request);
    const isTaken =
      head !== null && shortWay.takes(new NodeExchange(head, request, response, longWay));
    if (!isTaken) longWay(request, response);
  });
  server.keepAliveTimeout = LIMITS.keepAliveMs;
  server.requestTimeout = LIMITS.requestReceiveMs;
  listenFirst(server, shortWay);
  return server;
}

/** New connections are read by the short way, until they say something else. */
function listenFirst(server: Server, shortWay: ShortWay): void {
  // Node's reader of HTTP: made to be handed connections by others too (event `connection`).
  const readers = server.listeners('connection');
  server.removeAllListeners('connection');
  const handOver = (socket: Socket): void => {
    for (const read of readers) read.call(server, socket);
  };
  const lines = new Set<SocketLine>();
  const keeper: LineKeeper = {
    takes: (exchange) => shortWay.takes(exchange),
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
    nowMs: shortWay.nowMs,
  };
  server.on('connection', (socket: Socket) => lines.add(new SocketLine(socket, keeper)));
  shortWay.onClose(() => {
    for (const line of lines) line.close();
  });
}
