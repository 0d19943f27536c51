import type { FastifyInstance, FastifyRequest } from 'fastify';
import { membersOf } from '../../kernel/address-ranges.ts';
import { senderOf } from '../../kernel/client-address.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Absent: there are no proxies. */
    readonly isProxy?: (address: string) => boolean;
  }
}

export function installSender(app: FastifyInstance, trustedProxies: readonly string[]): void {
  app.decorate('isProxy', membersOf(trustedProxies));
}

/** The address of a request's client (`senderOf`), as limits count it. */
export function senderOfRequest({ raw, server }: Pick<FastifyRequest, 'raw' | 'server'>): string {
  return senderOf(raw, server.isProxy ?? (() => false));
}
