/** Liveness and readiness (D16). */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { Failure } from '../kernel/failures.ts';
import { LIMITS } from '../kernel/limits.ts';
import type { Readiness } from '../ops/readiness.ts';
import type { Services } from './services.ts';
import { closed, errors, oneOf, query } from '../core/question/schemas.ts';

const OkSchema = closed({ status: oneOf(['ok']) });
const tags = ['drift'];

const healthRoute = {
  operationId: 'healthz',
  summary: 'Whether the process answers',
  tags,
  querystring: query({}),
  response: { 200: OkSchema, ...errors(400) },
};

const startedRoute = {
  operationId: 'startupz',
  summary:
    'Whether the process has started: schema up to date, memory and address index open or off',
  tags,
  querystring: query({}),
  response: { 200: OkSchema, ...errors(400, 503) },
};

const ThreadsSchema = closed({ listening: Type.Integer(), of: Type.Integer() });

const MemorySchema = closed({
  held: Type.Integer(),
  of: Type.Integer(),
  missing: Type.Array(Type.String()),
});

const readyRoute = {
  operationId: 'readyz',
  summary: 'Whether something is mirrored and can be answered, also without the database',
  description:
    '503 says why in `code`: `starting`, `nothing_mirrored`, `store_unreachable`, `keys_unknown` or `migration_failed`. ' +
    'A process of several request threads is starting until all have listened once; `threads` says how many do.',
  tags,
  querystring: query({}),
  response: {
    200: closed({
      status: oneOf(['ok']),
      threads: Type.Optional(ThreadsSchema),
      memory: Type.Optional(MemorySchema),
    }),
    ...errors(400, 503),
  },
};

const UNREADY = {
  starting: {
    code: 'starting',
    error: 'The service is starting.',
    errorDa: 'Tjenesten er ved at starte.',
  },
  nothing_mirrored: {
    code: 'nothing_mirrored',
    error: 'Nothing is mirrored yet: no layer can be answered.',
    errorDa: 'Intet er spejlet endnu: intet lag kan besvares.',
  },
  store_unreachable: {
    code: 'store_unreachable',
    error: 'The store cannot be reached, and nothing is in memory.',
    errorDa: 'Lageret kan ikke nås, og intet er i hukommelsen.',
  },
  keys_unknown: {
    code: 'keys_unknown',
    error: 'The store cannot be reached, and no key was known before: no request can be answered.',
    errorDa: 'Lageret kan ikke nås, og ingen nøgle var kendt før: ingen kan få svar.',
  },
  rights_missing: {
    code: 'migration_failed',
    error:
      'The role of the service may not make its schema in the database. A superuser mends it there ' +
      'with: create extension if not exists postgis; and the role must own the database. The ' +
      'service tries again by itself.',
    errorDa:
      'Tjenestens rolle må ikke lave sit skema i databasen. En superbruger retter det dér med: ' +
      'create extension if not exists postgis; og rollen skal eje databasen. Tjenesten prøver igen ' +
      'af sig selv.',
  },
  postgis_missing: {
    code: 'migration_failed',
    error:
      'The server of the database has no PostGIS: install it there. The service tries again by itself.',
    errorDa:
      'Databasens server har ikke PostGIS: installér det dér. Tjenesten prøver igen af sig selv.',
  },
  schema_newer: {
    code: 'migration_failed',
    error: 'The database is newer than this program: start a newer program.',
    errorDa: 'Databasen er nyere end dette program: start et nyere program.',
  },
  schema_failed: {
    code: 'migration_failed',
    error:
      'The schema of the database could not be brought up to date; the log says why. The service ' +
      'tries again by itself.',
    errorDa:
      'Databasens skema kunne ikke opdateres; loggen siger hvorfor. Tjenesten prøver igen af sig selv.',
  },
} as const satisfies Record<Exclude<Readiness, 'ready'>, object>;

export function healthRoutes(app: FastifyInstance, services: Services): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const answerOk = (reply: FastifyReply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok' });

  routes.get('/healthz', { schema: healthRoute }, (_request, reply) => {
    void answerOk(reply);
  });

  routes.get('/startupz', { schema: startedRoute }, (_request, reply) => {
    if (!services.hasStarted()) throw unready('starting');
    void answerOk(reply);
  });

  const threads = threadsOf(services);
  app.addHook('onListen', (done) => {
    threads.listens();
    done();
  });
  let haveAllListened = false;
  routes.get('/readyz', { schema: readyRoute }, async (_request, reply) => {
    const readiness = await services.readiness();
    if (readiness !== 'ready') throw unready(readiness);
    const { listening, of } = threads.counted();
    haveAllListened ||= listening >= of;
    if (!haveAllListened) throw unready('starting');
    return reply.header('cache-control', 'no-store').send({
      status: 'ok',
      ...(of > 1 && { threads: { listening, of } }),
      ...memoryOf(services),
    });
  });
}

function memoryOf({ held }: Services) {
  const { held: layers = [], missing = [] } = held?.() ?? {};
  const of = layers.length + missing.length;
  return of === 0 ? {} : { memory: { held: layers.length, of, missing: [...missing] } };
}

function threadsOf({ limiters }: Pick<Services, 'limiters'>) {
  if (limiters.threads === 1) {
    return { listens: () => undefined, counted: () => ({ listening: 1, of: 1 }) };
  }
  const of = limiters.threads;
  const counter = limiters.counter('listening threads', { each: of, total: of });
  return {
    listens: () => void counter.add(''),
    counted: () => ({ listening: counter.countOf(''), of }),
  };
}

function unready(why: keyof typeof UNREADY): Failure {
  const { closing, unavailable } = LIMITS.retryAfterS;
  const retryAfterS = why === 'starting' ? closing : unavailable;
  return new Failure('overloaded', { ...UNREADY[why], retryAfterS });
}
