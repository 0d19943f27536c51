/** What a job found, as files (D73): streamed, in ranges, and known again by their ETag. */
import { Readable } from 'node:stream';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FileFormat, FileKind, JobFile, JobFiles } from '../../../jobs/files/file.ts';
import type { Job } from '../../../jobs/job-types.ts';
import { Failure } from '../../../kernel/failures.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import type { Services } from '../../services.ts';
import { unreachable } from '../../wire/unreachable.ts';
import { JOBS_RULE, jobNamed, jobsOf, ownerOf } from './caller.ts';
import { fileRoute } from './file-schema.ts';
import { OpenStreams } from './open-streams.ts';
import { isSameFile, matchesNone, rangeOf } from './range.ts';
import type { ByteRange } from './range.ts';

const TYPES: Readonly<Record<FileFormat, string>> = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson; charset=utf-8',
  geojson: 'application/geo+json; charset=utf-8',
};

export function jobFileRoutes(app: FastifyInstance, services: Services): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const open = new OpenStreams(LIMITS.jobs.filesAtATime, { en: 'files', da: 'filer' });
  for (const which of ['results', 'errors'] as const) {
    const route = { schema: fileRoute(which), config: JOBS_RULE };
    routes.get(`/v1/jobs/:id/${which}`, route, async (request, reply) => {
      const { format = 'csv' } = request.query;
      const owner = ownerOf(request);
      const id = jobNamed(request.params.id);
      const job = await jobsOf(services).find(owner, id).catch(unreachable);
      const file = await fileOf(services, job, { which, format });
      tellFile(reply, { job, file, which, format });
      const { headers } = request;
      if (matchesNone(headers['if-none-match'], file.etag)) return reply.code(304).send(null);
      const range = isSameFile(headers['if-range'] as string | undefined, file.etag)
        ? rangeOf(headers.range, file.bytes)
        : null;
      if (range === 'unsatisfiable') throw unsatisfiable(file);
      open.enter(owner.accountId, reply);
      return send(request, reply, { file, range });
    });
  }
}

interface AskedFile {
  readonly which: FileKind;
  readonly format: FileFormat;
}

function filesOf({ jobFiles }: Pick<Services, 'jobFiles'>): JobFiles {
  if (jobFiles !== undefined) return jobFiles;
  throw new Failure('upstream_unavailable', {
    error: 'Jobs are not set up in this environment.',
    errorDa: 'Job er ikke sat op i dette miljø.',
  });
}

async function fileOf(services: Services, job: Job, asked: AskedFile): Promise<JobFile> {
  if (job.rowsDeletedAt !== null) {
    throw new Failure('not_found', {
      error: 'The rows of this job are deleted: they are kept 30 days after its end.',
      errorDa: 'Jobbets rækker er slettet: de gemmes 30 dage efter, at det er slut.',
    });
  }
  const { which, format } = asked;
  const file = await filesOf(services).open(job, which, format).catch(unreachable);
  if (file !== null) return file;
  throw new Failure('invalid_request', {
    error: `There is no ${format} of the ${which} of a ${job.kind} job: they have no place.`,
    errorDa: `Der findes ingen ${format} af dette: rækkerne har intet sted.`,
  });
}

function tellFile(
  reply: FastifyReply,
  { job, file, which, format }: AskedFile & { readonly job: Job; readonly file: JobFile },
): void {
  void reply.headers({
    'accept-ranges': 'bytes',
    etag: file.etag,
    'cache-control': 'private, no-cache',
    'content-disposition': `attachment; filename="${job.id}-${which}.${format}"`,
    ...(job.generation !== null && { 'x-service-generation': String(job.generation) }),
  });
  void reply.type(TYPES[format]);
}

function send(
  { method }: FastifyRequest,
  reply: FastifyReply,
  { file, range }: { readonly file: JobFile; readonly range: ByteRange | null },
): FastifyReply {
  const { from, until } = range ?? { from: 0, until: file.bytes };
  void reply.header('content-length', until - from);
  if (range !== null) {
    void reply.code(206).header('content-range', `bytes ${from}-${until - 1}/${file.bytes}`);
  }
  // A stream, because the framework would give a text's length for the file's.
  if (method === 'HEAD') return reply.send(Readable.from([], { objectMode: false }));
  return reply.send(Readable.from(file.read(from, until), { objectMode: false }));
}

/** D66: what tells a client that goes on with a file that there is no more of it. */
function unsatisfiable({ bytes }: JobFile): Failure {
  return new Failure('invalid_request', {
    error: `The Range begins behind the end of the file, which has ${bytes} bytes.`,
    errorDa: `Range begynder efter filens slutning; den har ${bytes} byte.`,
    status: 416,
    headers: { 'content-range': `bytes */${bytes}` },
  });
}
