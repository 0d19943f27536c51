import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Failure } from '../kernel/failures.ts';
import { LIMITS } from '../kernel/limits.ts';
import type { Readiness } from '../ops/readiness.ts';
import type { Services } from './services.ts';
import { closed, errors, oneOf, query } from './wire/schemas.ts';

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

const readyRoute = {
  operationId: 'readyz',
  summary: 'Whether something is mirrored and can be answered, also without the database',
  description: '503 says why in `code`: `starting`, `nothing_mirrored` or `store_unreachable`.',
  tags,
  querystring: query({}),
  response: { 200: OkSchema, ...errors(400, 503) },
};

const UNREADY = {
  starting: {
    error: 'The service is starting.',
    errorDa: 'Tjenesten er ved at starte.',
  },
  nothing_mirrored: {
    error: 'Nothing is mirrored yet: no layer can be answered.',
    errorDa: 'Intet er spejlet endnu: intet lag kan besvares.',
  },
  store_unreachable: {
    error: 'The store cannot be reached, and nothing is in memory.',
    errorDa: 'Lageret kan ikke nås, og intet er i hukommelsen.',
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

  routes.get('/readyz', { schema: readyRoute }, async (_request, reply) => {
    const readiness = await services.readiness();
    if (readiness !== 'ready') throw unready(readiness);
    return answerOk(reply);
  });
}

function unready(code: keyof typeof UNREADY): Failure {
  const { closing, unavailable } = LIMITS.retryAfterS;
  const retryAfterS = code === 'starting' ? closing : unavailable;
  return new Failure('overloaded', { code, ...UNREADY[code], retryAfterS });
}
