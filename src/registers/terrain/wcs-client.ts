/**
 * Reads and verifies one window of a WCS 1.0.0: a GeoTIFF of exactly the requested cells. Anything
 * else is an UpstreamFailure.
 */
import type { Clock } from '../../kernel/clock.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { Slice } from '../../kernel/turns.ts';
import { areOneGrid, heightOf } from '../../geo/heights.ts';
import type { RasterGrid } from '../../geo/heights.ts';
import type { TerrainModel, TerrainSource } from './terrain.ts';
import { LIVE_BACKOFF } from '../../wfs/backoff.ts';
import type { Backoff } from '../../wfs/backoff.ts';
import { errorWords } from '../../wfs/error-words.ts';
import { upstreamAgent } from '../../wfs/exchange.ts';
import { UpstreamFailure } from '../../wfs/failure.ts';
import { inspect } from '../../wfs/inspect.ts';
import { upstreamUrl } from '../../wfs/request.ts';
import { retry } from '../../wfs/retry.ts';
import { getBytes } from '../../wfs/stream.ts';
import { inTime } from '../../wfs/window.ts';
import { RasterRefused, bytesInMemory } from './byte-source.ts';
import { openRaster } from './raster.ts';

export interface WcsQuestion {
  readonly model: TerrainModel;
  readonly grid: RasterGrid;
  readonly apiKey: string | null;
}

export interface WcsClient {
  /** Row by row, NaN without data. Throws UpstreamFailure. */
  fetchWindow(source: TerrainSource, question: WcsQuestion): Promise<Float32Array>;
  close(): Promise<void>;
}

export interface WcsClientOptions {
  readonly clock: Clock;
  readonly backoff?: Backoff;
}

export function createWcsClient({ clock, backoff = LIVE_BACKOFF }: WcsClientOptions): WcsClient {
  const dispatcher = upstreamAgent();
  return {
    fetchWindow: async (source, question) => {
      const { host, tries, pointTimeoutMs } = source;
      const url = windowUrl(source, question);
      const endsMs = performance.now() + pointTimeoutMs;
      // The time left for all retries, so that a hanging host differs from an aborted request.
      const ask = () =>
        getBytes(url, {
          ...{ dispatcher, clock, signal: undefined, maxBytes: mostBytes(question.grid) },
          timeoutMs: Math.max(1, Math.round(endsMs - performance.now())),
        });
      const tell = async () => await readWindow(await ask(), { source, grid: question.grid, url });
      return await inTime(pointTimeoutMs, undefined, (signal) =>
        retry({ host, tries, backoff, signal }, tell),
      );
    },
    close: () => dispatcher.close(),
  };
}

/** An uncompressed 64-bit raster with a generous header. */
function mostBytes({ columns, rows }: RasterGrid): number {
  return 8 * columns * rows + LIMITS.upstreamErrorBytes;
}

/** Micrometres: sums of 0.4 m are inexact in the last bits. */
const BOX_DECIMALS = 6;

function windowUrl(source: TerrainSource, { model, grid, apiKey }: WcsQuestion): URL {
  const { west, north, cellX, cellY, columns, rows } = grid;
  const box = [west, north - rows * cellY, west + columns * cellX, north];
  return upstreamUrl(source, apiKey, {
    service: 'WCS',
    version: '1.0.0',
    request: 'GetCoverage',
    coverage: source.coverages[model],
    crs: 'EPSG:25832',
    bbox: box.map((metres) => Number(metres.toFixed(BOX_DECIMALS))).join(','),
    width: columns,
    height: rows,
    format: source.format,
  });
}

async function readWindow(
  bytes: Uint8Array,
  of: { readonly source: TerrainSource; readonly grid: RasterGrid; readonly url: URL },
): Promise<Float32Array> {
  const { source, grid: asked, url } = of;
  if (!isTiff(bytes)) throw noTiff(bytes, url);
  try {
    const from = bytesInMemory(bytes);
    const raster = await openRaster(from);
    checkPlace(raster.grid, asked);
    const cells = new Float32Array(asked.columns * asked.rows);
    const seen = { heights: 0, unknown: 0 };
    const { noData } = raster;
    const marks = noData === null ? source.noData : [noData, ...source.noData];
    const { columns, rows, across } = raster.blocks;
    const count = across * Math.ceil(asked.rows / rows);
    for (let n = 0; n < count; n++) {
      const at = { column: (n % across) * columns, row: Math.floor(n / across) * rows };
      const block = { cells: await raster.readBlock(n, from), ...at, columns, rows };
      await takeBlock({ cells, asked, seen }, block, marks);
    }
    if (seen.heights === 0 && seen.unknown > 0) {
      throw new UpstreamFailure('unreadable', 'not one value of the window is a height or a mark');
    }
    return cells;
  } catch (error) {
    if (!(error instanceof RasterRefused)) throw error;
    const kind = error.kind === 'cut_off' ? 'truncated' : 'unreadable';
    throw new UpstreamFailure(kind, `the GeoTIFF: ${error.message}`);
  }
}

function isTiff(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, 4)).toString('latin1');
  return ['II*\0', 'II+\0', 'MM\0*', 'MM\0+'].includes(head);
}

/** 200 with something other than a TIFF; quotes its text if any. */
function noTiff(bytes: Uint8Array, url: URL): UpstreamFailure {
  const head = bytes.subarray(0, LIMITS.upstreamErrorBytes);
  const words = errorWords(head, url);
  const { kind } = inspect(head);
  if (kind === 'exception') {
    const message = `answered 200 with an exception report: ${words}`;
    return new UpstreamFailure('exception_report', message, { status: 200, exceptionText: words });
  }
  const what = kind === 'html' ? 'an HTML page' : 'no GeoTIFF';
  const message = `answered 200 with ${what}${words && `: ${words}`}`;
  return new UpstreamFailure('not_wfs', message, { status: 200 });
}

/** A window of another place or cell size has other heights. */
function checkPlace(grid: RasterGrid, asked: RasterGrid): void {
  const slack = { x: asked.cellX / 100, y: asked.cellY / 100 };
  const isSame =
    grid.columns === asked.columns &&
    grid.rows === asked.rows &&
    Math.abs(grid.west - asked.west) <= slack.x &&
    Math.abs(grid.north - asked.north) <= slack.y &&
    areOneGrid(asked, { ...grid, west: asked.west, north: asked.north });
  if (!isSame) throw new RasterRefused('refused', 'it is of another place than the one asked for');
}

interface Filled {
  readonly cells: Float32Array;
  readonly asked: RasterGrid;
  readonly seen: { heights: number; unknown: number };
}

interface Block {
  readonly cells: ArrayLike<number>;
  readonly column: number;
  readonly row: number;
  readonly columns: number;
  readonly rows: number;
}

async function takeBlock(
  { cells, asked, seen }: Filled,
  block: Block,
  marks: readonly number[],
): Promise<void> {
  const slice = new Slice();
  const columns = Math.min(block.columns, asked.columns - block.column);
  const rows = Math.min(block.rows, asked.rows - block.row);
  for (let row = 0; row < rows; row++) {
    if (slice.isOver) await slice.next();
    const to = (block.row + row) * asked.columns + block.column;
    for (let column = 0; column < columns; column++) {
      const value = block.cells[row * block.columns + column] ?? NaN;
      const height = isMark(value, marks) ? NaN : heightOf(value, null);
      cells[to + column] = height;
      if (!Number.isNaN(height)) seen.heights += 1;
      else if (!isMark(value, marks)) seen.unknown += 1;
    }
  }
}

function isMark(value: number, marks: readonly number[]): boolean {
  return Number.isNaN(value) || marks.includes(value);
}
