/** Building lines at one point, the forest line alone, and a batch of points. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Failure } from '../../../kernel/failures.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { LINE_KEYS } from '../../../layers/keys.ts';
import type { BuildingLines } from '../../../lookups/building-lines.ts';
import type { Services } from '../../services.ts';
import { echoOf, partition, pointsOf } from '../../wire/batch.ts';
import { pointFromQuery } from '../../wire/coordinates.ts';
import { tellProvenance } from '../../wire/provenance.ts';
import { factsOf, renderBuildingLines, renderForestLine, renderMeta } from './render.ts';
import { buildingLinesBatchRoute, buildingLinesRoute, forestLineRoute } from './schema.ts';

export function naturRoutes(app: FastifyInstance, services: Services): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const rendering = { catalogue: services.catalogue, sourceName: services.sourceNames.lines };

  routes.get('/v1/natur/byggelinjer', { schema: buildingLinesRoute }, async (request, reply) => {
    const points = [pointFromQuery(request.query)];
    const lookup = configured(services);
    const { generation, value } = await lookup.at(points, LINE_KEYS, { signal: request.signal });
    tellProvenance(reply, factsOf(value, generation));
    return reply.send(renderBuildingLines(only(value), rendering));
  });

  routes.get('/v1/natur/skovbyggelinje', { schema: forestLineRoute }, async (request, reply) => {
    const points = [pointFromQuery(request.query)];
    const lookup = configured(services);
    const { generation, value } = await lookup.at(points, ['skov'], { signal: request.signal });
    tellProvenance(reply, factsOf(value, generation));
    return reply.send(renderForestLine(only(value), rendering));
  });

  routes.post(
    '/v1/natur/byggelinjer::batch',
    { schema: buildingLinesBatchRoute },
    async (request, reply) => {
      const items = request.body.punkter;
      const points = pointsOf(items);
      const lookup = configured(services);
      const { generation, value } = await lookup.at(points, LINE_KEYS, { signal: request.signal });
      tellProvenance(reply, factsOf(value, generation));
      return reply.send({
        ...partition(items, value, (item, answer) => ({
          ...echoOf(item),
          byggelinjer: renderBuildingLines(answer, rendering),
        })),
        meta: renderMeta(services.sourceNames.lines),
      });
    },
  );
}

function configured({ buildingLines }: Services): BuildingLines {
  if (buildingLines !== null) return buildingLines;
  throw new Failure('upstream_unavailable', {
    error: 'The line sources are not configured in this environment.',
    errorDa: 'Kilderne til linjerne er ikke sat op i dette miljø.',
    retryAfterS: LIMITS.retryAfterS.notConfigured,
  });
}

function only<T>(values: readonly T[]): T {
  const [value] = values;
  if (value === undefined) throw new Error('The lookup gave no answer for the point.');
  return value;
}
