/** Row counts and areas of known places follow a layer's carried-out changes. */
import { sql } from 'kysely';
import type { Store } from '../../src/db/connect.ts';
import type { Layer } from '../../src/layers/catalogue.ts';
import type { Guards } from '../../src/layers/source.ts';
import { codesOf } from '../../src/ops/dated-codes.ts';
import type { ChangedCodes, KeptCodes } from '../../src/ops/dated-codes.ts';

/** Throws when the store does. */
export async function withDatedGuards<L extends Layer>(
  { db }: Pick<Store, 'db'>,
  layer: L,
): Promise<L> {
  if (!layer.dated) return layer;
  const { rows } = await sql<{ codes: KeptCodes }>`
    select codes from dated_change
    where layer = ${layer.id} and carried_out_at is not null and codes is not null
    order by at`.execute(db);
  if (rows.length === 0) return layer;
  return { ...layer, guards: rows.map(({ codes }) => codesOf(codes)).reduce(after, layer.guards) };
}

export function after(guards: Guards, { ends, begins }: ChangedCodes): Guards {
  const fewer = Math.max(0, ends.length - begins.length);
  const ended = new Set(ends.map(({ code }) => code));
  const [only, ...more] = begins;
  return {
    ...guards,
    // An empty register is never believed.
    minRows: Math.max(1, guards.minRows - fewer),
    // If several areas replace one, it is unknown which contains a place.
    knownPlaces: guards.knownPlaces.flatMap((place) => {
      if (!ended.has(place.code)) return [place];
      const code = only?.code ?? null;
      return code === null || more.length > 0 ? [] : [{ ...place, code }];
    }),
  };
}
