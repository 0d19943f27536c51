import { Failure } from '../kernel/failures.ts';
import type { CodeOf } from '../kernel/failures.ts';
import { LIMITS } from '../kernel/limits.ts';
import { JOB_LIMITS } from './limits.ts';
import type { Holdings } from './job-store.ts';

const GIB = 1024 ** 3;

/** Throws `conflict` with the limit and the remedy. */
export function refuseFullAccount(
  { open, backlogRows, bytes }: Holdings,
  wanted: { readonly jobs: number; readonly rows: number },
): void {
  const { openPerAccount, backlogRows: mostRows, bytesPerAccount } = JOB_LIMITS;
  if (open + wanted.jobs > openPerAccount) {
    throw full('job_open_limit', {
      error: `An account has at most ${openPerAccount} jobs that have not ended: let some end, or cancel or delete them.`,
      errorDa: `En konto har højst ${openPerAccount} job, der ikke er slut: lad nogle blive færdige, eller annuller eller slet dem.`,
    });
  }
  if (backlogRows + wanted.rows > mostRows) {
    throw full('job_backlog_full', {
      error: `The jobs of an account have at most ${mostRows} rows that wait: let some be answered first.`,
      errorDa: `En kontos job har højst ${mostRows} rækker, der venter: lad nogle blive besvaret først.`,
    });
  }
  if (bytes <= bytesPerAccount) return;
  throw full('job_storage_full', {
    error: `The jobs of an account take at most ${bytesPerAccount / GIB} GiB: delete some that have ended.`,
    errorDa: `En kontos job må højst fylde ${bytesPerAccount / GIB} GiB: slet nogle, der er slut.`,
  });
}

/** Throws `overloaded` at the service's limit. */
export function refuseFullService(bytes: number): void {
  if (bytes > JOB_LIMITS.bytesInAll) throw noRoom();
}

/** For `catch`: reports a full database like the limit. */
export function diskFull(cause: unknown): never {
  throw isDiskFull(cause) ? noRoom(cause) : cause;
}

export function isDiskFull(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === '53100';
}

function noRoom(cause?: unknown): Failure {
  return new Failure('overloaded', {
    code: 'job_disk_full',
    error: 'The service has no room for more rows of jobs at the moment.',
    errorDa: 'Tjenesten har ikke plads til flere rækker til job lige nu.',
    retryAfterS: LIMITS.retryAfterS.unavailable,
    cause,
  });
}

function full(
  code: CodeOf<'conflict'>,
  texts: { readonly error: string; readonly errorDa: string },
): Failure {
  return new Failure('conflict', { code, ...texts });
}
