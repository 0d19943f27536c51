/** Debian's MapServer as a WCS 1.0.0 over one raster: an upstream of heights that nobody here wrote. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { boxOfGrid } from '../../src/geo/heights.ts';
import type { RasterGrid } from '../../src/geo/heights.ts';
import { runCgi } from './mapserver.ts';
import { findMapServer } from './programs.ts';

export interface MapServerWcs {
  readonly url: string;
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** The coverage is called `dhm_terraen`. Close it when done. */
export async function startMapServerWcs(raster: string, grid: RasterGrid): Promise<MapServerWcs> {
  const program = findMapServer();
  if (program === null) throw new Error("MapServer is not installed (Debian's cgi-mapserver)");
  const dir = mkdtempSync(join(tmpdir(), 'geoopslag-wcs-'));
  const requests: string[] = [];
  const conf = join(dir, 'mapserver.conf');
  writeFileSync(
    conf,
    'CONFIG\n  ENV\n    MS_MAP_NO_PATH "1"\n    MS_MAP_PATTERN "."\n  END\nEND\n',
  );
  const server = createServer((request, response) => {
    const { search } = new URL(request.url ?? '/', 'http://bridge');
    requests.push(search.slice(1));
    void runCgi(program, response, {
      MAPSERVER_CONFIG_FILE: conf,
      MS_MAPFILE: join(dir, 'wcs.map'),
      REQUEST_METHOD: 'GET',
      QUERY_STRING: search.slice(1),
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/wcs`;
  writeFileSync(join(dir, 'wcs.map'), mapFile(url, raster, grid));
  return {
    url,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((done) => server.close(() => done()));
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function mapFile(url: string, raster: string, grid: RasterGrid): string {
  const { minX, minY, maxX, maxY } = boxOfGrid(grid);
  const extent = `${minX} ${minY} ${maxX} ${maxY}`;
  return `MAP
  NAME "wcs"
  SIZE 100 100
  MAXSIZE 4096
  EXTENT ${extent}
  PROJECTION "init=epsg:25832" END
  OUTPUTFORMAT
    NAME "GTiff"
    DRIVER "GDAL/GTiff"
    MIMETYPE "image/tiff"
    IMAGEMODE FLOAT32
    EXTENSION "tif"
    FORMATOPTION "NULLVALUE=-9999"
  END
  WEB
    METADATA
      "ows_enable_request" "*"
      "wcs_label" "Heights"
      "wcs_onlineresource" "${url}?"
    END
  END
  LAYER
    NAME "dhm_terraen"
    TYPE RASTER
    STATUS ON
    DATA "${raster}"
    PROJECTION "init=epsg:25832" END
    METADATA
      "wcs_label" "Heights"
      "wcs_extent" "${extent}"
      "wcs_size" "${grid.columns} ${grid.rows}"
      "wcs_formats" "GTiff"
      "wcs_nativeformat" "GTiff"
      "wcs_rangeset_name" "Heights"
      "wcs_rangeset_label" "Heights"
      "wcs_rangeset_nullvalue" "-9999"
    END
  END
END
`;
}
