/**
 * The sample's WCS 1.0.0: GetCoverage of both models as GeoTIFF, and old-style exception reports.
 */
import type { RasterGrid } from '../../../src/geo/heights.ts';
import { DHM_WCS, TERRAIN_MODELS } from '../../../src/registers/terrain/terrain.ts';
import type { TerrainModel } from '../../../src/registers/terrain/terrain.ts';
import { readParameters, replyOf, UNAUTHORIZED } from '../../http.ts';
import type { Parameters, Reply } from '../../http.ts';
import { NO_HEIGHT, sampleCells } from './heights.ts';
import { writeGeoTiff } from './write-geotiff.ts';

export const TERRAIN_HOST = 'terrain';
export const TERRAIN_PATH = '/terrain/wcs';

const MOST_CELLS = 8 * 1024 * 1024;

interface Coverage {
  readonly model: TerrainModel;
  readonly grid: RasterGrid;
}

/** Never throws. Any key is accepted, but there must be one. */
export function answerCoverage(url: URL): Reply {
  const asked = readParameters(url);
  if (!asked.get('apikey')) return replyOf(401, UNAUTHORIZED, { 'content-type': 'text/plain' });
  const coverage = coverageAsked(asked);
  if (typeof coverage === 'string') return report(coverage);
  const { model, grid } = coverage;
  return tiff(
    writeGeoTiff({ grid, cells: sampleCells(model, grid), noData: NO_HEIGHT, isDeflated: false }),
  );
}

/** The requested window with one value in every cell and no no-data mark. */
export function coverageOfOne(url: URL, value: number): Reply {
  const coverage = coverageAsked(readParameters(url));
  if (typeof coverage === 'string') return report(coverage);
  const { grid } = coverage;
  const cells = new Float32Array(grid.columns * grid.rows).fill(value);
  return tiff(writeGeoTiff({ grid, cells, noData: null }));
}

function coverageAsked(asked: Parameters): Coverage | string {
  if (asked.get('request')?.toLowerCase() !== 'getcoverage') return 'Only GetCoverage';
  const model = TERRAIN_MODELS.find((each) => DHM_WCS.coverages[each] === asked.get('coverage'));
  if (model === undefined) return 'No such coverage';
  if (asked.get('crs') !== 'EPSG:25832') return 'crs must be EPSG:25832';
  if (asked.get('format') !== 'GTiff') return 'format must be GTiff';
  const grid = gridAsked(asked);
  return grid === null ? 'bbox, width or height is wrong' : { model, grid };
}

function gridAsked(asked: Parameters): RasterGrid | null {
  const box = (asked.get('bbox') ?? '').split(',').map(Number);
  const [west = NaN, south = NaN, east = NaN, north = NaN] = box;
  const [columns, rows] = [Number(asked.get('width')), Number(asked.get('height'))];
  const isWhole = columns > 0 && rows > 0 && columns * rows <= MOST_CELLS;
  if (!isWhole || !(east > west) || !(north > south)) return null;
  const [cellX, cellY] = [(east - west) / columns, (north - south) / rows];
  return { west, north, cellX, cellY, columns, rows };
}

function tiff(body: Buffer): Reply {
  return replyOf(200, body, { 'content-type': 'image/tiff' });
}

function report(words: string): Reply {
  const body =
    '<?xml version="1.0"?>\n<ServiceExceptionReport version="1.2.0" ' +
    `xmlns="http://www.opengis.net/ogc"><ServiceException>${words}</ServiceException>` +
    '</ServiceExceptionReport>\n';
  return replyOf(200, body, { 'content-type': 'application/xml' });
}
