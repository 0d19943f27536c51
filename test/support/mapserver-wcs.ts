/** Debian's MapServer as a WCS 1.0.0 over one raster: an upstream of heights that nobody here wrote. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { boxOfGrid } from '../../src/geo/heights.ts';
import type { RasterGrid } from '../../src/geo/heights.ts';
import { serveMaps } from './mapserver.ts';
import type { MapFolder } from './mapserver.ts';

/** The coverage is called `dhm_terraen`. Close it when done. */
export async function startMapServerWcs(raster: string, grid: RasterGrid): Promise<MapFolder> {
  const dir = mkdtempSync(join(tmpdir(), 'geoopslag-wcs-'));
  const folder = await serveMaps(dir);
  const url = `${folder.url}/wcs`;
  writeFileSync(join(dir, 'wcs.map'), mapFile(url, raster, grid));
  return { ...folder, url };
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
