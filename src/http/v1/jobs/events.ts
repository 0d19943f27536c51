import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Jobs } from '../../../jobs/jobs.ts';
import type { Owner } from '../../../jobs/job-store.ts';
import { RateMeter } from '../../../jobs/progress.ts';
import { hasEnded } from '../../../jobs/state.ts';
import type { Job } from '../../../core/rows/job-types.ts';
import { JOB_LIMITS } from '../../../jobs/limits.ts';
import type { Services } from '../../services.ts';
import { unreachable } from '../../wire/unreachable.ts';
import { JOBS_RULE, jobNamed, jobsOf, ownerOf } from './caller.ts';
import { eventsRoute } from './file-schema.ts';
import { openStreams } from '../../wire/open-streams.ts';
import { renderJob } from './render.ts';

export function jobEventRoutes(app: FastifyInstance, services: Services): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const words = { en: 'streams of events', da: 'strømme' };
  const open = openStreams(services.limiters, 'event streams', JOB_LIMITS.streams, words);
  const route = { schema: eventsRoute, config: JOBS_RULE };
  routes.get('/v1/jobs/:id/events', route, async (request, reply) => {
    const owner = ownerOf(request);
    const jobs = jobsOf(services);
    const job = await jobs.find(owner, jobNamed(request.params.id)).catch(unreachable);
    const gone = new AbortController();
    open.enter(owner.accountId, reply, () => gone.abort());
    void reply.type('text/event-stream; charset=utf-8').headers({
      'cache-control': 'no-store',
      // Proxies would buffer events.
      'x-accel-buffering': 'no',
    });
    reply.raw.once('close', () => gone.abort());
    const events = eventsOf(job, { jobs, owner, signal: gone.signal });
    return (reply as FastifyReply).send(Readable.from(events, { objectMode: false }));
  });
}

interface Watching {
  readonly jobs: Jobs;
  readonly owner: Owner;
  readonly signal: AbortSignal;
}

const RETRY = `retry: ${JOB_LIMITS.streamPollMs}\n\n`;
/** Unchanged reads before a keep-alive: a broken connection only shows when used. */
const QUIET_LOOKS = 15;

async function* eventsOf(
  first: Job,
  { jobs, owner, signal }: Watching,
): AsyncGenerator<string, void, undefined> {
  const rate = new RateMeter();
  const untilMs = performance.now() + JOB_LIMITS.streamMs;
  let job = first;
  let last = '';
  let quiet = 0;
  yield RETRY;
  for (;;) {
    const text = dataOf(job, rate);
    if (hasEnded(job.status)) {
      yield `event: progress\ndata: ${text}\n\nevent: end\ndata: ${text}\n\n`;
      return;
    }
    if (text !== last) yield `event: progress\ndata: ${text}\n\n`;
    else if (++quiet % QUIET_LOOKS === 0) yield ': still here\n\n';
    last = text;
    if (performance.now() > untilMs) return;
    await sleep(JOB_LIMITS.streamPollMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    const next = await jobs.find(owner, job.id).catch(() => null);
    // The job is gone or the store unavailable: the client reconnects and gets the error.
    if (next === null) return;
    job = next;
  }
}

function dataOf(job: Job, rate: RateMeter): string {
  // Elapsed time alone would make every read an event.
  const { rowsPerSecond, estimatedCompletionMs } = rate.see(
    job,
    performance.timeOrigin + performance.now(),
  );
  return JSON.stringify({
    job: renderJob(job),
    rowsPerSecond: rowsPerSecond === null ? null : Math.round(rowsPerSecond),
    estimatedCompletionAt:
      estimatedCompletionMs === null ? null : new Date(estimatedCompletionMs).toISOString(),
  });
}
