/** Which routes a person's roles allow (D216). */
import type { FastifyRequest } from 'fastify';
import type { Role } from '../../../account/roles.ts';
import type { Services } from '../../services.ts';
import { accountsOf, keptSessions } from '../session/gate.ts';
import { requireSession } from './caller.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Absent: `administers`. */
    role?: Role;
  }
}

export type SessionGate = ReturnType<typeof sessionGate>;

export function sessionGate(services: Pick<Services, 'accounts'>, publicUrl: string | null) {
  const { onRequest, sessionOf } = keptSessions(
    async (request) => (await requireSession(request, accountsOf(services), publicUrl)).session,
  );
  return {
    ...{ onRequest, sessionOf },
    reads: { onRequest, config: { role: 'reads' as const } },
    uses: { onRequest, config: { role: 'uses' as const } },
    accountId: (request: FastifyRequest) => sessionOf(request).account.id,
  };
}
