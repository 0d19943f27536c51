import type { FastifyInstance } from 'fastify';
import { membersOf } from '../../kernel/address-ranges.ts';
import { senderOf } from '../../kernel/client-address.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The address of its client (`senderOf`), as limits count it. */
    readonly sender: string;
  }
}

export function installSender(app: FastifyInstance, trustedProxies: readonly string[]): void {
  const isProxy = membersOf(trustedProxies);
  app.decorateRequest('sender', {
    getter() {
      return senderOf(this.raw, isProxy);
    },
  });
}
