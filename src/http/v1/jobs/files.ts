/** Stored files (D73) have ranges; those made while sent have none. */
import { Readable } from 'node:stream';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type {
  FileFormat,
  FileKind,
  JobFile,
  JobFiles,
  StoredFormat,
} from '../../../jobs/files/file.ts';
import type { Dialect, MadeFileQuestion } from '../../../jobs/files/made-file.ts';
import type { Job } from '../../../core/rows/job-types.ts';
import { Failure } from '../../../kernel/failures.ts';
import { JOB_LIMITS } from '../../../jobs/limits.ts';
import type { Services } from '../../services.ts';
import { unreachable } from '../../wire/unreachable.ts';
import { JOBS_RULE, jobNamed, jobsNotSetUp, jobsOf, ownerOf } from './caller.ts';
import { WORKBOOK_TYPE, fileRoute } from './file-schema.ts';
import { openStreams } from '../../wire/open-streams.ts';
import type { OpenStreams } from '../../wire/open-streams.ts';
import { matchesNone, nothing, sendFile } from '../../wire/range.ts';

const TYPES: Readonly<Record<FileFormat, string>> = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson; charset=utf-8',
  geojson: 'application/geo+json; charset=utf-8',
  xlsx: WORKBOOK_TYPE,
};

export function jobFileRoutes(app: FastifyInstance, services: Services): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const words = { en: 'files', da: 'filer' };
  const { limiters } = services;
  const open = openStreams(limiters, 'job files', JOB_LIMITS.filesAtATime, words);
  const making = openStreams(limiters, 'made job files', JOB_LIMITS.madeFilesAtATime, words);
  for (const which of ['results', 'errors'] as const) {
    const route = { schema: fileRoute(which), config: JOBS_RULE };
    routes.get(`/v1/jobs/:id/${which}`, route, async (request, reply) => {
      const asked = { which, ...questionOf(which, request.query as FileQuery) };
      const owner = ownerOf(request);
      const id = jobNamed(request.params.id);
      const job = await jobsOf(services).find(owner, id).catch(unreachable);
      refuseDeleted(job);
      const exchange = { request, reply, job, accountId: owner.accountId };
      const files = filesOf(services);
      if (asked.made === null) return await serveStored(exchange, { files, asked, open });
      return await serveMade(exchange, { files, asked, open: making });
    });
  }
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly job: Job;
  readonly accountId: string;
}

interface Serving<A> {
  readonly files: JobFiles;
  readonly asked: A;
  readonly open: OpenStreams;
}

async function serveStored(
  { request, reply, job, accountId }: Exchange,
  { files, asked, open }: Serving<StoredFile>,
): Promise<FastifyReply> {
  const file = await fileOf(files, job, asked);
  tell(reply, { job, name: asked.which, format: asked.format });
  const read = (from: number, until: number) =>
    Readable.from(file.read(from, until), { objectMode: false });
  const { etag, bytes } = file;
  return sendFile({ request, reply }, { etag, bytes, read }, () => open.enter(accountId, reply));
}

async function serveMade(
  { request, reply, job, accountId }: Exchange,
  { files, asked, open }: Serving<FileToMake>,
): Promise<FastifyReply> {
  const file = await files.make(job, asked.made).catch(unreachable);
  // The length is unknown until the end: no ranges.
  void reply.headers({ 'accept-ranges': 'none', etag: file.etag });
  tell(reply, { job, name: asked.made.which, format: asked.format });
  if (matchesNone(request.headers['if-none-match'], file.etag)) return reply.code(304).send();
  if (request.method === 'HEAD') return reply.send(nothing());
  open.enter(accountId, reply);
  return reply.send(file.stream());
}

interface StoredFile {
  readonly which: FileKind;
  readonly format: StoredFormat;
  readonly made: null;
}

interface FileToMake {
  readonly which: FileKind;
  readonly format: FileFormat;
  readonly made: MadeFileQuestion;
}

interface FileQuery {
  readonly format?: FileFormat;
  readonly dialekt?: Dialect;
  readonly raekker?: 'alle';
}

/** Throws invalid_request for parameters that exclude each other. */
function questionOf(
  which: FileKind,
  { format = 'csv', dialekt, raekker }: FileQuery,
): Omit<StoredFile, 'which'> | Omit<FileToMake, 'which'> {
  if (dialekt === 'da' && format !== 'csv') throw onlyOf('dialekt=da', format, ['csv']);
  if (format !== 'csv' && format !== 'xlsx') {
    if (dialekt !== undefined) throw onlyOf('dialekt', format, ['csv', 'xlsx']);
    if (raekker !== undefined) throw onlyOf('raekker', format, ['csv', 'xlsx']);
    return { format, made: null };
  }
  if (format === 'csv' && dialekt === undefined && raekker === undefined) {
    return { format, made: null };
  }
  const rows = raekker === undefined ? which : 'all';
  return { format, made: { which: rows, format, dialect: dialekt ?? null } };
}

function onlyOf(field: string, format: FileFormat, formats: readonly FileFormat[]): Failure {
  return new Failure('invalid_request', {
    error: `${field} is only for the format ${formats.join(' or ')}, not for ${format}.`,
    errorDa: `${field} er kun til formatet ${formats.join(' eller ')}, ikke til ${format}.`,
  });
}

function filesOf({ jobFiles }: Pick<Services, 'jobFiles'>): JobFiles {
  if (jobFiles !== null) return jobFiles;
  throw jobsNotSetUp();
}

function refuseDeleted({ rowsDeletedAt }: Job): void {
  if (rowsDeletedAt === null) return;
  throw new Failure('not_found', {
    error: 'The rows of this job are deleted: they are kept 30 days after its end.',
    errorDa: 'Jobbets rækker er slettet: de gemmes 30 dage efter, at det er slut.',
  });
}

async function fileOf(files: JobFiles, job: Job, asked: StoredFile): Promise<JobFile> {
  const { which, format } = asked;
  const file = await files.open(job, which, format).catch(unreachable);
  if (file !== null) return file;
  throw new Failure('invalid_request', {
    error: `There is no ${format} of the ${which} of a ${job.kind} job: they have no place.`,
    errorDa: `Der findes ingen ${format} af dette: rækkerne har intet sted.`,
  });
}

interface SentFile {
  readonly job: Job;
  readonly name: string;
  readonly format: FileFormat;
}

function tell(reply: FastifyReply, { job, name, format }: SentFile): void {
  void reply.headers({
    'cache-control': 'private, no-cache',
    'content-disposition': `attachment; filename="${job.id}-${name}.${format}"`,
    ...(job.generation !== null && { 'x-service-generation': String(job.generation) }),
  });
  void reply.type(TYPES[format]);
}
