/** The steps of a job, as requests (D11, D70 to D76). */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Area } from '../../../account/permissions.ts';
import type { By, StoredResponse, IdempotencyKey } from '../../../jobs/jobs.ts';
import { ACTIONS } from '../../../jobs/state.ts';
import { DEFAULT_SRID } from '../../../core/rows/job-types.ts';
import type { Kind, RoleColumns, Srid } from '../../../core/rows/job-types.ts';
import { kindOfJob } from '../../../core/rows/kind.ts';
import type { JobKinds } from '../../../core/rows/kind.ts';
import { Failure } from '../../../kernel/failures.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { JOB_LIMITS } from '../../../jobs/limits.ts';
import { storableText } from '../../../kernel/text.ts';
import type { Services } from '../../services.ts';
import { NO_STORE } from '../../wire/no-store.ts';
import { preferredLanguage } from '../../wire/accept.ts';
import type { Language } from '../../wire/text.ts';
import { unreachable } from '../../wire/unreachable.ts';
import { installRowsBodies, rowsBodyOf, unsupported } from './body.ts';
import type { RowsBody } from './body.ts';
import { JOBS_RULE, jobNamed, jobsOf, ownerOf, principalOf } from './caller.ts';
import { renderAnswer, renderJob, renderJobAnswer } from './render.ts';
import {
  actionRoute,
  appendRowsRoute,
  createJobRoute,
  deleteJobRoute,
  jobRoute,
  listJobsRoute,
} from './schema.ts';

export function jobRoutes(app: FastifyInstance, services: Services): void {
  void app.register((scope, _options, done) => {
    installRowsBodies(scope, services.limiters);
    rowRoutes(scope, services);
    done();
  });
  lookRoutes(app, services);
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  for (const action of ACTIONS) {
    const { none: bodyLimit } = LIMITS.bodyBytes;
    const route = { schema: actionRoute(action), config: JOBS_RULE, bodyLimit };
    routes.post(`/v1/jobs/:id/${action}`, route, async (request, reply) => {
      const id = jobNamed(request.params.id);
      const { keyId, areas } = principalOf(request);
      const by = { keyId, mayRun: scopeOf(services.jobKinds, areas) };
      const job = await jobsOf(services)
        .act(ownerOf(request), id, { action, by })
        .catch(unreachable);
      request.log.info({ job: id, status: job.status }, `job: ${action}`);
      return reply.headers(NO_STORE).send(renderJobAnswer(job, languageOf(request)));
    });
  }
  const remove = { schema: deleteJobRoute, config: JOBS_RULE };
  routes.delete('/v1/jobs/:id', remove, async (request, reply) => {
    const id = jobNamed(request.params.id);
    await jobsOf(services).remove(ownerOf(request), id).catch(unreachable);
    request.log.info({ job: id }, 'job: deleted');
    return reply.code(204).headers(NO_STORE).send(null);
  });
}

interface Wanted {
  readonly kind: Kind;
  readonly columns?: RoleColumns;
  readonly srid?: Srid;
  readonly label?: string;
  readonly start?: boolean;
}

function rowRoutes(scope: FastifyInstance, services: Services): void {
  // Counted while reading: see body.ts.
  const { bodyBytes: bodyLimit } = JOB_LIMITS;
  const create = { schema: createJobRoute, config: JOBS_RULE, bodyLimit };
  scope.post('/v1/jobs', create, async (request, reply) => {
    const body = rowsBodyOf(request);
    if (typeof request.body !== 'object') throw unsupported();
    const { kind, columns = {}, srid = DEFAULT_SRID, label, start = true } = request.body as Wanted;
    const { keyId, areas } = principalOf(request);
    const given = await jobsOf(services)
      .create(
        ownerOf(request),
        {
          keyId,
          mayRun: scopeOf(services.jobKinds, areas),
          kind,
          columns,
          srid,
          label: label === undefined ? null : storableText(label),
          start,
          rows: body.rows,
        },
        { once: await onceOf(request, body), render: renderAnswer(201, languageOf(request)) },
      )
      .catch(unreachable);
    const { job } = JSON.parse(given.body) as { job: { id: string } };
    request.log.info({ job: job.id, kind, rows: body.rows.rows }, 'job: made');
    void reply.header('location', `/v1/jobs/${job.id}`);
    return send(reply, given);
  });

  const append = {
    schema: appendRowsRoute,
    config: JOBS_RULE,
    bodyLimit,
    // Checked before ten megabytes are read in vain.
    preParsing: async (request: FastifyRequest) => {
      if (request.headers['idempotency-key'] !== undefined) return;
      const { id } = request.params as { id: string };
      await jobsOf(services).checkTakesRows(ownerOf(request), jobNamed(id)).catch(unreachable);
    },
  };
  scope.post('/v1/jobs/:id/rows', append, async (request, reply) => {
    const id = jobNamed((request.params as { id: string }).id);
    const body = rowsBodyOf(request);
    if (body.rows.rows === 0) throw noRows();
    const asked = {
      rows: body.rows,
      once: await onceOf(request, body),
      render: renderAnswer(200, languageOf(request), body.rows.guessedHead),
    };
    const given = await jobsOf(services).append(ownerOf(request), id, asked).catch(unreachable);
    request.log.info({ job: id, rows: body.rows.rows }, 'job: rows added');
    return send(reply, given);
  });
}

function lookRoutes(app: FastifyInstance, services: Services): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const list = { schema: listJobsRoute, config: JOBS_RULE };
  routes.get('/v1/jobs', list, async (request, reply) => {
    const { limit = JOB_LIMITS.perPage.default, after, status } = request.query;
    const page = {
      // One more reveals whether there are more.
      limit: limit + 1,
      after: after === undefined ? null : jobNamed(after),
      status: status ?? null,
    };
    const found = await jobsOf(services).list(ownerOf(request), page).catch(unreachable);
    const shown = found.slice(0, limit);
    if (found.length > limit) {
      const next = new URLSearchParams({ limit: String(limit), after: shown.at(-1)?.id ?? '' });
      if (status !== undefined) next.set('status', status);
      void reply.header('link', `</v1/jobs?${next.toString()}>; rel="next"`);
    }
    return reply.headers(NO_STORE).send({ jobs: shown.map(renderJob) });
  });

  const one = { schema: jobRoute, config: JOBS_RULE };
  routes.get('/v1/jobs/:id', one, async (request, reply) => {
    const id = jobNamed(request.params.id);
    const job = await jobsOf(services).findWithUnits(ownerOf(request), id).catch(unreachable);
    return reply.headers(NO_STORE).send(renderJobAnswer(job, languageOf(request)));
  });
}

function languageOf({ headers }: FastifyRequest): Language {
  return preferredLanguage(headers['accept-language']);
}

function send(reply: FastifyReply, { status, body, isRepeated }: StoredResponse): FastifyReply {
  if (isRepeated) void reply.header('idempotency-replayed', 'true');
  return reply
    .code(status)
    .headers({ ...NO_STORE, 'content-type': 'application/json; charset=utf-8' })
    .send(body);
}

async function onceOf({ headers }: FastifyRequest, { hash }: RowsBody): Promise<IdempotencyKey> {
  const key = headers['idempotency-key'];
  return typeof key === 'string' ? { key: storableText(key), bodyHash: await hash() } : null;
}

function scopeOf(kinds: JobKinds, areas: ReadonlySet<Area>): By['mayRun'] {
  return (job) => {
    const { area } = kindOfJob(kinds, job);
    if (area === null || areas.has(area)) return;
    throw new Failure('forbidden', {
      code: 'key_scope_missing',
      error: `The key's permission covers jobs, but not ${area}, which this job of kind ${job.kind} asks.`,
      errorDa: `Nøglens rettighed dækker job, men ikke ${area}, som dette job af typen ${job.kind} spørger.`,
    });
  };
}

function noRows(): Failure {
  return new Failure('invalid_request', {
    error: 'The body has no rows; at least 1 is needed.',
    errorDa: 'Indholdet har ingen rækker; der skal mindst være 1.',
  });
}
