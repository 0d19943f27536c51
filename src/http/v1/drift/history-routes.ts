/** Routes of the past for operators (D15). */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Failure } from '../../../kernel/failures.ts';
import { OPS_LIMITS } from '../../../ops/limits.ts';
import { allMirrored } from '../../../layers/catalogue.ts';
import type { Catalogue } from '../../../layers/catalogue.ts';
import { isRegisterId } from '../../../layers/keys.ts';
import type { MirrorId } from '../../../layers/keys.ts';
import type { Freshness } from '../../../layers/source.ts';
import type { DifferenceAnswer, VersionDifference } from '../../../ops/version-difference.ts';
import type { Services } from '../../services.ts';
import { unreachable } from '../../wire/unreachable.ts';
import type { Gate } from './gate.ts';
import { renderDays, renderDifference, renderHistory } from './history-render.ts';
import { daysRoute, differenceRoute, historyRoute } from './history-schema.ts';
import { layerNamed } from './layer-named.ts';
import { noOperations, operatorOf } from './operator-of.ts';

const NO_STORE = { 'cache-control': 'no-store' };

export function historyRoutes(app: FastifyInstance, services: Services, gate: Gate): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const guarded = <S>(schema: S) => ({ schema, onRequest: gate });

  routes.get('/v1/drift/lag/:lag/historik', guarded(historyRoute), async (request, reply) => {
    const layer = layerNamed(request.params.lag);
    const { dage: days = OPS_LIMITS.historyDays.default } = request.query;
    const history = await operatorOf(services).history(layer, days).catch(unreachable);
    const freshness = freshnessOf(services.catalogue, layer);
    return reply.headers(NO_STORE).send(renderHistory(layer, freshness, history));
  });

  routes.get('/v1/drift/lag/:lag/forskel', guarded(differenceRoute), async (request, reply) => {
    const layer = layerNamed(request.params.lag);
    if (isRegisterId(layer)) throw noShapes();
    const { fra: from = null, til: to = null } = request.query;
    const answer = await operatorOf(services).difference(layer, { from, to }).catch(unreachable);
    return reply.headers(NO_STORE).send(renderDifference(layer, compared(answer)));
  });

  routes.get('/v1/drift/dage', guarded(daysRoute), async (request, reply) => {
    const { dage: days = OPS_LIMITS.historyDays.default } = request.query;
    if (services.daysView === null) throw noOperations();
    const records = await services.daysView(days).catch(unreachable);
    return reply.headers(NO_STORE).send(renderDays(records));
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
function noShapes(): Failure {
  return new Failure('not_found', {
    error: 'Registers are tables and no features: their versions have no shapes to compare.',
    errorDa:
      'Registre er tabeller og ikke geometri: deres versioner har ingen form at sammenligne.',
  });
}
