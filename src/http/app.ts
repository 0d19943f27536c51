/** Plugins come in the order of a request, and before the routes. */
import type { IncomingMessage } from 'node:http';
import Fastify, { LogController } from 'fastify';
import type { FastifyInstance } from 'fastify';
import type { Limiters } from '../kernel/limiters.ts';
import { LIMITS } from '../kernel/limits.ts';
import { Door } from './dawa/door.ts';
import { healthRoutes } from './health.ts';
import { metricsRoutes } from './metrics.ts';
import { installRequestTally } from './request-tally.ts';
import { isOperated } from './options.ts';
import type { EdgeOptions } from './options.ts';
import { coveredLandRoute, pageRoutes } from './pages/pages.ts';
import type { PageSettings } from './pages/pages.ts';
import { loadShell } from './pages/shell.ts';
import { gatesOf, installAccess } from './plugins/access.ts';
import { installEveryRequest, requestIdOf } from './plugins/every-request.ts';
import { installBody } from './plugins/body.ts';
import { installCors } from './plugins/cors.ts';
import { errorSender, installErrors } from './plugins/errors.ts';
import type { SendError } from './plugins/errors.ts';
import { edgeLogger, installRequestLog, isLogged, logAnswered } from './plugins/logging.ts';
import { shownKeysOf } from './plugins/shown-keys.ts';
import { installOpenApi } from './plugins/openapi.ts';
import { membersOf } from '../kernel/client-address.ts';
import { installTarpit } from './plugins/tarpit.ts';
import { installRouteTable } from './plugins/route-table.ts';
import {
  clientErrorHandler,
  installSocketErrors,
  tooManyConnections,
} from './plugins/socket-errors.ts';
import { AJV_OPTIONS, installValidation, sharedCompiler } from './plugins/validation.ts';
import { createEdgeServer } from './server/edge-server.ts';
import type { Services } from './services.ts';
import { FastPath } from './fast-path/fast-path.ts';
import { changeRoutes } from './v1/aendringer/routes.ts';
import { trialRoutes } from './v1/demo/trial-routes.ts';
import { operatorGate } from './v1/drift/gate.ts';
import { driftRoutes } from './v1/drift/routes.ts';
import { DRIFT_SCHEMAS } from './v1/drift/schema.ts';
import { failureClassRoutes } from './v1/errors/routes.ts';
import { FailureClassSchema } from './v1/errors/schema.ts';
import { jobEventRoutes } from './v1/jobs/events.ts';
import { jobFileRoutes } from './v1/jobs/files.ts';
import { jobRoutes } from './v1/jobs/routes.ts';
import { JOB_SCHEMAS } from './v1/jobs/schema.ts';
import { kortRoutes } from './v1/kort/routes.ts';
import { KORT_SCHEMAS } from './v1/kort/schema.ts';
import { actRoutes } from './v1/me/act-routes.ts';
import { meRoutes } from './v1/me/routes.ts';
import { ME_SCHEMAS } from './v1/me/schema.ts';
import { alarmRoutes } from './v1/me/alarm-routes.ts';
import { personRoutes } from './v1/me/person-routes.ts';
import { usageRoutes } from './v1/me/usage-routes.ts';
import { danish, examples } from './v1/published.ts';
import { sessionRoutes } from './v1/session/routes.ts';
import { statusRoutes } from './v1/status/routes.ts';
import { publicStatusRoutes } from './v1/status/public-status.ts';
import { questionRoutes } from './v1/questions.ts';
import type { QuestionEdge } from './v1/questions.ts';
import { Typing } from './typing.ts';
import { watchRoutes } from './v1/me/watch-routes.ts';
import { WatchListSchema } from './v1/me/watch-schema.ts';
import { publishedWebhooks } from './v1/webhooks/payloads.ts';
import { webhookRoutes } from './v1/webhooks/routes.ts';
import { WEBHOOK_SCHEMAS } from './v1/webhooks/schema.ts';
import { SHARED_SCHEMAS } from '../core/question/schemas.ts';

const NAMED_SCHEMAS = [
  ...SHARED_SCHEMAS,
  ...KORT_SCHEMAS,
  ...JOB_SCHEMAS,
  ...DRIFT_SCHEMAS,
  ...ME_SCHEMAS,
  ...WEBHOOK_SCHEMAS,
  WatchListSchema,
  FailureClassSchema,
];

export async function buildApp(services: Services, options: EdgeOptions): Promise<FastifyInstance> {
  const shell = await loadShell(options.inventedData ?? null);
  const gates = gatesOf(services.access, options.publicUrl, services.limiters);
  const { requests } = services.counts;
  const fastPath = new FastPath({
    isOn: (options.fastPath ?? true) && !options.tracing,
    gates,
    requests,
    log: isLogged(options)
      ? (line) => logAnswered(app.log.child({ request_id: line.requestId }), line)
      : null,
    requestIdFor: (own) => requestIdOf(options)({ headers: { 'x-request-id': own } }),
  });
  const keys = shownKeysOf(services.access);
  const typing = new Typing();
  const { dawa } = services;
  const door = dawa && new Door(dawa, { ...services, publicUrl: options.publicUrl, typing });
  const sendError = errorSender(options, { keys, shell, door });
  const app = createFramework(options, { fastPath, sendError, door, limiters: services.limiters });
  app.decorate('isProxy', membersOf(options.trustedProxies ?? []));
  const table = installRouteTable(app);
  door?.guard(app);
  await installTracingIfAsked(app, options);
  installEveryRequest(app, table);
  installCors(app, table);
  installErrors(app, table, { send: sendError, keys });
  installBody(app);
  installValidation(app);
  installRequestLog(app, options);
  installRequestTally(app, requests);
  installSocketErrors(app.server, options);
  await installOpenApi(app, published(services), options);

  installAccess(app, gates);
  if (gates !== null) installTarpit(app, undefined, services.limiters);
  lookupRoutes(app, services, { options, fastPath, typing });
  door?.install(app);
  trialRoutes(app, services, options);
  statusRoutes(app, services);
  publicStatusRoutes(app, services, { ...options, shell });
  failureClassRoutes(app, shell);
  healthRoutes(app, services);
  sessionRoutes(app, services, options);
  meRoutes(app, services, options);
  usageRoutes(app, services, options);
  actRoutes(app, services, options);
  personRoutes(app, services, options);
  alarmRoutes(app, services, options);
  webhookRoutes(app, services, options);
  watchRoutes(app, services, options);
  operatorRoutes(app, services, options);
  await pageRoutes(app, shell, pageSettings(services, options));
  coveredLandRoute(app, services.coveredLand);
  await app.ready();
  return app;
}

function published({ registers }: Pick<Services, 'registers'>) {
  const documents = registers.map(({ document }) => document);
  return {
    tags: documents.flatMap(({ tags }) => tags),
    schemas: [...NAMED_SCHEMAS, ...documents.flatMap(({ schemas }) => schemas)],
    examples: examples(documents),
    danish: danish(registers),
    webhooks: publishedWebhooks(),
  };
}

async function installTracingIfAsked(
  app: FastifyInstance,
  { tracing = null }: EdgeOptions,
): Promise<void> {
  if (tracing === null) return;
  const { installTracing } = await import('./plugins/tracing.ts');
  installTracing(app, tracing);
}

function lookupRoutes(
  app: FastifyInstance,
  services: Services,
  { options, ...edge }: QuestionEdge & { readonly options: EdgeOptions },
): void {
  for (const { questions, lookups: ground } of services.registers) {
    questionRoutes(app, { questions, ground }, edge);
  }
  app.addHook('preClose', (done) => {
    edge.fastPath.close();
    done();
  });
  jobRoutes(app, services);
  jobFileRoutes(app, services);
  jobEventRoutes(app, services);
  kortRoutes(app, services, options);
  changeRoutes(app, services);
}

const onOff = (isOn: boolean) => (isOn ? 'on' : 'off');

function pageSettings(
  { access, trial, dawa, accounts }: Services,
  {
    examplePlace,
    backgroundMap = null,
    unitPriceDkk = null,
    hasDesign = false,
    publicUrl,
    ...tokens
  }: EdgeOptions,
): PageSettings {
  return {
    drift: onOff(isOperated(tokens)),
    proeve: access === null ? 'open' : onOff(trial !== null),
    sted: examplePlace === undefined ? '' : `${examplePlace.lon} ${examplePlace.lat}`,
    pris: unitPriceDkk === null ? '' : String(unitPriceDkk),
    baggrund: backgroundMap,
    hasDoor: dawa !== null,
    mail: onOff(Boolean(accounts?.letters)),
    anmod: onOff(Boolean(accounts?.accountRequests)),
    hasDesign,
    publicUrl,
  };
}

function operatorRoutes(
  app: FastifyInstance,
  services: Services,
  {
    publicUrl,
    operatorToken = null,
    operatorTokens: tokens = [],
    metricsToken = null,
  }: EdgeOptions,
): void {
  const sessions = { services, publicUrl, tokens };
  driftRoutes(app, services, operatorGate([operatorToken], sessions));
  metricsRoutes(app, services, operatorGate([operatorToken, metricsToken], sessions));
}

interface FrameworkParts {
  readonly fastPath: FastPath;
  readonly sendError: SendError;
  readonly door: Door | null;
  readonly limiters: Limiters;
}

function createFramework(
  options: EdgeOptions,
  { fastPath, sendError, door, limiters }: FrameworkParts,
): FastifyInstance {
  return Fastify({
    serverFactory: (fullPipeline) =>
      createEdgeServer(
        {
          fastPath,
          trustedProxies: options.trustedProxies ?? [],
          tooManyConnections: (socket, which) => tooManyConnections(options, socket, which),
          limits: options.connections,
          balance: options.balance ?? null,
          limiters,
        },
        fullPipeline,
      ),
    ...(door !== null && { rewriteUrl: (request: IncomingMessage) => door.rewrite(request) }),
    forceCloseConnections: 'idle',
    loggerInstance: edgeLogger(options),
    requestIdHeader: false,
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'request_id',
    }),
    genReqId: requestIdOf(options),
    bodyLimit: LIMITS.bodyBytes.none,
    routerOptions: { maxParamLength: LIMITS.pathParameterChars },
    // The framework's own answer lacks the six fields.
    return503OnClosing: false,
    ajv: { customOptions: AJV_OPTIONS },
    schemaController: { compilersFactory: { buildValidator: sharedCompiler() } },
    frameworkErrors: (error, request, reply) => {
      void sendError(error, request, reply);
    },
    clientErrorHandler: clientErrorHandler(options),
  });
}
