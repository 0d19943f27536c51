import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import type { PostcodeAnswer } from './postcodes.ts';
import { answered, pageLookup, unitsOfFound } from '../../http/access.ts';
import { codesOf, listOf } from '../../core/question/lists.ts';
import { roundTo } from '../../answers/numbers.ts';
import { tellProvenance } from '../../http/wire/provenance.ts';
import type { AddressRouteParts } from './route-parts.ts';
import { postcodeRoute, postcodesRoute } from './postcode-schema.ts';

const PAGE = pageLookup('adresser');

export function postcodeRoutes(
  app: FastifyInstance,
  { addresses, meta, coverage }: AddressRouteParts,
): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();

  routes.get('/v1/postnumre', { schema: postcodesRoute, config: PAGE }, async (request, reply) => {
    const { nr, navn, kommunekode, q } = request.query;
    const filter = {
      codes: codesOf('nr', nr),
      names: listOf('navn', navn),
      municipalityCodes: codesOf('kommunekode', kommunekode),
      text: q ?? null,
    };
    const { value, ...facts } = await addresses.postcodes.list(filter);
    tellProvenance(reply, facts);
    answered(request, unitsOfFound(value.length, coverage), facts.generation);
    return reply.send({ antal: value.length, postnumre: value.map(postcodeOf), meta });
  });

  routes.get(
    '/v1/postnumre/:nr',
    { schema: postcodeRoute, config: PAGE },
    async (request, reply) => {
      const { value, ...facts } = await addresses.postcodes.find(request.params.nr);
      tellProvenance(reply, facts);
      answered(request, 1, facts.generation);
      return reply.send({ ...postcodeOf(value), meta });
    },
  );
}

function postcodeOf(answer: PostcodeAnswer) {
  const { code, name, described, municipalities, boundsDegrees, boundsM } = answer;
  return {
    nr: code,
    navn: name,
    afgraensning: described === 'district' ? ('distrikt' as const) : ('adresser' as const),
    kommuner: municipalities.map((each) => ({ kode: each.code, navn: each.name })),
    bbox: boundsDegrees?.map((each) => roundTo(each, DEGREE_DECIMALS)) ?? null,
    epsg25832_bbox: boundsM?.map((each) => roundTo(each, 2)) ?? null,
  };
}

/** Of degrees computed from metres: 1 mm. */
const DEGREE_DECIMALS = 8;
