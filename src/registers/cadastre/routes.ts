/**
 * The cadastre property: 503 until the cadastre has a published version (D58), then what it has
 * (D90). Parcels by point, number and text (D150).
 */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { answered, oneLookup, unitsOfFound } from '../../http/access.ts';
import type { PlainLookups } from '../../core/question/plain-lookup.ts';
import { tellProvenance } from '../../http/wire/provenance.ts';
import { sendText } from '../../http/wire/send-json.ts';
import type { Coverage } from '../../layers/coverage.ts';
import { unknownTo } from '../../core/land/covered-lands.ts';
import { cadastreText } from './answer.ts';
import type { Cadastre } from './lookup.ts';
import { parcelsText } from './parcel-answer.ts';
import { noSuchParcel } from './parcel-lookup.ts';
import type { Parcels } from './parcel-lookup.ts';
import { questionOf } from './parcel-question.ts';
import { cadastrePropertyRoute, parcelRoute, parcelsRoute } from './schema.ts';

const ONE = oneLookup('bbr');
const PATH = '/v1/matrikel/jordstykke';

export interface CadastreRouteParts {
  readonly cadastre: Cadastre;
  readonly parcels: Parcels;
  readonly coverage: Coverage | null;
}

export function matrikelRoutes(
  app: FastifyInstance,
  { cadastre, ...parts }: CadastreRouteParts,
  plain: PlainLookups,
): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const route = { schema: cadastrePropertyRoute, config: ONE };
  routes.get('/v1/matrikel/ejendom/:bfe', route, async (request, reply) => {
    const property = await cadastre.find(request.params.bfe);
    tellProvenance(reply, property);
    answered(request, 1, property.generation);
    return sendText(reply, cadastreText(property));
  });
  parcelRoutes(app, parts, plain);
}

function parcelRoutes(
  app: FastifyInstance,
  { parcels, coverage }: Omit<CadastreRouteParts, 'cadastre'>,
  plain: PlainLookups,
): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  plain.add({
    path: PATH,
    operation: parcelsRoute.operationId,
    rule: ONE.access,
    isReady: () => parcels.isReady(),
    answer: (point, to) => {
      const answer = parcels.tryAtSync(point);
      if (answer === null) return null;
      to.text(parcelsText(answer, coverage));
      return { facts: answer, units: unitsOfFound(answer.parcels.length, coverage) };
    },
  });

  routes.get(PATH, { schema: parcelsRoute, config: ONE }, async (request, reply) => {
    const { page, ask } = questionOf(request.query);
    const answer = await ask(parcels);
    tellProvenance(reply, answer);
    answered(request, unitsOfFound(answer.parcels.length, coverage), answer.generation);
    if (page === null) return sendText(reply, parcelsText(answer, coverage));
    const { side, perPage } = page;
    const shown = answer.parcels.slice((side - 1) * perPage, side * perPage);
    const counts = `"side":${side},"per_side":${perPage},`;
    return sendText(reply, parcelsText({ ...answer, parcels: shown }, coverage, counts));
  });

  const one = { schema: parcelRoute, config: ONE };
  routes.get(`${PATH}/:ejerlav/:matrikelnummer`, one, async (request, reply) => {
    const { ejerlav, matrikelnummer } = request.params;
    const answer = await parcels.withNumber(ejerlav, matrikelnummer);
    if (answer.parcels.length === 0)
      throw unknownTo(coverage, noSuchParcel(ejerlav, matrikelnummer));
    tellProvenance(reply, answer);
    answered(request, 1, answer.generation);
    return sendText(reply, parcelsText(answer, coverage));
  });
}
