/** Which routes a person's roles allow (D216). */
import type { FastifyRequest } from 'fastify';
import type { Role } from '../../../account/roles.ts';
import type { SessionRecord } from '../../../account/session-store.ts';
import type { Services } from '../../services.ts';
import { accountsOf } from '../session/gate.ts';
import { requireSession } from './caller.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Absent: `administers`. */
    role?: Role;
  }
}

export type SessionGate = ReturnType<typeof sessionGate>;

export function sessionGate(services: Pick<Services, 'accounts'>, publicUrl: string | null) {
  const sessions = new WeakMap<FastifyRequest, SessionRecord>();
  const sessionOf = (request: FastifyRequest): SessionRecord => {
    const found = sessions.get(request);
    if (found === undefined) throw new Error('A route of sessions was reached without one.');
    return found;
  };
  /** Runs before anything is read: those refused learn nothing. */
  const onRequest = async (request: FastifyRequest): Promise<void> => {
    const { session } = await requireSession(request, accountsOf(services), publicUrl);
    sessions.set(request, session);
  };
  return {
    ...{ onRequest, sessionOf },
    reads: { onRequest, config: { role: 'reads' as const } },
    uses: { onRequest, config: { role: 'uses' as const } },
    accountId: (request: FastifyRequest) => sessionOf(request).account.id,
  };
}
