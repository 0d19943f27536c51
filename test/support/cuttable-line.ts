/** A line to a server that can be cut: what is sent then goes nowhere, and nobody is told. */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

export interface Line {
  readonly port: number;
  cut(): void;
  /** What hung on the cut line stays lost. */
  mend(): void;
  close(): Promise<void>;
}

export async function lineTo(port: number): Promise<Line> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    return socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((near) => {
    keep(near);
    if (isCut) return;
    const far = keep(connect(port, '127.0.0.1'));
    near.pipe(far);
    far.pipe(near);
    near.on('close', () => far.destroy());
    far.on('close', () => {
      if (!isCut) near.destroy();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const drop = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => {
      isCut = true;
      for (const socket of sockets) {
        socket.unpipe();
        socket.pause();
      }
    },
    mend: () => {
      isCut = false;
      drop();
    },
    close: async () => {
      drop();
      server.close();
      await once(server, 'close');
    },
  };
}
