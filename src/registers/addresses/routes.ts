import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { LIMITS } from '../../kernel/limits.ts';
import { filterOf } from './filter.ts';
import { answered, pageLookup, unitsOfFound } from '../../http/access.ts';
import { JsonWriter } from '../../answers/json-writer.ts';
import { sendBytes } from '../../http/wire/send-json.ts';
import { deadlineOf } from '../../http/wire/deadline.ts';
import { tellProvenance } from '../../http/wire/provenance.ts';
import type { AddressRouteParts } from './route-parts.ts';
import { addressMembers, areasMember, successorsMember, suggestionText } from './answer.ts';
import { addressRoute, autocompleteRoute, searchAddressesRoute } from './schema.ts';

const PAGE = pageLookup('adresser');
const DEPTHS = { vejnavn: 'road', adgangsadresse: 'access', adresse: 'unit' } as const;

export function addressRoutes(
  app: FastifyInstance,
  { addresses, meta: source, coverage }: AddressRouteParts,
): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const out = new JsonWriter();
  const meta = `"meta":${JSON.stringify(source)}`;

  const search = { schema: searchAddressesRoute, config: PAGE };
  routes.get('/v1/adresser', search, (request, reply) => {
    const { q, side = 1, per_side: perPage = LIMITS.addressesPerPage.default } = request.query;
    const question = { text: q, limit: side * perPage, ...filterOf(request.query) };
    const { value, ...facts } = addresses.search.search(question);
    tellProvenance(reply, facts);
    answered(request, unitsOfFound(value.length, coverage), facts.generation);
    const page = value.slice((side - 1) * perPage, side * perPage);
    out.begin().ascii(`{"antal":${page.length},"side":${side},"per_side":${perPage},"adresser":[`);
    for (const [i, hit] of page.entries()) out.text(`${i > 0 ? ',{' : '{'}${addressMembers(hit)}}`);
    out.text(`],${meta}}`);
    void sendBytes(reply, out.take());
  });

  const autocomplete = { schema: autocompleteRoute, config: PAGE };
  routes.get('/v1/adresser/autocomplete', autocomplete, (request, reply) => {
    const { q, caretpos, type = 'adresse', per_side: most } = request.query;
    const { value, ...facts } = addresses.search.suggest({
      text: q,
      caret: Math.min(caretpos ?? q.length, q.length),
      depth: DEPTHS[type],
      limit: most ?? LIMITS.addressesPerPage.default,
      ...filterOf(request.query),
    });
    tellProvenance(reply, facts);
    answered(request, unitsOfFound(value.length, coverage), facts.generation);
    out.begin().ascii(`{"antal":${value.length},"forslag":[`);
    for (const [i, each] of value.entries()) out.text(`${i > 0 ? ',' : ''}${suggestionText(each)}`);
    out.text(`],${meta}}`);
    void sendBytes(reply, out.take());
  });

  const one = { schema: addressRoute, config: PAGE };
  routes.get('/v1/adresser/:id', one, async (request, reply) => {
    const { search: lookup } = addresses;
    const { value, ...facts } = await lookup.find(request.params.id, deadlineOf(reply));
    tellProvenance(reply, facts);
    answered(request, 1, facts.generation);
    const { hit, areas, successors } = value;
    const members = addressMembers(hit) + successorsMember(successors) + areasMember(areas);
    out.begin().text(`{${members},${meta}}`);
    return sendBytes(reply, out.take());
  });
}
