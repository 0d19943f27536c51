/**
 * What others do with the same question over the same data: PostGIS one point a round trip and fifty
 * a statement, and a WFS that nobody here wrote (Debian's MapServer over the same tables), asked for
 * all features of the ten types in the box, which a client would still have to measure.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openStore } from '../src/db/connect.ts';
import { pointFromWgs84 } from '../src/geo/project.ts';
import type { PointUtm32 } from '../src/geo/point.ts';
import { LINE_LAYERS } from '../src/layers/catalogue.ts';
import { LINE_KEYS } from '../src/layers/keys.ts';
import { readLines } from '../src/registers/building-lines/store.ts';
import { findMapServer } from '../test/support/real-data.ts';
import type { Data } from './data.ts';
import type { Place } from './places.ts';
import { row } from './row.ts';
import type { BenchRow } from './row.ts';

const RADIUS_M = 500;
const LEAST_MS = 2_000;
const WARM_UP = 5;
const BATCH = 50;
const MOST_BYTES = 512 * 1024 * 1024;

/** Rows for the table; `ours`: points a second over HTTP. Needs PostgreSQL: none on the embedded store. */
export async function referenceRows(
  { databaseUrl, dataDir }: Pick<Data, 'databaseUrl' | 'dataDir'>,
  places: readonly Place[],
  ours: number,
): Promise<BenchRow[]> {
  if (databaseUrl === null) return [];
  const points = places.map((place) => pointFromWgs84(place).utm32);
  const store = await openStore({
    databaseUrl,
    dataDir,
    purpose: 'sync',
    maxConnections: 1,
    log: console,
  });
  const lines = LINE_KEYS.map((key) => LINE_LAYERS[key]);
  const rowOf = (what: string, value: number) =>
    row({
      what: 'ten-line batch of 50 over HTTP',
      value: ours,
      unit: 'points/s',
      reference: { what, value },
    });
  try {
    const ask = (some: readonly PointUtm32[]) =>
      readLines(store, { points: some, lines, radiusM: RADIUS_M });
    const one = await rate(1, points, ask);
    const many = await rate(BATCH, points, ask);
    const wfs = await mapServerRate(databaseUrl, points);
    return [
      rowOf('PostGIS, one point a round trip', one),
      rowOf(`PostGIS, ${BATCH} points a statement`, many),
      ...(wfs === null ? [] : [rowOf('MapServer WFS, GetFeature of ten types in the box', wfs)]),
    ];
  } finally {
    await store.close();
  }
}

/** Points a second, one question after the other. */
async function rate(
  many: number,
  points: readonly PointUtm32[],
  ask: (some: readonly PointUtm32[]) => Promise<unknown>,
): Promise<number> {
  const at = (n: number): PointUtm32[] =>
    Array.from({ length: many }, (_, i) => points[(n * many + i) % points.length]!);
  for (let n = 0; n < WARM_UP; n++) await ask(at(n));
  const start = performance.now();
  let asked = 0;
  while (performance.now() - start < LEAST_MS) {
    await ask(at(WARM_UP + asked));
    asked += 1;
  }
  return (1000 * asked * many) / (performance.now() - start);
}

/** A process a request, as CGI is. null: not installed. */
async function mapServerRate(
  databaseUrl: string,
  points: readonly PointUtm32[],
): Promise<number | null> {
  const program = findMapServer();
  if (program === null) return null;
  const dir = mkdtempSync(join(tmpdir(), 'geoopslag-bench-wfs-'));
  const mapFile = join(dir, 'lines.map');
  const settings = join(dir, 'mapserver.conf');
  writeFileSync(mapFile, mapText(databaseUrl));
  writeFileSync(
    settings,
    'CONFIG\n  ENV\n    MS_MAP_NO_PATH "1"\n    MS_MAP_PATTERN "."\n  END\nEND\n',
  );
  const run = promisify(execFile);
  const ask = async ([point]: readonly PointUtm32[]): Promise<void> => {
    if (point === undefined) throw new Error('No point.');
    const { xUtm32: x, yUtm32: y } = point;
    const box = [x - RADIUS_M, y - RADIUS_M, x + RADIUS_M, y + RADIUS_M].join(',');
    const query =
      `service=WFS&version=2.0.0&request=GetFeature&typeNames=${LINE_KEYS.join(',')}` +
      `&srsName=EPSG:25832&bbox=${box},EPSG:25832`;
    const { stdout } = await run(program, [], {
      env: {
        MAPSERVER_CONFIG_FILE: settings,
        MS_MAPFILE: mapFile,
        REQUEST_METHOD: 'GET',
        QUERY_STRING: query,
      },
      maxBuffer: MOST_BYTES,
    });
    if (!stdout.includes('FeatureCollection')) throw new Error(stdout.slice(0, 500));
  };
  try {
    return await rate(1, points, ask);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function mapText(databaseUrl: string): string {
  const { hostname, port, username, password, pathname, searchParams } = new URL(databaseUrl);
  const connection = Object.entries({
    host: searchParams.get('host') ?? decodeURIComponent(hostname),
    port,
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    dbname: pathname.slice(1),
  })
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
  const layers = LINE_KEYS.map(
    (key) => `  LAYER
    NAME "${key}"
    TYPE ${LINE_LAYERS[key].geometry === 'line' ? 'LINE' : 'POLYGON'}
    STATUS ON
    CONNECTIONTYPE POSTGIS
    CONNECTION "${connection}"
    DATA "geom from (select key, object_id, attributes::text as attributes, geom from line_feature where layer = '${key}') as f using unique key using srid=25832"
    PROCESSING "CLOSE_CONNECTION=DEFER"
    PROJECTION "init=epsg:25832" END
    METADATA "wfs_title" "${key}" "wfs_srs" "EPSG:25832" "gml_include_items" "all" "gml_featureid" "key" END
  END
`,
  );
  return `MAP
  NAME "lines"
  EXTENT 400000 6000000 950000 6450000
  PROJECTION "init=epsg:25832" END
  WEB METADATA "ows_enable_request" "*" "wfs_title" "Lines" "wfs_onlineresource" "http://localhost/?" "wfs_srs" "EPSG:25832" END END
${layers.join('')}END
`;
}
