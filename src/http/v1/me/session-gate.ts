/** Which routes a person's roles allow (D216). */
import type { FastifyRequest } from 'fastify';
import type { Role } from '../../../account/roles.ts';
import type { SessionRecord } from '../../../account/sessions.ts';
import type { Services } from '../../services.ts';
import { accountsOf } from '../session/gate.ts';
import { requireSession } from './caller.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Absent: `administers`. */
    role?: Role;
  }
}

export interface SessionGate {
  /** Runs before anything is read: those refused learn nothing. */
  readonly onRequest: (request: FastifyRequest) => Promise<void>;
  readonly sessionOf: (request: FastifyRequest) => SessionRecord;
  readonly accountId: (request: FastifyRequest) => string;
}

export function sessionGate(
  services: Pick<Services, 'accounts'>,
  publicUrl: string | null,
): SessionGate {
  const sessions = new WeakMap<FastifyRequest, SessionRecord>();
  const sessionOf = (request: FastifyRequest): SessionRecord => {
    const found = sessions.get(request);
    if (found === undefined) throw new Error('A route of sessions was reached without one.');
    return found;
  };
  return {
    onRequest: async (request) => {
      const { session } = await requireSession(request, accountsOf(services), publicUrl);
      sessions.set(request, session);
    },
    sessionOf,
    accountId: (request) => sessionOf(request).account.id,
  };
}
