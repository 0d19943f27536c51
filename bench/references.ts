/**
 * What others do with the same question over the same data: PostGIS one point a round trip and fifty
 * a statement, and a WFS that nobody here wrote (Debian's MapServer over the same tables), asked for
 * all features of the ten types in the box, which a client would still have to measure.
 */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pointFromWgs84 } from '../src/geo/project.ts';
import type { PointUtm32 } from '../src/geo/point.ts';
import { LINE_LAYERS } from '../src/registers/lines/mirror.ts';
import { LINE_KEYS } from '../src/layers/keys.ts';
import { readLines } from '../src/registers/lines/store.ts';
import { findMapServer } from '../test/support/programs.ts';
import { itemsPerSecond } from './harness/measure.ts';
import { row } from './harness/row.ts';
import type { BenchRow } from './harness/row.ts';
import { openMigrated, temporaryDirectory } from './harness/store.ts';
import type { Cleanup, Data } from './harness/store.ts';
import type { Place } from './places.ts';

const RADIUS_M = 500;
const WARM_UPS = 5;
const BATCH = 50;
const MOST_BYTES = 512 * 1024 * 1024;

/** `ours`: points a second over HTTP. Needs PostgreSQL: no rows on the embedded store. */
export async function referenceRows(
  data: Data,
  places: readonly Place[],
  ours: number,
): Promise<BenchRow[]> {
  if (data.databaseUrl === null) return [];
  await using cleanup = new AsyncDisposableStack();
  const points = places.map((place) => pointFromWgs84(place).utm32);
  const store = await openMigrated(cleanup, data, { maxConnections: 1 });
  const lines = LINE_KEYS.map((key) => LINE_LAYERS[key]);
  const rowOf = (what: string, value: number): BenchRow =>
    row('ten-line batch of 50 over HTTP', ours, 'points/s', { beside: [what, value] });
  const rate = (size: number, ask: (some: readonly PointUtm32[]) => Promise<unknown>) =>
    itemsPerSecond({ size, warmUps: WARM_UPS }, (n) =>
      ask(Array.from({ length: size }, (_, i) => points[(n * size + i) % points.length]!)),
    );
  const ask = (some: readonly PointUtm32[]) =>
    readLines(store, { points: some, lines, radiusM: RADIUS_M });
  const one = rowOf('PostGIS, one point a round trip', await rate(1, ask));
  const many = rowOf(`PostGIS, ${BATCH} points a statement`, await rate(BATCH, ask));
  const askWfs = mapServer(cleanup, data.databaseUrl);
  if (askWfs === null) return [one, many];
  const wfs = 'MapServer WFS, GetFeature of ten types in the box';
  return [one, many, rowOf(wfs, await rate(1, ([point]) => askWfs(point!)))];
}

/** Asks for what is near a point, a process a request, as CGI is. null: not installed. */
function mapServer(
  cleanup: Cleanup,
  databaseUrl: string,
): ((point: PointUtm32) => Promise<void>) | null {
  const program = findMapServer();
  if (program === null) return null;
  const dir = temporaryDirectory(cleanup);
  const mapFile = join(dir, 'lines.map');
  const settings = join(dir, 'mapserver.conf');
  writeFileSync(mapFile, mapText(databaseUrl));
  writeFileSync(
    settings,
    'CONFIG\n  ENV\n    MS_MAP_NO_PATH "1"\n    MS_MAP_PATTERN "."\n  END\nEND\n',
  );
  const run = promisify(execFile);
  return async ({ xUtm32: x, yUtm32: y }) => {
    const box = [x - RADIUS_M, y - RADIUS_M, x + RADIUS_M, y + RADIUS_M].join(',');
    const query =
      `service=WFS&version=2.0.0&request=GetFeature&typeNames=${LINE_KEYS.join(',')}` +
      `&srsName=EPSG:25832&bbox=${box},EPSG:25832`;
    const env = {
      MAPSERVER_CONFIG_FILE: settings,
      MS_MAPFILE: mapFile,
      REQUEST_METHOD: 'GET',
      QUERY_STRING: query,
    };
    const { stdout } = await run(program, [], { env, maxBuffer: MOST_BYTES });
    if (!stdout.includes('FeatureCollection')) throw new Error(stdout.slice(0, 500));
  };
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
