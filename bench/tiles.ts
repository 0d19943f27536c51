/**
 * Tiles at zoom 12 of protected nature, at national density, beside ST_AsMVT of PostGIS over the same
 * features with the same tags, one connection and one thread. `--scale=1` is the whole country.
 */
import { sql } from 'kysely';
import { toUnitSquareAll } from '../src/geo/web-mercator.ts';
import type { TilePlace } from '../src/geo/web-mercator.ts';
import { LIMITS } from '../src/kernel/limits.ts';
import type { LineAttributes } from '../src/layers/feature.ts';
import { openLayerSnapshot } from '../src/snapshot/layer.ts';
import { TileCutter } from '../src/snapshot/tiles/cut.ts';
import { tagsReader } from '../src/snapshot/tiles/tags.ts';
import type { Store } from '../src/db/connect.ts';
import { quantile } from './harness/measure.ts';
import { scaleOption } from './harness/options.ts';
import { row } from './harness/row.ts';
import type { BenchRow } from './harness/row.ts';
import { openMigrated, openPostgres } from './harness/store.ts';
import { Land } from './national/land.ts';
import { lineFeatures, lineSnapshot } from './national/lines.ts';

const LAYER = 'natur';
const ZOOM = 12;
const TILES = 300;
const ROWS_AT_A_TIME = 2_000;

/** Rows for the table of `npm run bench`. */
export async function benchTiles(): Promise<BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const land = new Land(scaleOption());
  const snapshot = openLayerSnapshot(lineSnapshot(land, LAYER), { verified: true });
  const cutter = new TileCutter(snapshot, tagsReader(snapshot));
  const data = await openPostgres(cleanup);
  const store = await openMigrated(cleanup, data, { maxConnections: 1 });
  await fill(store, land);
  const places = placesOf(land);
  let bytes = 0;
  const ours = await times(places, (place) => {
    const tile = cutter.cut(place);
    if (tile === null) throw new Error('A tile was refused.');
    bytes += tile.length;
    return Promise.resolve();
  });
  let judged = 0;
  const theirs = await times(places, async (place) => {
    judged += (await statement(store, place)).length;
  });
  const share = (of: number) => of / places.length / 2 / 1024;
  return [
    row('areas of the layer', snapshot.meta.featureCount, 'areas'),
    row(`a tile at z${ZOOM}, p50`, quantile(ours, 0.5), 'ms', {
      beside: ['ST_AsMVT', quantile(theirs, 0.5)],
    }),
    row(`a tile at z${ZOOM}, p99`, quantile(ours, 0.99), 'ms', {
      beside: ['ST_AsMVT', quantile(theirs, 0.99)],
      ratioGate: '<= 2 (goal 1.2)',
    }),
    row('its size, mean', share(bytes), 'KiB', { beside: ['ST_AsMVT', share(judged)] }),
  ];
}

/** Milliseconds of each tile, the second time round: what both read is in memory then. */
async function times(
  places: readonly TilePlace[],
  work: (place: TilePlace) => Promise<void>,
): Promise<number[]> {
  for (const place of places) await work(place);
  const taken: number[] = [];
  for (const place of places) {
    const startMs = performance.now();
    await work(place);
    taken.push(performance.now() - startMs);
  }
  return taken;
}

function placesOf(land: Land): TilePlace[] {
  return land.points(TILES, 11).map(({ xUtm32, yUtm32 }) => {
    const xy = Float64Array.of(xUtm32, yUtm32);
    toUnitSquareAll(xy, xy);
    return { z: ZOOM, x: Math.floor(xy[0]! * 2 ** ZOOM), y: Math.floor(xy[1]! * 2 ** ZOOM) };
  });
}

async function fill({ db, pool }: Store, land: Land): Promise<void> {
  await pool.query(`create table cut (
    objekt_id text, i_kraft boolean, status_kode text, status_navn text, kategori text,
    naturtype text, areal_m2 float8, gaeldende_fra text, kommune_navn text,
    geom geometry(MultiPolygon, 25832))`);
  let rows: object[] = [];
  const flush = async (): Promise<void> => {
    if (rows.length === 0) return;
    await sql`
      insert into cut select objekt_id, i_kraft, status_kode, status_navn, kategori, naturtype,
        areal_m2, gaeldende_fra, kommune_navn, ST_GeomFromWKB(decode(wkb, 'hex'), 25832)
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (objekt_id text,
        i_kraft boolean, status_kode text, status_navn text, kategori text, naturtype text,
        areal_m2 float8, gaeldende_fra text, kommune_navn text, wkb text)`.execute(db);
    rows = [];
  };
  for (const feature of lineFeatures(land, LAYER)) {
    const of = JSON.parse(feature.attributes) as LineAttributes;
    rows.push({
      objekt_id: feature.objectId,
      i_kraft: feature.standing === 'in_force',
      status_kode: of.statusCode,
      status_navn: of.statusName,
      kategori: of.category,
      naturtype: of.natureType,
      areal_m2: feature.areaM2,
      gaeldende_fra: of.validFrom,
      kommune_navn: of.municipalityName,
      wkb: Buffer.from(feature.wkb).toString('hex'),
    });
    if (rows.length === ROWS_AT_A_TIME) await flush();
  }
  await flush();
  await pool.query('create index on cut using gist (geom)');
  await pool.query('vacuum analyze cut');
}

async function statement({ pool }: Store, { z, x, y }: TilePlace): Promise<Buffer> {
  const { extent, bufferUnits } = LIMITS.kort;
  const { rows } = await pool.query<{ tile: Buffer }>(
    `select ST_AsMVT(t, $4, ${extent}, 'geom') as tile from (
       select objekt_id, i_kraft, status_kode, status_navn, kategori, naturtype, areal_m2,
         gaeldende_fra, kommune_navn,
         ST_AsMVTGeom(ST_Transform(geom, 3857), e.box, ${extent}, ${bufferUnits}, true) as geom
       from (select ST_TileEnvelope($1, $2, $3) as box) e
       join cut on cut.geom && ST_Transform(ST_Expand(e.box,
         (ST_XMax(e.box) - ST_XMin(e.box)) * ${bufferUnits / extent}), 25832)) t
     where t.geom is not null`,
    [z, x, y, LAYER],
  );
  return rows[0]!.tile;
}
