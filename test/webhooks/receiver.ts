/** A real HTTPS receiver on a free port: records what it gets, and answers as the test says. */
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Certificate } from './certificates.ts';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly atMs: number;
}

export type Answer = (response: ServerResponse, received: Received) => void;

export interface Receiver {
  readonly port: number;
  readonly received: Received[];
  /** Connections that were made, whatever came of them. */
  connections: number;
  answer: Answer;
  close(): Promise<void>;
}

export const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(code, headers).end();
  };

export async function startReceiver(
  certificate: Certificate,
  { host = '127.0.0.1', port = 0 }: { readonly host?: string; readonly port?: number } = {},
): Promise<Receiver> {
  const sockets = new Set<Socket>();
  const server = createServer({ ...certificate, keepAlive: true }, (request, response) => {
    read(request)
      .then((received) => {
        receiver.received.push(received);
        receiver.answer(response, received);
      })
      .catch(() => undefined);
  });
  server.on('connection', (socket: Socket) => {
    receiver.connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('tlsClientError', () => undefined);
  server.listen({ host, port });
  await once(server, 'listening');
  const receiver: Receiver = {
    port: (server.address() as AddressInfo).port,
    received: [],
    connections: 0,
    answer: status(200),
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
  return receiver;
}

async function read(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { url = '', headers } = request;
  return { path: url, headers, body: Buffer.concat(chunks).toString('utf8'), atMs: Date.now() };
}
