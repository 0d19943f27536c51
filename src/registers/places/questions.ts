/** Place names by text, by point and by id (D7). */
import { pointFromQuery } from '../../answers/coordinates.ts';
import { distanceText, epsg25832 } from '../../answers/numbers.ts';
import { unitsOfFound } from '../../core/question/answers.ts';
import { codesOf } from '../../core/question/lists.ts';
import { question } from '../../core/question/question.ts';
import { geometryJson } from '../../geo/rings-text.ts';
import { Failure } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { placeMembers } from './answer.ts';
import type { PlaceLookups } from './compose.ts';
import { placeShape, reversePlacesShape, searchPlacesShape } from './schema.ts';

const { perPage: PER_PAGE, radiusM: RADIUS_M } = LIMITS.places;
const NONE = Buffer.from('null');

/** A letter or digit of any script: a name can be searched by it. */
const LETTER = /[\p{L}\p{N}]/u;

const search = question(searchPlacesShape, {
  path: '/v1/stednavne',
  area: 'stednavne',
  ask: ({ places, coverage }: PlaceLookups, given) => {
    const { q, type = null, kommunekode, side = 1, per_side: perPage = PER_PAGE.default } = given;
    if (!LETTER.test(q)) throw noText();
    const { value, ...facts } = places.search({
      ...{ text: q, type, limit: side * perPage },
      municipalityCodes: codesOf('kommunekode', kommunekode),
    });
    const page = value.slice((side - 1) * perPage, side * perPage);
    return { value: page, facts, units: unitsOfFound(value.length, coverage) };
  },
  json: (page, { tail }, { side = 1, per_side: perPage = PER_PAGE.default }) => {
    const found = page.map((place) => `{${placeMembers(place)}}`).join();
    const counts = `"antal":${page.length},"side":${side},"per_side":${perPage}`;
    return `{${counts},"stednavne":[${found}]${tail}`;
  },
});

const near = question(reversePlacesShape, {
  path: '/v1/stednavne/reverse',
  area: 'stednavne',
  ask: async ({ places }: PlaceLookups, { radius = RADIUS_M.default, ...place }) => {
    const point = pointFromQuery(place);
    const { value: found, ...facts } = await places.near(point, radius);
    return { value: { point, found }, facts, units: 1 };
  },
  json: ({ point, found }, { tail }, { radius = RADIUS_M.default }) => {
    const { lon, lat } = point.wgs84;
    const at = `"punkt":{"lon":${lon},"lat":${lat}},"epsg25832":[${epsg25832(point).join()}]`;
    const shown = found.map(
      (each) => `{${placeMembers(each.place)},"afstand_m":${distanceText(each.distanceM)}}`,
    );
    const counts = `"radius":${radius},"antal":${shown.length}`;
    return `{${at},${counts},"stednavne":[${shown.join()}]${tail}`;
  },
});

const one = question(placeShape, {
  path: '/v1/stednavne/:id',
  area: 'stednavne',
  ask: async ({ places }: PlaceLookups, { id }) => {
    const { value, ...facts } = await places.find(id);
    return { value, facts, units: 1 };
  },
  json: ({ place, wkb }, { tail }) => {
    const geometry = wkb === null ? NONE : geometryJson(wkb);
    const before = Buffer.from(`{${placeMembers(place)},"geometri":`);
    return Buffer.concat([before, geometry, Buffer.from(tail)]);
  },
});

export const PLACE_QUESTIONS = [search, near, one];

function noText(): Failure {
  return new Failure('invalid_request', {
    error: 'The parameter q must hold a letter or a digit.',
    errorDa: 'Parameteren q skal indeholde et bogstav eller et ciffer.',
  });
}
