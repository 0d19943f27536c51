import type { FastifyRequest } from 'fastify';
import { isId } from '../../../account/ids.ts';
import type { Principal } from '../../../account/principal.ts';
import { noSuchJob } from '../../../jobs/jobs.ts';
import type { Jobs } from '../../../jobs/jobs.ts';
import type { Owner } from '../../../jobs/job-store.ts';
import { notSetUp } from '../../../kernel/failures.ts';
import type { Services } from '../../services.ts';
import { refuseWhileUnavailable } from '../../wire/unreachable.ts';

/** Rows are billed when answered, not here. */
export const JOBS_RULE = { access: { area: 'jobs', batch: true, mostUnits: () => 0 } } as const;

/** Throws while the store is unavailable. */
export function jobsOf(services: Pick<Services, 'jobs' | 'isStoreUnavailable'>): Jobs {
  refuseWhileUnavailable(services);
  if (services.jobs !== null) return services.jobs;
  throw jobsNotSetUp();
}

export function jobsNotSetUp() {
  return notSetUp('Jobs are not set up in this environment.', 'Job er ikke sat op i dette miljø.');
}

export function principalOf({ visit }: FastifyRequest): Principal {
  if (visit !== null) return visit.principal;
  throw notSetUp(
    'Jobs belong to accounts, and this environment has none.',
    'Job hører til konti, og dette miljø har ingen.',
  );
}

export function ownerOf(request: FastifyRequest): Owner {
  const { accountId, environment } = principalOf(request);
  return { accountId, environment };
}

/** A malformed id is 404 like an unknown one. */
export function jobNamed(id: string): string {
  if (isId('job', id)) return id;
  throw noSuchJob();
}
