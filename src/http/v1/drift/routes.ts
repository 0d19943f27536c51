/** Operators' routes (D15). */
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Failure, notSetUp, upstreamUnavailable } from '../../../kernel/failures.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { OPS_LIMITS } from '../../../ops/limits.ts';
import { isRegisterId } from '../../../layers/keys.ts';
import type { OperatorService } from '../../../ops/operator-service.ts';
import type { RevertAnswer } from '../../../ops/operations.ts';
import type { Services } from '../../services.ts';
import { NO_STORE } from '../../wire/no-store.ts';
import { nothing } from '../../wire/range.ts';
import { statusHeaders } from '../../wire/status-source.ts';
import { unreachable } from '../../wire/unreachable.ts';
import { changeRoutes } from './change-routes.ts';
import { operatorOf, noOperations } from './operator-of.ts';
import { trailRoutes } from './trail-routes.ts';
import { doerOf } from './gate.ts';
import type { Gate } from './gate.ts';
import type { Abilities } from './layer-answer.ts';
import { OVERVIEW, RUNS } from './overview-answer.ts';
import { overviewRoute, revertRoute, runsRoute, snapshotRoute, syncRoute } from './schema.ts';
import { allMirrored } from '../../../layers/catalogue.ts';
import type { Catalogue } from '../../../layers/catalogue.ts';
import type { MirrorId } from '../../../layers/keys.ts';
import type { Freshness } from '../../../layers/source.ts';
import type { DifferenceAnswer, VersionDifference } from '../../../ops/version-difference.ts';
import { DAYS, DIFFERENCE, HISTORY } from './history-schema.ts';
import { daysRoute, differenceRoute, historyRoute } from './history-schema.ts';
import { MIRROR_IDS } from '../../../layers/mirror-ids.ts';

function historyRoutes(app: FastifyInstance, services: Services, gate: Gate): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const guarded = <S>(schema: S) => ({ schema, onRequest: gate });

  routes.get('/v1/drift/lag/:lag/historik', guarded(historyRoute), async (request, reply) => {
    const layer = layerNamed(request.params.lag);
    const { dage: days = OPS_LIMITS.historyDays.default } = request.query;
    const history = await operatorOf(services).history(layer, days).catch(unreachable);
    const freshness = freshnessOf(services.catalogue, layer);
    return reply.headers(NO_STORE).send(HISTORY.render({ layer, freshness, history }));
  });

  routes.get('/v1/drift/lag/:lag/forskel', guarded(differenceRoute), async (request, reply) => {
    const layer = layerNamed(request.params.lag);
    if (isRegisterId(layer)) throw noFeatures();
    const { fra: from = null, til: to = null } = request.query;
    const answer = await operatorOf(services).difference(layer, { from, to }).catch(unreachable);
    return reply.headers(NO_STORE).send(DIFFERENCE.render({ layer, of: compared(answer) }));
  });

  routes.get('/v1/drift/dage', guarded(daysRoute), async (request, reply) => {
    const { dage: days = OPS_LIMITS.historyDays.default } = request.query;
    if (services.daysView === null) throw noOperations();
    const records = await services.daysView(days).catch(unreachable);
    return reply.headers(NO_STORE).send(DAYS.render(records));
  });
}

function freshnessOf(catalogue: Catalogue, layer: MirrorId): Freshness {
  const found = allMirrored(catalogue).find(({ id }) => id === layer);
  if (found !== undefined) return found.freshness;
  throw new Failure('not_found', {
    error: `The layer ${layer} is not mirrored here. See /v1/status.`,
    errorDa: `Laget ${layer} spejles ikke her. Se /v1/status.`,
  });
}

function compared(answer: DifferenceAnswer): VersionDifference {
  switch (answer.state) {
    case 'compared':
      return answer.difference;
    case 'unknown': {
      const known = answer.known.join(', ');
      throw new Failure('not_found', {
        error: `The content of version ${answer.version} is not kept. Kept: ${known || 'none'}.`,
        errorDa: `Indholdet af version ${answer.version} er ikke gemt. Gemt: ${known || 'ingen'}.`,
      });
    }
    case 'nothing':
      throw new Failure('conflict', {
        error: 'The layer has no earlier version to compare with.',
        errorDa: 'Laget har ingen tidligere version at sammenligne med.',
      });
  }
}

/** Waiting would not help. */
function noFeatures(): Failure {
  return new Failure('not_found', {
    error:
      'Registers are tables and no features: they have no shapes to compare and no FlatGeobuf.',
    errorDa:
      'Registre er tabeller og ikke geometri: de har ingen form at sammenligne og findes ikke som FlatGeobuf.',
  });
}

export function driftRoutes(app: FastifyInstance, services: Services, gate: Gate): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const guarded = <S>(schema: S) => ({ schema, onRequest: gate });
  const guardedForm = <S>(schema: S) => ({
    ...guarded(schema),
    bodyLimit: LIMITS.bodyBytes.form,
  });
  const can = (operator: OperatorService): Abilities => ({
    ...operator.can,
    snapshot: services.snapshotFile !== null,
    liftableGuards: operator.liftableGuards,
  });

  routes.get('/v1/drift/lag', guarded(overviewRoute), async (_request, reply) => {
    const operator = operatorOf(services);
    const { status, body } = await overviewOf(services, can(operator));
    return reply.headers({ ...NO_STORE, ...status }).send(body);
  });

  routes.get('/v1/drift/lag/:lag/koersler', guarded(runsRoute), async (request, reply) => {
    const layer = layerNamed(request.params.lag);
    const operator = operatorOf(services);
    const { antal: limit = OPS_LIMITS.runsPerPage.default, foer: before = null } = request.query;
    const page = await operator.runs(layer, { limit, before }).catch(unreachable);
    return reply.headers(NO_STORE).send(RUNS.render({ layer, page, can: can(operator) }));
  });

  routes.post('/v1/drift/lag/:lag/synk', guardedForm(syncRoute), async (request, reply) => {
    const layer = layerNamed(request.params.lag);
    const operator = operatorOf(services);
    const guards = [...new Set(request.body?.frigiv)];
    refuseUnliftable(operator, guards);
    const by = doerOf(request, request.body?.af);
    const answer = await operator.requestSync(layer, guards, by).catch(unreachable);
    request.log.warn({ layer, guards, who: by.who, answer }, 'operator asked for a sync');
    return reply
      .code(202)
      .headers(NO_STORE)
      .send({ lag: layer, svar: taken(answer, guards), frigivet: guards });
  });

  routes.post('/v1/drift/lag/:lag/fortryd', guardedForm(revertRoute), async (request, reply) => {
    const layer = layerNamed(request.params.lag);
    const by = doerOf(request, request.body?.af);
    const { version: of } = request.body ?? {};
    const answer = await operatorOf(services).revert(layer, by, of).catch(unreachable);
    request.log.warn({ layer, who: by.who, answer: answer.state }, 'operator asked for a revert');
    const { version, generation, rowCount } = reverted(answer);
    return reply.headers(NO_STORE).send({ lag: layer, version, generation, antal: rowCount });
  });

  changeRoutes(app, services, gate);
  trailRoutes(app, services, gate);
  historyRoutes(app, services, gate);
  snapshotFileRoute(app, services, gate);
}

function snapshotFileRoute(app: FastifyInstance, services: Services, onRequest: Gate): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const guarded = { schema: snapshotRoute, onRequest };
  routes.get('/v1/drift/lag/:lag/snapshot.fgb', guarded, async (request, reply) => {
    const layer = layerNamed(request.params.lag);
    if (isRegisterId(layer)) throw noFeatures();
    const file = (await services.snapshotFile?.(layer).catch(unreachable)) ?? null;
    if (file === null) throw noSnapshot();
    const { size, content } = await readableFile(file.path, request.method === 'HEAD');
    return reply
      .headers({
        ...NO_STORE,
        'content-type': 'application/octet-stream',
        'content-length': String(size),
        'content-disposition': `attachment; filename="${layer}-v${file.version}.fgb"`,
      })
      .send(content);
  });
}

async function overviewOf(services: Services, can: Abilities) {
  const [overview, { running: threads }, jobs = null, webhooks = null] = await Promise.all([
    operatorOf(services).overview(),
    services.threads.reports(),
    services.jobView?.(),
    services.webhookView?.(),
  ]).catch(unreachable);
  const body = OVERVIEW.render({ overview, can, threads, jobs, webhooks });
  return { status: statusHeaders(overview), body };
}

async function readableFile(
  path: string,
  isHead: boolean,
): Promise<{ readonly size: number; readonly content: Readable }> {
  // Kept open: the next version may replace the file.
  const handle = await open(path).catch(() => {
    throw noSnapshot();
  });
  const { size } = await handle.stat();
  if (!isHead) return { size, content: handle.createReadStream() };
  await handle.close();
  return { size, content: nothing() };
}

function refuseUnliftable(
  { liftableGuards, can }: OperatorService,
  guards: readonly string[],
): void {
  const fixed = guards.filter((guard) => !liftableGuards.includes(guard));
  if (fixed.length === 0 || !can.sync) return;
  const named = fixed.map((guard) => JSON.stringify(guard.slice(0, 40))).join(', ');
  const allowed = liftableGuards.join(', ');
  throw new Failure('invalid_request', {
    error: `frigiv: ${named} cannot be released. Guards that can: ${allowed}.`,
    errorDa: `frigiv: ${named} kan ikke frigives. Værn, der kan: ${allowed}.`,
  });
}

type SyncRequested = Awaited<ReturnType<OperatorService['requestSync']>>;

function taken(answer: SyncRequested, guards: readonly string[]): 'i_koe' | 'koerer_allerede' {
  switch (answer) {
    case 'queued':
      return 'i_koe';
    case 'running':
      if (guards.length === 0) return 'koerer_allerede';
      // The running sync was claimed without the release, which would be lost.
      throw new Failure('conflict', {
        error: 'A run of this layer waits or goes on already: release the guard when it has ended.',
        errorDa: 'Laget kører eller venter allerede: frigiv værnet, når kørslen er slut.',
      });
    case 'unconfigured':
      throw new Failure('conflict', {
        error: "The layer's register asks for an API key, and none is configured.",
        errorDa: 'Lagets register kræver en API-nøgle, og der er ikke sat nogen op.',
      });
    case 'full':
      throw new Failure('overloaded', {
        error: 'Too many layers wait for a sync.',
        errorDa: 'For mange lag venter på synkronisering.',
        retryAfterS: LIMITS.retryAfterS.unavailable,
      });
    case 'stopped':
      throw upstreamUnavailable(
        'No sync runs in this process (SYNC=off, or it is still starting).',
        'Denne proces synkroniserer ikke (SYNC=off, eller den er ved at starte).',
      );
  }
}

function reverted(answer: RevertAnswer | { readonly state: 'unavailable' }) {
  switch (answer.state) {
    case 'reverted':
      return answer;
    case 'failed':
      throw new Failure('internal_error', {
        error: `Nothing was reverted: ${answer.reason}`,
        errorDa: `Intet blev fortrudt: ${answer.reason}`,
      });
    case 'nothing':
      throw new Failure('conflict', {
        error: 'The layer has no earlier version to go back to.',
        errorDa: 'Laget har ingen tidligere version at gå tilbage til.',
      });
    case 'moved':
      throw new Failure('conflict', {
        error: 'Another version was published meanwhile: look at that before you revert it.',
        errorDa: 'En anden version er udgivet imens: se på den, før du fortryder den.',
      });
    case 'busy':
      throw new Failure('conflict', {
        error: 'A run of this layer is going on: revert it when it has ended.',
        errorDa: 'Laget er ved at blive synkroniseret: fortryd, når kørslen er slut.',
      });
    case 'unavailable':
      throw notSetUp(
        'Layers cannot be reverted in this process.',
        'Lag kan ikke fortrydes i denne proces.',
      );
  }
}

/** Waiting would not help. */
function noSnapshot(): Failure {
  return upstreamUnavailable(
    'There is no snapshot of this layer.',
    'Der er intet snapshot af laget.',
  );
}

/** Throws 404 for an unknown name. */
function layerNamed(name: string): MirrorId {
  const layer = MIRROR_IDS.find((id) => id === name);
  if (layer !== undefined) return layer;
  throw new Failure('not_found', {
    error: `There is no layer ${JSON.stringify(name.slice(0, 40))}. See /v1/status.`,
    errorDa: `Der findes intet lag ${JSON.stringify(name.slice(0, 40))}. Se /v1/status.`,
  });
}
