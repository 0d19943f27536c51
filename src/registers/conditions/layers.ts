import { sql } from 'kysely';
import { firstValue } from '../../db/rows.ts';
import type { Db } from '../../db/connect.ts';
import type { Comparison } from '../../core/held/snapshot-differences.ts';
import type { RegisterLayers } from '../../core/register-layers.ts';
import { CONDITION_IDS } from '../../layers/conditions/index.ts';
import { systemClock } from '../../kernel/clock.ts';
import type { PointUtm32 } from '../../geo/point.ts';
import { isoDay } from '../../layers/mappings/condition.ts';
import { isHeld, readHeld } from './index/held.ts';
import { pointPlace } from './lookup.ts';
import { readPlaces } from './store.ts';
import type { Found, PlacesRead } from './store.ts';
import type { LayerId } from '../../layers/keys.ts';
import { exportFeatures } from '../lines/layers.ts';

const PIECE_VERTICES = 64;
/** A single area may have a hundred thousand vertices. */
const BATCH_ROWS = 100;
/** Rounding along the cuts. */
const CUT_ERROR_M2 = 1;

export const CONDITION_REGISTER_LAYERS: RegisterLayers = {
  layers: CONDITION_IDS,
  source: 'forhold',
  async *rows(trx, layer, list) {
    if (list !== 'features') return;
    yield* exportFeatures(trx, 'condition_feature', { layer, most: BATCH_ROWS });
  },
  async compare(set, { db }, { radiusM, pointsIn }) {
    const layers = CONDITION_IDS.filter((layer) => isHeld(set, layer));
    const points = pointsIn(layers);
    if (points.length === 0) return null;
    const wkbs = points.map((point) => pointPlace(point).wkb);
    // Both judge by the same day.
    const today = isoDay(systemClock.nowMs());
    const question = { wkbs, layers, radiusM, today, mostObjects: 1, onLineM: 0 };
    const ours = await readHeld(set, question);
    return comparePlaces(points, ours, await readPlaces({ db, kind: 'postgres' }, question));
  },
  derive: (_, { layer: { id: layer } }) =>
    Promise.resolve({
      apply: async (trx) => {
        await cutNew(trx, layer);
        return [];
      },
    }),
};

/** Layers with different versions are left out. */
function comparePlaces(
  points: readonly PointUtm32[],
  memory: PlacesRead,
  store: PlacesRead,
): Comparison {
  const same = [...memory.copies.keys()].filter(
    (layer) => memory.copies.get(layer)?.version === store.copies.get(layer)?.version,
  );
  const differences = points.flatMap((point, n) =>
    same.flatMap((layer) => {
      const [ours, theirs] = [memory, store].map(({ found }) => shownOf(found[n]?.get(layer)));
      return ours === theirs ? [] : [{ layer, point, memory: ours, store: theirs }];
    }),
  );
  return { compared: same.length * points.length, differences };
}

/** Metres to the centimetre: two correct computations agree so far. */
function shownOf(found: Found | undefined): string {
  if (found === undefined) return 'nothing';
  const ids = found.objects.map(({ objectId }) => objectId);
  return JSON.stringify([found.count, found.within, Math.round((found.nearestM ?? -1) * 100), ids]);
}

/** Throws, so that nothing is published, where the pieces do not add up to the features. */
async function cutNew(trx: Db, layer: LayerId): Promise<void> {
  await sql`
    insert into condition_piece (layer, key, geom)
    select f.layer, f.key, q.piece
    from condition_feature f cross join lateral (
      select piece from ST_Subdivide(f.geom, ${PIECE_VERTICES}::integer) as piece
      where ST_Dimension(piece) = 2) q
    where f.layer = ${layer} and not exists (
      select from condition_piece p where p.layer = f.layer and p.key = f.key)`.execute(trx);
  const missing = await firstValue(trx, 0)`
    select count(*)::integer as missing
    from condition_feature f left join (
      select key, sum(ST_Area(geom)) as area_m2 from condition_piece
      where layer = ${layer} group by key
    ) p using (key)
    where f.layer = ${layer}
      and not coalesce(abs(p.area_m2 - f.area_m2) <= ${CUT_ERROR_M2}::float8, false)`;
  if (missing > 0)
    throw new Error(`${missing} features of ${layer} came out of the cutting in part.`);
}
