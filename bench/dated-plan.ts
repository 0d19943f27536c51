/** A plan for two regions of the generated country to become one, told as a file tells it. */
import { sql } from 'kysely';
import type { Store } from '../src/db/connect.ts';
import { toWgs84 } from '../src/geo/project.ts';
import { overrideCatalogue } from '../src/layers/catalogue.ts';
import { REGISTERS_CATALOGUE } from '../src/registers.ts';
import type { Catalogue } from '../src/layers/catalogue.ts';
import { LINE_KEYS } from '../src/layers/keys.ts';
import type { KnownPlace } from '../src/layers/source.ts';
import { assignRegions, describeDistricts } from '../src/registers/areas/derive.ts';
import { settleDated } from '../sync/dated/settle.ts';
import { fillAddresses, fillAreas } from './fill.ts';
import { nationalAddresses } from './national/addresses.ts';
import type { Land } from './national/land.ts';

/** From the plan to its instant; nothing waits for it, the clock is turned. */
const AHEAD_MS = 3600_000;
const PLACES = 400;
/** Code of the region that two become. */
export const MERGED = '9901';

/** Areas and addresses as if they had been mirrored; lines are held and empty. Gives the addresses. */
export async function fillCountry(store: Store, land: Land): Promise<number> {
  await fillAreas(store, land);
  await sql`analyze`.execute(store.db);
  await store.db.transaction().execute(async (trx) => {
    await assignRegions(trx, 'region');
    await describeDistricts(trx, 'kommune');
    await sql`
      update layer_state s set row_count = a.rows, area_m2 = a.area_m2
      from (select theme, count(*) as rows, sum(ST_Area(geom)) as area_m2 from area group by theme) a
      where a.theme = s.layer`.execute(trx);
    await sql`
      insert into layer_state (layer, version, generation, synced_at, published_at, row_count,
        area_m2, held_since, held_by)
      select layer, 1, 1, now(), now(), 0, 0, now(), 'bench'
      from unnest(${[...LINE_KEYS]}::text[]) as line(layer)`.execute(trx);
  });
  const made = nationalAddresses(land);
  await fillAddresses(store, made);
  // All that was loaded at once would be vacuumed in the middle of what is measured.
  await sql`vacuum analyze`.execute(store.db);
  return made.accessCount;
}

/** Two regions that are to be one. */
export interface Merger {
  readonly keys: readonly string[];
  readonly codes: readonly string[];
  readonly knownPlaces: readonly KnownPlace[];
  readonly atMs: number;
}

/** The neighbours with most land, told as a file tells it that holds the rows already. */
export async function planMerger(store: Store): Promise<Merger> {
  const { rows } = await sql<{ keys: string[]; codes: string[] }>`
    select array[a.key, b.key] as keys, array[a.code, b.code] as codes
    from area a join area b on b.theme = 'region' and b.key > a.key
      and b.geom && a.geom and ST_Intersects(a.geom, b.geom)
    where a.theme = 'region'
    order by ST_Area(a.geom) + ST_Area(b.geom) desc limit 1`.execute(store.db);
  const [pair] = rows;
  if (pair === undefined) throw new Error('No two regions lie side by side: take a larger scale.');
  const atMs = Date.now() + AHEAD_MS;
  const at = new Date(atMs).toISOString();
  await store.db.transaction().execute(async (trx) => {
    await sql`
      insert into stage_dated_row (run_id, key, begins_at, ends_at)
      select 1, key, '-infinity', ${at}::timestamptz from unnest(${pair.keys}::text[]) as k(key)`.execute(
      trx,
    );
    await sql`
      insert into stage_dated_row (run_id, key, begins_at, object_id, standing, adopted,
        content_hash, attributes, geom)
      select 1, ${MERGED}, ${at}::timestamptz, ${MERGED}, 'in_force', true, sha256('merged'),
        jsonb_build_object('code', ${MERGED}::text, 'name', 'Region Opdigtet', 'regionCode', null),
        ST_Multi(ST_CollectionExtract(ST_Union(geom), 3))
      from area where theme = 'region' and key = any(${pair.keys}::text[])`.execute(trx);
    await settleDated(trx, { id: 'region', register: 'dagi' }, { nowMs: Date.now(), fromRun: '1' });
    await sql`delete from stage_dated_row where run_id = 1`.execute(trx);
  });
  return { ...pair, knownPlaces: await readKnownPlaces(store), atMs };
}

/** One place of each region, as the catalogue has of the real ones. */
async function readKnownPlaces(store: Store): Promise<readonly KnownPlace[]> {
  const { rows } = await sql<{ code: string; x: number; y: number }>`
    select distinct on (a.code) a.code, ST_X(p.point) as x, ST_Y(p.point) as y
    from area a join area_piece q on q.theme = a.theme and q.key = a.key
    cross join lateral (select ST_PointOnSurface(q.geom) as point) p
    where a.theme = 'region' order by a.code, ST_Area(q.geom) desc`.execute(store.db);
  return rows.map(({ code, x, y }) => ({ code, ...toWgs84({ xUtm32: x, yUtm32: y }) }));
}

/** Where and what is asked while the regions become one: places and municipalities within them. */
export async function readLoadTarget(
  store: Store,
  { keys }: Merger,
): Promise<{
  readonly places: readonly { readonly lon: number; readonly lat: number }[];
  readonly municipalities: readonly string[];
}> {
  const { rows: points } = await sql<{ x: number; y: number }>`
    select ST_X(p.point) as x, ST_Y(p.point) as y
    from (select geom from area_piece where theme = 'region' and key = any(${[...keys]}::text[])
      and ST_Area(geom) > 1e6 order by md5(ST_AsText(ST_Centroid(geom))) limit ${PLACES}) q
    cross join lateral (select ST_PointOnSurface(q.geom) as point) p`.execute(store.db);
  const { rows: municipal } = await sql<{ code: string }>`
    select code from area where theme = 'kommune' and region_code in (
      select code from area where theme = 'region' and key = any(${[...keys]}::text[]))
    order by code`.execute(store.db);
  return {
    places: points.map(({ x, y }) => toWgs84({ xUtm32: x, yUtm32: y })),
    municipalities: municipal.map(({ code }) => code),
  };
}

/** The registers' own, with the places of the generated regions for those of the real ones. */
export function catalogueWith(knownPlaces: readonly KnownPlace[]): Catalogue {
  return overrideCatalogue(REGISTERS_CATALOGUE, {
    region: { guards: { minRows: 1, knownPlaces } },
  });
}
