/**
 * The four cells around a point, also across tile borders. An unreadable cell is a failure, not a
 * height.
 */
import { cacheByBytes } from '../../kernel/cache.ts';
import { Flights } from '../../kernel/remember.ts';
import { localLimiters } from '../../kernel/limiters.ts';
import type { Limiters } from '../../kernel/limiters.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { Semaphore } from '../../kernel/semaphore.ts';
import { within } from '../../kernel/within.ts';
import { areOneGrid, centreOf, heightBetween, heightOf, placeIn } from '../../geo/heights.ts';
import type { FourHeights } from '../../geo/heights.ts';
import type { PointUtm32 } from '../../geo/point.ts';
import type { TerrainModel } from './terrain.ts';
import { openRaster } from './raster.ts';
import type { Cells, HeightRaster } from './raster.ts';
import { TileUnreadable, withTile } from './tile-file.ts';
import type { Tile, TileIndex } from './tile-folder.ts';

export interface TileHeight {
  readonly heightM: number | null;
  readonly resolutionM: number;
  readonly writtenMs: number;
}

interface BlockName {
  readonly tile: Tile;
  readonly block: number;
}

export class TileReader {
  readonly #headers = cacheByBytes<HeightRaster>(
    LIMITS.terrain.headerCacheBytes,
    ({ bytes }) => bytes,
  );
  readonly #blocks = cacheByBytes<Cells>(
    LIMITS.terrain.blockCacheBytes,
    ({ byteLength }) => byteLength,
  );
  readonly #underWay = new Flights<string, Cells>();
  readonly #reads: Semaphore;

  constructor(limiters: Limiters = localLimiters()) {
    const { reads } = LIMITS.terrain;
    this.#reads = new Semaphore(limiters.permits('terrain tiles', reads.atATime), reads.waiting);
  }

  /**
   * From the finest tile with a height, else the finest that contains the point; null: none does.
   * Throws TileUnreadable or RasterRefused where an unreadable tile might have a height.
   */
  async heightAt(
    index: TileIndex,
    model: TerrainModel,
    point: PointUtm32,
  ): Promise<TileHeight | null> {
    let finest: TileHeight | null = null;
    let failure: unknown = null;
    for (const tile of index.at(model, point)) {
      try {
        const heightM = await this.#heightIn(tile, point, (at) => index.at(model, at));
        const { cellX, cellY } = tile.grid;
        const resolutionM = Math.max(cellX, cellY);
        const height = { heightM, resolutionM, writtenMs: tile.identity.changedMs };
        if (heightM !== null) return height;
        finest ??= height;
      } catch (error) {
        failure ??= error;
      }
    }
    // "No data" is not reported while a tile that might have some is unread.
    if (failure !== null) throw failure as Error;
    return finest;
  }

  async #heightIn(
    tile: Tile,
    point: PointUtm32,
    tilesAt: (point: PointUtm32) => Tile[],
  ): Promise<number | null> {
    const place = placeIn(tile.grid, point);
    const { column, row } = place;
    // Held for this point, because others may evict it from the cache meanwhile.
    const held = new Map<string, Cells>();
    const four = new Float64Array(4);
    for (let n = 0; n < 4; n++) {
      const at = { column: column + (n % 2), row: row + (n < 2 ? 0 : 1) };
      four[n] = await this.#cell(this.#ownerOf(tile, at, tilesAt), held);
    }
    return heightBetween(four as unknown as FourHeights, place, tile.grid);
  }

  #ownerOf(tile: Tile, at: CellIn, tilesAt: (point: PointUtm32) => Tile[]): OwnedCell | null {
    if (isWithin(tile, at)) return { tile, ...at };
    const centre = centreOf(tile.grid, at.column, at.row);
    const next = tilesAt(centre).find((other) => areOneGrid(tile.grid, other.grid));
    if (next === undefined) return null;
    const { column, row, east, south } = placeIn(next.grid, centre);
    const found = { column: column + Math.round(east), row: row + Math.round(south) };
    return isWithin(next, found) ? { tile: next, ...found } : null;
  }

  async #cell(cell: OwnedCell | null, held: Map<string, Cells>): Promise<number> {
    if (cell === null) return NaN;
    const { tile, column, row } = cell;
    const { columns, rows, across } = tile.blocks;
    const block = Math.floor(row / rows) * across + Math.floor(column / columns);
    const key = `${tile.id}/${block}`;
    const known = held.get(key) ?? this.#blocks.get(key);
    const cells = known ?? (await this.#read(key, { tile, block }));
    held.set(key, cells);
    const value = cells[(row % rows) * columns + (column % columns)];
    return value === undefined ? NaN : heightOf(value, tile.noData);
  }

  /** Concurrent callers share one read. */
  async #read(key: string, name: BlockName): Promise<Cells> {
    return await this.#underWay.of(key, async () => {
      const cells = await inTime(this.#reads.run('', () => this.#readBlock(name), tooMany));
      this.#blocks.set(key, cells);
      return cells;
    });
  }

  async #readBlock({ tile, block }: BlockName): Promise<Cells> {
    const { id, path, identity } = tile;
    return await withTile(path, identity, async (source) => {
      const raster = this.#headers.get(String(id)) ?? (await openRaster(source));
      this.#headers.set(String(id), raster);
      return await raster.readBlock(block, source);
    });
  }
}

interface CellIn {
  readonly column: number;
  readonly row: number;
}

interface OwnedCell extends CellIn {
  readonly tile: Tile;
}

function isWithin({ grid }: Tile, { column, row }: CellIn): boolean {
  return column >= 0 && row >= 0 && column < grid.columns && row < grid.rows;
}

/** A hanging disk makes the tile unreadable. */
function inTime<T>(work: Promise<T>): Promise<T> {
  const { readMs } = LIMITS.terrain;
  return within(readMs, work, () => {
    throw new TileUnreadable(`did not come within ${readMs} ms`);
  });
}

function tooMany(): TileUnreadable {
  return new TileUnreadable('was not read: too many readings wait already');
}
