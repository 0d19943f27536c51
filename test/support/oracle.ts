/**
 * An independent judge: plain PostGIS over the untouched extracts, loaded by ogr2ogr straight from
 * the files into a PostgreSQL of its own. It shares no statement, no table and no mapping with the
 * project; what a code means is written here again, from the decisions (D24 to D30, D44).
 */
import pg from 'pg';
import type { LayerId } from '../../src/layers/keys.ts';
import { THEMES } from '../../src/layers/keys.ts';
import { startCluster } from './postgres-cluster.ts';
import type { Cluster } from './postgres-cluster.ts';
import { loadWithGdal } from './real-data.ts';
import type { RealLayer } from './real-data.ts';

/** A place in EPSG:25832, metres, and why it was chosen. */
export interface Probe {
  readonly x: number;
  readonly y: number;
  readonly kind: 'edge' | 'near' | 'wide';
}

/** What is true of one point and one line. Metres, unrounded. */
export interface LineTruth {
  readonly within: boolean;
  /** D27: minus the distance to the zone's edge inside; else to the nearest feature, 500 at most. */
  readonly distanceM: number | null;
  /** Inside only, else as above: the same where what may be a gap is taken for none. */
  readonly deepestM: number | null;
  /** D30: in-force features within 500 m. */
  readonly count: number;
  /** D25: something in force covers the point, and nothing adopted does. */
  readonly uncertain: boolean;
  /** D26; null outside. */
  readonly hitId: string | null;
  /** Distance to the nearest place where one of the answers above would flip. */
  readonly marginM: number;
}

/** The areas that cover one point, as `theme code`, sorted; and the distance to the nearest edge. */
export interface AreaTruth {
  readonly areas: readonly string[];
  readonly marginM: number;
}

export interface Segment {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
}

const RADIUS_M = 500;

/** What the raw columns say: whether a row is in force, and whether it is adopted (D24, D25). */
const STANDING: Partial<Record<LayerId, { inForce: string; adopted: string }>> = {
  natur: {
    inForce: `"Statuskode" in ('0', '1', '2', '3') and "Systid_til" is null and "Off_kode" = '1'`,
    adopted: `"Statuskode" = '3'`,
  },
  strandbeskyttelse: { inForce: 'true', adopted: 'true' },
  fortidsminde: { inForce: 'true', adopted: 'true' },
};

export class Oracle {
  readonly #cluster: Cluster;
  readonly #pool: pg.Pool;

  private constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#pool = new pg.Pool({
      connectionString: cluster.url('postgres'),
      // Compiling these statements takes longer than running them.
      options: '-c jit=off',
    });
    this.#pool.on('error', () => undefined);
  }

  /** Starts a PostgreSQL, whatever store the tests run on, and loads the extracts. Close it. */
  static async start(layers: readonly RealLayer[]): Promise<Oracle> {
    const cluster = await startCluster();
    const oracle = new Oracle(cluster);
    try {
      await oracle.rows('create extension postgis');
      for (const real of layers) {
        loadWithGdal(real, `src_${real.layer}`, ['PostgreSQL', gdalAddress(cluster)]);
        await oracle.#prepare(real);
      }
      return oracle;
    } catch (error) {
      await oracle.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#pool.end();
    await this.#cluster.stop();
  }

  /** Rows of a statement of the test's own. */
  async rows<R extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<R[]> {
    return (await this.#pool.query<R>(text, values)).rows;
  }

  async featureEdges(layer: LayerId): Promise<Segment[]> {
    return this.#segments(`${layer}_edge`);
  }

  async zoneEdges(layer: LayerId): Promise<Segment[]> {
    return this.#segments(`${layer}_zone_edge`);
  }

  async #segments(table: string): Promise<Segment[]> {
    return this.rows<Segment & pg.QueryResultRow>(
      `select ST_X(ST_StartPoint(geom)) as x1, ST_Y(ST_StartPoint(geom)) as y1,
         ST_X(ST_EndPoint(geom)) as x2, ST_Y(ST_EndPoint(geom)) as y2
       from ${table} order by 1, 2, 3, 4`,
    );
  }

  /** The truth about one line at every point, in the order given. */
  async lines(layer: LayerId, probes: readonly Probe[]): Promise<LineTruth[]> {
    const rows = await this.rows<{
      within: boolean;
      nearest_m: number | null;
      zone_edge_m: number;
      sure_edge_m: number;
      feature_edge_m: number;
      radius_margin_m: number | null;
      count: number;
      adopted: boolean | null;
      hit_id: string | null;
      hit_margin_m: number | null;
    }>(lineTruthSql(layer), coordinates(probes));
    return rows.map((row) => ({
      within: row.within,
      distanceM: row.within ? -row.zone_edge_m : row.nearest_m,
      deepestM: row.within ? -row.sure_edge_m : row.nearest_m,
      count: row.count,
      uncertain: row.within && row.adopted !== true,
      hitId: row.hit_id,
      marginM: Math.min(
        row.feature_edge_m,
        row.radius_margin_m ?? Infinity,
        row.hit_margin_m ?? Infinity,
      ),
    }));
  }

  /** The truth about the six themes at every point, in the order given. */
  async areas(probes: readonly Probe[]): Promise<AreaTruth[]> {
    const covers = THEMES.map(
      (theme) =>
        `select '${theme} ' || code as area from ${theme}_area where ST_Covers(geom, p.geom)`,
    );
    const nearest = THEMES.map(
      (theme) =>
        `(select ST_Distance(geom, p.geom) from ${theme}_edge order by geom <-> p.geom limit 1)`,
    );
    const rows = await this.rows<{ areas: string[]; margin_m: number }>(
      `select array(select area from (${covers.join(' union all ')}) c order by 1) as areas,
         least(${nearest.join(', ')}) as margin_m
       from ${POINTS} order by n`,
      coordinates(probes),
    );
    return rows.map(({ areas, margin_m }) => ({ areas, marginM: margin_m }));
  }

  async #prepare(real: RealLayer): Promise<void> {
    const { layer } = real;
    const standing = STANDING[layer];
    if (standing === undefined) {
      await this.rows(
        `create table ${layer}_area as
         select lpad("${real.id}"::text, 4, '0') as code, geom from src_${layer}`,
      );
      await this.rows(`create index on ${layer}_area using gist (geom)`);
    } else {
      await this.rows(
        `create table ${layer}_area as
         select ogc_fid, "${real.id}"::text as object_id, ${standing.adopted} as adopted,
           ST_CollectionExtract(
             ST_MakeValid(geom, 'method=structure keepcollapsed=false'), 3) as geom
         from src_${layer} where ${standing.inForce}`,
      );
      await this.rows(`create index on ${layer}_area using gist (geom)`);
      for (const statement of zoneEdgesSql(layer)) await this.rows(statement);
    }
    await this.rows(
      `create table ${layer}_edge as
       select distinct ST_Normalize((ST_DumpSegments(ST_Boundary(geom))).geom) as geom
       from ${layer}_area`,
    );
    await this.rows(`create index on ${layer}_edge using gist (geom)`);
    await this.rows(`analyze ${layer}_area, ${layer}_edge`);
  }
}

/** The cluster's database in libpq's own words, as ogr2ogr wants it. */
function gdalAddress(cluster: Cluster): string {
  const socket = new URL(cluster.url('postgres')).searchParams.get('host') ?? '';
  return `PG:host=${socket} user=postgres dbname=postgres`;
}

/** Metres. A gap surely narrower than the first is a slit, surely wider than the second an edge. */
const SLIT_M = 0.001;
const GAP_M = 0.0015;
/** Edges that may be of a gap are judged in pieces no longer than this, metres. */
const PIECE_M = 1;
/** Edges shorter than this may be the ends of a gap, which cannot be judged by stepping out, metres. */
const END_M = 0.01;
/** How far before its end a gap that closes slowly may already be narrower than a slit, metres. */
const TIP_M = 1.2;

/**
 * The edges of the dissolved zones, and whether they are the sides of a gap (column `gap`): stepping
 * out of the zone there, one is back in it after a slit (`slit`), after more than that (`none`), or
 * it depends on how "touching" is read (`unsure`: gaps between SLIT_M and GAP_M and what lies before
 * the tip of a gap; `end`: the short edge across its end). Counter-clockwise shells have the zone on their left, and so do their holes.
 */
function zoneEdgesSql(layer: LayerId): string[] {
  const out = (distance: number) =>
    `exists (select from ${layer}_area f where ST_Intersects(f.geom, ST_SetSRID(ST_MakePoint(
       ST_X(m) + ${distance} * sin(a), ST_Y(m) - ${distance} * cos(a)), 25832)))`;
  return [
    `create table ${layer}_whole_edge as
     select row_number() over () as id, (d.d).geom from (
       select ST_DumpSegments(ST_Boundary(ST_ForcePolygonCCW(ST_Union(geom)))) as d
       from ${layer}_area) d`,
    `create index on ${layer}_whole_edge using gist (geom)`,
    // Beside another edge for more than the width of a corner.
    `create table ${layer}_suspect as
     select distinct a.id from ${layer}_whole_edge a join ${layer}_whole_edge b
       on a.id <> b.id and ST_DWithin(a.geom, b.geom, ${GAP_M})
     where ST_Length(a.geom) < ${END_M}
       or ST_Length(ST_Intersection(a.geom, ST_Buffer(b.geom, ${GAP_M}))) > ${END_M}`,
    `create table ${layer}_zone_edge as
     select geom, 'none' as gap from ${layer}_whole_edge
     where id not in (select id from ${layer}_suspect)`,
    `insert into ${layer}_zone_edge
     select piece, case
       when ST_Length(geom) < ${END_M} then 'end'
       when (select bool_and(${out(SLIT_M)}) from unnest(middles) m) then 'slit'
       when not (select bool_or(${out(GAP_M)}) from unnest(middles) m) then 'none'
       else 'unsure' end
     from ${layer}_whole_edge join ${layer}_suspect using (id)
     cross join lateral (select -(ST_Azimuth(ST_StartPoint(geom), ST_EndPoint(geom))
       - pi() / 2) as a) direction
     cross join lateral (select (ST_DumpSegments(ST_Segmentize(geom, ${PIECE_M}))).geom
       as piece) pieces
     cross join lateral (select array[ST_LineInterpolatePoint(piece, 0.01),
       ST_LineInterpolatePoint(piece, 0.5), ST_LineInterpolatePoint(piece, 0.99)]
       as middles) samples`,
    `create index on ${layer}_zone_edge using gist (geom)`,
    `analyze ${layer}_zone_edge`,
    `update ${layer}_zone_edge h set gap = 'unsure' where gap = 'slit' and exists (
       select from ${layer}_zone_edge e
       where e.gap in ('none', 'unsure') and ST_DWithin(e.geom, h.geom, ${TIP_M}))`,
  ];
}

const POINTS = `(select n, ST_SetSRID(ST_MakePoint(x, y), 25832) as geom
  from unnest($1::float8[], $2::float8[]) with ordinality as given(x, y, n)) p`;

function coordinates(probes: readonly Probe[]): [number[], number[]] {
  return [probes.map(({ x }) => x), probes.map(({ y }) => y)];
}

/** `hit_margin_m`: how much deeper the hit lies than the runner-up that would replace it. */
function lineTruthSql(layer: LayerId): string {
  return `
    select exists (select from ${layer}_area f where ST_Intersects(f.geom, p.geom)) as within,
      near.nearest_m, near.count, near.radius_margin_m, hit.*,
      (select ST_Distance(e.geom, p.geom) from ${layer}_zone_edge e
        where e.gap <> 'slit' order by e.geom <-> p.geom limit 1) as zone_edge_m,
      (select ST_Distance(e.geom, p.geom) from ${layer}_zone_edge e
        where e.gap = 'none' order by e.geom <-> p.geom limit 1) as sure_edge_m,
      (select ST_Distance(e.geom, p.geom) from ${layer}_edge e
        order by e.geom <-> p.geom limit 1) as feature_edge_m
    from ${POINTS}
    cross join lateral (
      select min(d) filter (where d <= ${RADIUS_M}) as nearest_m,
        count(*) filter (where d <= ${RADIUS_M})::integer as count,
        min(abs(d - ${RADIUS_M})) as radius_margin_m
      from (select ST_Distance(f.geom, p.geom) as d from ${layer}_area f
        where f.geom && ST_Expand(p.geom, ${RADIUS_M + 1})) measured
    ) near
    left join lateral (
      select object_id as hit_id, adopted,
        nullif(depth - lead(depth) over (partition by adopted order by depth desc), 0)
          as hit_margin_m
      from (select f.object_id, f.adopted, ST_Distance(ST_Boundary(f.geom), p.geom) as depth
        from ${layer}_area f where ST_Intersects(f.geom, p.geom)) covering
      order by adopted desc, depth desc, object_id collate "C" limit 1
    ) hit on true
    order by n`;
}
