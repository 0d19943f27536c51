/** Receivers of webhooks in a process of their own: many HTTPS servers, each on an address of its own. */
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Certificate } from '../test/webhooks/certificates.ts';
import { addressOf } from './webhook-network.ts';

export interface ReceiversWanted {
  readonly certificate: Certificate;
  readonly count: number;
}

/** What the process is asked: when it first heard of each delivery since it was asked last. */
export type ReceiversQuestion = 'heard';

export type Heard = readonly (readonly [deliveryId: string, atMs: number])[];

let heard = new Map<string, number>();

process.on('message', (message: ReceiversWanted | ReceiversQuestion) => {
  if (message !== 'heard') {
    void listen(message).then((ports) => process.send?.(ports));
    return;
  }
  process.send?.([...heard] satisfies Heard);
  heard = new Map();
});

async function listen({ certificate, count }: ReceiversWanted): Promise<number[]> {
  const servers = Array.from({ length: count }, (_, index) => {
    const server = createServer(certificate, (request, response) => {
      const id = String(request.headers['webhook-id']);
      if (!heard.has(id)) heard.set(id, Date.now());
      request.resume().on('end', () => response.end());
    });
    // The last one takes what it is told and never says a word.
    if (index === count - 1) server.removeAllListeners('request').on('request', () => undefined);
    return server.listen(0, addressOf(index));
  });
  return await Promise.all(
    servers.map(async (server) => {
      if (!server.listening) await once(server, 'listening');
      return (server.address() as AddressInfo).port;
    }),
  );
}
