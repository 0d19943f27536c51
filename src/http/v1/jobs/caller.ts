import type { FastifyRequest } from 'fastify';
import { isId } from '../../../account/ids.ts';
import type { Principal } from '../../../account/principal.ts';
import type { Jobs, Owner } from '../../../jobs/jobs.ts';
import { Failure } from '../../../kernel/failures.ts';
import { manyLookups } from '../../access.ts';
import type { Services } from '../../services.ts';
import { refuseWhileUnavailable } from '../../wire/unreachable.ts';

/** Rows are billed when answered, not here. */
export const JOBS_RULE = manyLookups('jobs', () => 0);

/** Throws while the store is unavailable. */
export function jobsOf(services: Pick<Services, 'jobs' | 'isStoreUnavailable'>): Jobs {
  refuseWhileUnavailable(services);
  if (services.jobs !== null) return services.jobs;
  throw new Failure('upstream_unavailable', {
    error: 'Jobs are not set up in this environment.',
    errorDa: 'Job er ikke sat op i dette miljø.',
  });
}

export function principalOf({ visit }: FastifyRequest): Principal {
  if (visit !== null) return visit.principal;
  throw new Failure('upstream_unavailable', {
    error: 'Jobs belong to accounts, and this environment has none.',
    errorDa: 'Job hører til konti, og dette miljø har ingen.',
  });
}

export function ownerOf(request: FastifyRequest): Owner {
  const { accountId, environment } = principalOf(request);
  return { accountId, environment };
}

/** A malformed id is 404 like an unknown one. */
export function jobNamed(id: string): string {
  if (isId('job', id)) return id;
  throw new Failure('not_found', {
    error: 'The account has no such job.',
    errorDa: 'Kontoen har intet sådant job.',
  });
}
