import type { FastifyInstance, FastifyRequest } from 'fastify';
import { membersOf, senderOf } from '../../kernel/client-address.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Absent: no proxies. */
    readonly isProxy?: (address: string) => boolean;
  }
}

export function installSender(app: FastifyInstance, trustedProxies: readonly string[]): void {
  app.decorate('isProxy', membersOf(trustedProxies));
}

/** The client address that limits count (`senderOf`). */
export function senderOfRequest({ raw, server }: Pick<FastifyRequest, 'raw' | 'server'>): string {
  return senderOf(raw, server.isProxy ?? (() => false));
}
