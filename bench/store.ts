/**
 * One `byggelinjer` statement and one six-theme statement beside a bare `select 1` on the same
 * connection, over invented layers of national density. BENCH_STORE=embedded times the embedded
 * store; otherwise PostgreSQL, in a private cluster that is gone afterwards.
 */
import { sql } from 'kysely';
import type { Store } from '../src/db/connect.ts';
import { LINE_LAYERS } from '../src/layers/catalogue.ts';
import { LINE_KEYS, THEMES } from '../src/layers/keys.ts';
import type { LineKey, Theme } from '../src/layers/keys.ts';
import { readLines } from '../src/registers/building-lines/store.ts';
import { applyZones, prepareZones } from '../src/registers/building-lines/zones.ts';
import { cutNewAreas } from '../src/registers/dagi/derive.ts';
import { readCoveringAreas } from '../src/registers/dagi/store.ts';
import { itemsPerSecond } from './harness/measure.ts';
import { row } from './harness/row.ts';
import type { BenchRow } from './harness/row.ts';
import { openData, openMigrated } from './harness/store.ts';

const X = 500_000;
const Y = 6_150_000;
const RADIUS_M = 500;
const RUN = '1';

interface Size {
  /** Side of the square everything lies in, metres. */
  readonly sideM: number;
  /** Features by line at 14,400 km²; fewer on a smaller square. */
  readonly share: number;
}

const SIZES: Readonly<Record<Store['kind'], Size>> = {
  postgres: { sideM: 120_000, share: 1 },
  embedded: { sideM: 30_000, share: 1 / 16 },
};

/** A third of the national counts of byggelinjer.md 6: a third of the country's land. */
const LAYERS: Readonly<Record<LineKey, { count: number; radiusM: number; vertices: number }>> = {
  strandbeskyttelse: { count: 20_000, radiusM: 120, vertices: 40 },
  klitfredning: { count: 1_800, radiusM: 120, vertices: 40 },
  soe: { count: 1_000, radiusM: 400, vertices: 100 },
  aa: { count: 1_000, radiusM: 400, vertices: 100 },
  skov: { count: 4_000, radiusM: 700, vertices: 400 },
  kirke: { count: 700, radiusM: 300, vertices: 64 },
  fortidsminde: { count: 10_000, radiusM: 100, vertices: 48 },
  dige: { count: 50_000, radiusM: 150, vertices: 20 },
  natur: { count: 107_000, radiusM: 80, vertices: 50 },
  vandloeb: { count: 30_000, radiusM: 250, vertices: 40 },
};

/** Cells a side of each theme's grid of areas: 5 regions' worth to 700 parishes' worth. */
const AREAS: Readonly<Record<Theme, number>> = {
  region: 2,
  kommune: 6,
  sogn: 27,
  retskreds: 3,
  politikreds: 2,
  opstillingskreds: 6,
};

/** Rows for the table of `npm run bench`. */
export async function benchStore(): Promise<BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  // One connection: the reference and the statement take the same one.
  const store = await openMigrated(cleanup, await openData(cleanup), { maxConnections: 1 });
  const size = SIZES[store.kind];
  for (const line of LINE_KEYS) await fillLine(store, line, size);
  for (const theme of THEMES) await fillAreas(store, theme, size);
  await sql`analyze`.execute(store.db);
  return await measureAll(store, size);
}

/** Star-shaped areas, or half their outlines for the line layers; the same ones every time. */
async function fillLine(store: Store, line: LineKey, { sideM, share }: Size): Promise<void> {
  const { count, radiusM, vertices } = LAYERS[line];
  const layer = LINE_LAYERS[line];
  await sql`
    with centre as (
      -- A low-discrepancy sequence: even, yet not regular.
      select i, ${X}::float8 + ${sideM}::float8 * mod(i * 0.7548776662466927, 1)::float8 as x,
        ${Y}::float8 + ${sideM}::float8 * mod(i * 0.5698402909980532, 1)::float8 as y,
        ${radiusM}::float8 * (0.5 + mod(i * 0.618033988749895, 1)::float8) as r
      from generate_series(1, ${Math.ceil(count * share)}::integer) i
    ),
    ring as (
      select i, ST_SetSRID(ST_MakePolygon(ST_MakeLine(ST_MakePoint(
        x + r * (0.8 + 0.2 * sin(3 * a + i)) * cos(a),
        y + r * (0.8 + 0.2 * sin(3 * a + i)) * sin(a)) order by v)), 25832) as geom
      from centre cross join generate_series(0, ${vertices}::integer) v
      cross join lateral (select 2 * pi() * (v % ${vertices}::integer) / ${vertices}::integer as a) t
      group by i
    )
    insert into stage_feature (run_id, key, object_id, standing, adopted, content_hash,
      attributes, geom)
    select ${RUN}::bigint, i::text, i::text,
      case when i % 30 = 0 then 'repealed' else 'in_force' end, i % 10 <> 0, '\\x00',
      ${ATTRIBUTES}::jsonb, case when ${layer.geometry} = 'line'
        then ST_LineSubstring(ST_ExteriorRing(geom), 0, 0.5) else geom end
    from ring`.execute(store.db);
  const run = { runId: RUN, layer };
  await prepareZones(store.db, run);
  await store.db.transaction().execute(async (trx) => {
    await sql`
      insert into line_feature (layer, key, object_id, standing, adopted, content_hash,
        attributes, area_m2, geom)
      select ${line}, key, object_id, standing, adopted, content_hash, attributes, ST_Area(geom),
        geom
      from stage_feature where run_id = ${RUN}`.execute(trx);
    await applyZones(trx, run);
  });
  await sql`delete from stage_feature where run_id = ${RUN}`.execute(store.db);
  await publish(store, line);
}

const ATTRIBUTES = JSON.stringify({
  category: null,
  dating: null,
  documentUrl: null,
  dykeType: null,
  monumentType: null,
  municipalityCvr: '29188386',
  municipalityName: 'Invented Kommune',
  natureType: 'Mose',
  protectionReason: null,
  protectionStatus: null,
  registeredAt: '2014-03-14T13:26:58Z',
  statusCode: '3',
  statusName: 'Gældende / Vedtaget',
  validFrom: '2014-03-14T13:26:58Z',
});

/** A grid of areas whose borders wind between common corners, 200 vertices a side and more. */
async function fillAreas(store: Store, theme: Theme, { sideM }: Size): Promise<void> {
  const cells = AREAS[theme];
  const cellM = sideM / cells;
  // A border is the same winding line for both its neighbours: it depends on where it runs only.
  await sql`
    with border as (
      select k, step, ${X}::float8 + ${cellM}::float8 * k + 300 * sin(k * 7 + step * 0.3) * sin(pi() * step / 100)
          as bent, ${Y}::float8 + ${cellM}::float8 * step / 100.0 as along
      from generate_series(0, ${cells}::integer) k
      cross join generate_series(0, 100 * ${cells}::integer) step
    ),
    cell as (
      select i, j from generate_series(0, ${cells}::integer - 1) i
      cross join generate_series(0, ${cells}::integer - 1) j
    ),
    ring as (
      select i, j, ST_SetSRID(ST_MakePolygon(ST_AddPoint(line, ST_StartPoint(line))), 25832) as geom
      from cell cross join lateral (
        select ST_MakeLine(ST_MakePoint(bent, along) order by k,
          case when k = i then -step else step end) as line
        from border where k in (i, i + 1) and step between 100 * j and 100 * (j + 1)
      ) l
    )
    insert into area (theme, key, code, name, content_hash, attributes, geom)
    select ${theme}, i || '-' || j, lpad((100 * i + j + 1)::text, 4, '0'), 'Area ' || i || '-' || j,
      '\\x00', '{}', ST_Multi(geom)
    from ring`.execute(store.db);
  await cutNewAreas(store.db, theme);
  await publish(store, theme);
}

async function publish(store: Store, layer: LineKey | Theme): Promise<void> {
  await sql`
    insert into layer_state (layer, version, generation, synced_at, published_at, row_count, area_m2)
    values (${layer}, 1, 1, now(), now(), 0, 0)`.execute(store.db);
}

async function measureAll(store: Store, { sideM }: Size): Promise<BenchRow[]> {
  const points = Array.from({ length: 5_000 }, (_, i) => ({
    xUtm32: X + sideM * ((i * 0.414213562373095) % 1),
    yUtm32: Y + sideM * ((i * 0.732050807568877) % 1),
  }));
  const lines = LINE_KEYS.map((key) => LINE_LAYERS[key]);
  const at = (n: number, many: number) =>
    Array.from({ length: many }, (_, i) => points[(n + i) % points.length]!);
  const rate = (size: number, ask: (n: number) => Promise<unknown>): Promise<number> =>
    itemsPerSecond({ size, warmUps: 50 }, (n) => ask(n * size));
  const beside = ['bare select 1', await rate(1, () => sql`select 1`.execute(store.db))] as const;
  const name = store.kind === 'postgres' ? 'PostgreSQL' : 'embedded';
  const rows: BenchRow[] = [];
  for (const many of [1, 50]) {
    const what = `${many === 1 ? 'one point' : `${many} points`} a statement (${name})`;
    const ten = await rate(many, (n) =>
      readLines(store, { points: at(n, many), lines, radiusM: RADIUS_M }),
    );
    const six = await rate(many, (n) => readCoveringAreas(store, at(n, many)));
    rows.push(
      row(`ten lines, ${what}`, ten, 'points/s', { beside }),
      row(`six themes, ${what}`, six, 'points/s', { beside }),
    );
  }
  return rows;
}
