/** What places share with conditions, from memory, against PostGIS over the whole features. */
import { sql } from 'kysely';
import type { SnapshotSet } from '../src/core/held/snapshot-set.ts';
import type { Store } from '../src/db/connect.ts';
import { readHeld } from '../src/registers/conditions/index/held.ts';
import { TOUCH_M2 } from '../src/registers/conditions/store.ts';
import type { PlacesQuestion } from '../src/registers/conditions/store.ts';
import { row } from './harness/row.ts';
import type { BenchRow } from './harness/row.ts';

interface Shared {
  readonly layer: string;
  readonly m2: number;
}

/** Square metres by layer: what of its features in force lies in the place, put together. */
async function sharedIn(
  { db }: Store,
  { layers, today }: PlacesQuestion,
  wkb: Uint8Array,
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<Shared>`
    with place as (select ST_GeomFromWKB(${Buffer.from(wkb)}::bytea, 25832) as geom)
    select f.layer, ST_Area(ST_Union(ST_Intersection(f.geom, place.geom))) as m2
    from place join condition_feature f on f.geom && place.geom and ST_Intersects(f.geom, place.geom)
    where f.layer = any(${layers}::text[]) and coalesce(f.valid_from <= ${today}::date, true)
      and coalesce(f.valid_to > ${today}::date, true)
    group by f.layer`.execute(db);
  return new Map(rows.map(({ layer, m2 }) => [layer, m2]));
}

/** Beyond it two computations agree whether ground is shared. */
const SURE_M2 = 10 * TOUCH_M2;

export async function judgeRows(
  store: Store,
  set: SnapshotSet,
  { name, places }: { readonly name: string; readonly places: readonly PlacesQuestion[] },
): Promise<BenchRow[]> {
  let [mostM2, mostShare, wrong, shared] = [0, 0, 0, 0];
  for (const place of places) {
    const { found, areasM2 } = await readHeld(set, place);
    const theirs = await sharedIn(store, place, place.wkbs[0]!);
    for (const layer of place.layers) {
      const { sharedM2 = 0, within = 0 } = found[0]?.get(layer) ?? {};
      const m2 = theirs.get(layer) ?? 0;
      const apart = Math.abs(sharedM2 - m2);
      mostM2 = Math.max(mostM2, apart);
      mostShare = Math.max(mostShare, apart / areasM2[0]!);
      if (within > 0) shared += 1;
      if (within > 0 ? m2 <= TOUCH_M2 && sharedM2 > SURE_M2 : m2 > SURE_M2) wrong += 1;
    }
  }
  return [
    row(`${name} against PostGIS over whole features`, places.length, 'places'),
    row('of them and fifteen layers, with ground in common', shared, 'pairs'),
    row('largest difference of what they share', mostM2, 'm²', { gate: '<= 0.1' }),
    row('the same, of the whole place', mostShare, 'share', { gate: '<= 0.000001' }),
    row('a wrong yes or no', wrong, 'pairs', { gate: '0' }),
  ];
}
