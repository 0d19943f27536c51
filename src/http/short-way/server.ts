/** Node's own server, with the short way before the framework. */
import { createServer } from 'node:http';
import type { RequestListener, Server, ServerOptions } from 'node:http';
import type { ShortWay } from './short-way.ts';

/** Settings of the framework that are its server's; milliseconds. */
export interface ServerSettings {
  readonly http?: ServerOptions;
  readonly keepAliveTimeout?: number;
  readonly requestTimeout?: number;
  readonly connectionTimeout?: number;
}

/** As the framework makes its own, of the same settings. */
export function createEdgeServer(
  shortWay: ShortWay,
  longWay: RequestListener,
  { http, keepAliveTimeout, requestTimeout, connectionTimeout }: ServerSettings,
): Server {
  const server = createServer(http ?? {}, (request, response) => {
    if (!shortWay.takes(request, response, longWay)) longWay(request, response);
  });
  if (keepAliveTimeout !== undefined) server.keepAliveTimeout = keepAliveTimeout;
  if (requestTimeout !== undefined) server.requestTimeout = requestTimeout;
  server.setTimeout(connectionTimeout);
  return server;
}
