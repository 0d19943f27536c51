/** Place names by text, by id and by point (D7). */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { pointFromQuery } from '../../answers/coordinates.ts';
import { sendBuffer, sendText } from '../../http/wire/send-json.ts';
import { distanceText, epsg25832 } from '../../answers/numbers.ts';
import type { RegisterMeta } from '../../answers/register-meta.ts';
import type { Coverage } from '../../layers/coverage.ts';
import { placeMembers } from './answer.ts';
import { geometryJson } from '../../geo/rings-text.ts';
import { Failure } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Places } from './lookup.ts';
import { answered, oneLookup, unitsOfFound } from '../../http/access.ts';
import { codesOf } from '../../core/question/lists.ts';
import { tellProvenance } from '../../http/wire/provenance.ts';
import { placeRoute, reversePlacesRoute, searchPlacesRoute } from './schema.ts';

const ONE = oneLookup('stednavne');

const NONE = Buffer.from('null');

/** A letter or digit of any script: a name can be searched by it. */
const LETTER = /[\p{L}\p{N}]/u;

export interface PlaceRouteParts {
  readonly places: Places;
  readonly meta: RegisterMeta;
  readonly coverage: Coverage | null;
}

export function placeRoutes(
  app: FastifyInstance,
  { places, meta: source, coverage }: PlaceRouteParts,
): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const meta = `"meta":${JSON.stringify(source)}`;

  const search = { schema: searchPlacesRoute, config: ONE };
  routes.get('/v1/stednavne', search, (request, reply) => {
    const { q, type = null, kommunekode, side = 1 } = request.query;
    const { per_side: perPage = LIMITS.places.perPage.default } = request.query;
    if (!LETTER.test(q)) throw noText();
    const { value, ...facts } = places.search({
      ...{ text: q, type, limit: side * perPage },
      municipalityCodes: codesOf('kommunekode', kommunekode),
    });
    tellProvenance(reply, facts);
    answered(request, unitsOfFound(value.length, coverage), facts.generation);
    const page = value.slice((side - 1) * perPage, side * perPage);
    const found = page.map((place) => `{${placeMembers(place)}}`).join();
    const counts = `"antal":${page.length},"side":${side},"per_side":${perPage}`;
    void sendText(reply, `{${counts},"stednavne":[${found}],${meta}}`);
  });

  const reverse = { schema: reversePlacesRoute, config: ONE };
  routes.get('/v1/stednavne/reverse', reverse, async (request, reply) => {
    const { radius = LIMITS.places.radiusM.default, ...place } = request.query;
    const point = pointFromQuery(place);
    const { value, ...facts } = await places.near(point, radius);
    tellProvenance(reply, facts);
    answered(request, 1, facts.generation);
    const { lon, lat } = point.wgs84;
    const at = `"punkt":{"lon":${lon},"lat":${lat}},"epsg25832":[${epsg25832(point).join()}]`;
    const found = value.map(
      (each) => `{${placeMembers(each.place)},"afstand_m":${distanceText(each.distanceM)}}`,
    );
    const counts = `"radius":${radius},"antal":${found.length}`;
    return sendText(reply, `{${at},${counts},"stednavne":[${found.join()}],${meta}}`);
  });

  const one = { schema: placeRoute, config: ONE };
  routes.get('/v1/stednavne/:id', one, async (request, reply) => {
    const { value, ...facts } = await places.find(request.params.id);
    tellProvenance(reply, facts);
    answered(request, 1, facts.generation);
    const geometry = value.wkb === null ? NONE : geometryJson(value.wkb);
    const before = Buffer.from(`{${placeMembers(value.place)},"geometri":`);
    return sendBuffer(reply, Buffer.concat([before, geometry, Buffer.from(`,${meta}}`)]));
  });
}

function noText(): Failure {
  return new Failure('invalid_request', {
    error: 'The parameter q must hold a letter or a digit.',
    errorDa: 'Parameteren q skal indeholde et bogstav eller et ciffer.',
  });
}
