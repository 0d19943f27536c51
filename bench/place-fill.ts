/** Invented place names in a store. */
import { sql } from 'kysely';
import type { Store } from '../src/db/connect.ts';
import { PLACE_NAMES } from '../src/layers/keys.ts';
import { PLACE_TYPES } from '../src/registers/places/types.ts';
import { publish } from './fill.ts';
import { randomFrom } from './national/land.ts';
import type { Land } from './national/land.ts';
import { placeName, roadName } from './national/names.ts';

const PER_STATEMENT = 10_000;
/** Every so many places have a spelling more. */
const SECOND_EVERY = 10;

/** Many are namesakes, as they are in the country. */
export function namesOf(count: number): readonly string[] {
  const random = randomFrom(31);
  return Array.from({ length: count }, (_, n) =>
    n % 2 === 0 ? placeName(random) : roadName(random, []),
  );
}

/** Squares on land under the names, a spelling more for some. */
export async function fillPlaces(
  store: Store,
  land: Land,
  names: readonly string[],
): Promise<void> {
  const points = land.points(names.length, 32);
  for (let from = 0; from < names.length; from += PER_STATEMENT) {
    const some = names.slice(from, from + PER_STATEMENT);
    const at = (n: number) => points[from + n]!;
    await sql`
      insert into place (id, public_id, main_type, subtype, names, unresolved, inhabitants, easting,
        northing, geom, registered_from, valid_from)
      select id, id::text, type, 'opdigtet', names, 0, null, x, y,
        ST_Expand(ST_SetSRID(ST_MakePoint(x, y), 25832), 20 + id % 400), now(), now()
      from unnest(${some.map((_, n) => from + n)}::bigint[],
        ${some.map((_, n) => PLACE_TYPES[n % PLACE_TYPES.length]!.entity)}::text[],
        ${some.map((name, n) => JSON.stringify(spellings(name, n)))}::text[],
        ${some.map((_, n) => at(n).xUtm32)}::float8[],
        ${some.map((_, n) => at(n).yUtm32)}::float8[]) as p(id, type, names, x, y)`.execute(
      store.db,
    );
  }
  await publish(store, PLACE_NAMES, names.length);
  await sql`vacuum analyze`.execute(store.db);
}

function spellings(name: string, n: number): readonly (readonly string[])[] {
  const shown = [name, 'officielt', 'primær'];
  return n % SECOND_EVERY === 0 ? [shown, [`Gamle ${name}`, 'uofficielt', 'sekundær']] : [shown];
}
