/** A scan replaces the index only when it completes. Known files keep their headers. */
import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { LIMITS } from '../../kernel/limits.ts';
import { BoxGrid } from '../../geo/box-grid.ts';
import { boxOfGrid } from '../../geo/heights.ts';
import type { RasterGrid } from '../../geo/heights.ts';
import type { PointUtm32 } from '../../geo/point.ts';
import { TERRAIN_MODELS } from './terrain.ts';
import type { TerrainModel } from './terrain.ts';
import { RasterRefused } from './byte-source.ts';
import { openRaster } from './raster.ts';
import type { BlockLayout } from './raster.ts';
import { TileUnreadable, identityOf, isSameFile, withTile } from './tile-file.ts';
import type { FileIdentity } from './tile-file.ts';

export interface Tile {
  /** Unique per content; a cache key. */
  readonly id: number;
  readonly name: string;
  readonly path: string;
  readonly identity: FileIdentity;
  readonly grid: RasterGrid;
  readonly blocks: BlockLayout;
  readonly noData: number | null;
}

export interface RefusedTile {
  readonly name: string;
  readonly why: string;
}

export interface TileIndex {
  readonly tiles: Readonly<Record<TerrainModel, readonly Tile[]>>;
  readonly refused: readonly RefusedTile[];
  /** Finest first. */
  at(model: TerrainModel, point: PointUtm32): Tile[];
}

/** Throws the system's error where the folder cannot be read. */
export async function lookThrough(folder: string, before: TileIndex | null): Promise<TileIndex> {
  const known = new Map(
    TERRAIN_MODELS.flatMap((model) => before?.tiles[model] ?? []).map((tile) => [tile.path, tile]),
  );
  const refused: RefusedTile[] = [];
  const top = await readdir(folder, { withFileTypes: true });
  const tiles: Record<TerrainModel, readonly Tile[]> = { terraen: [], overflade: [] };
  for (const model of TERRAIN_MODELS) {
    const there = top.find(({ name }) => name === model);
    if (there === undefined) continue;
    if (!there.isDirectory()) {
      refused.push({ name: model, why: 'is no folder; links are not followed' });
      continue;
    }
    const found = new Look({ folder, known, refused });
    tiles[model] = await found.tilesBelow(model);
  }
  return indexOf(tiles, refused);
}

function indexOf(tiles: TileIndex['tiles'], refused: readonly RefusedTile[]): TileIndex {
  const gridOf = (own: readonly Tile[]) => new BoxGrid(own.map(({ grid }) => boxOfGrid(grid)));
  const grids = { terraen: gridOf(tiles.terraen), overflade: gridOf(tiles.overflade) };
  return {
    tiles,
    refused,
    at: (model, point) =>
      grids[model].at(point).flatMap((n) => {
        const tile = tiles[model][n];
        return tile === undefined ? [] : [tile];
      }),
  };
}

let lastId = 0;

interface LookOf {
  readonly folder: string;
  readonly known: ReadonlyMap<string, Tile>;
  readonly refused: RefusedTile[];
}

class Look {
  readonly #of: LookOf;
  readonly #names: string[] = [];

  constructor(of: LookOf) {
    this.#of = of;
  }

  async tilesBelow(name: string): Promise<readonly Tile[]> {
    await this.#walk(name, 1);
    const names = this.#names.toSorted();
    const tiles: Tile[] = [];
    const next = names.values();
    const readers = Array.from({ length: LIMITS.terrain.headersAtATime }, async () => {
      // All workers take from one queue.
      for (const each of next) {
        const tile = await this.#tileAt(each);
        if (tile !== null) tiles.push(tile);
      }
    });
    await Promise.all(readers);
    return tiles.sort((a, b) => areaOf(a) - areaOf(b) || (a.name < b.name ? -1 : 1));
  }

  async #walk(below: string, depth: number): Promise<void> {
    if (depth > LIMITS.terrain.folderDepth) {
      this.#refuse(below, `lies more than ${LIMITS.terrain.folderDepth} folders deep`);
      return;
    }
    for (const entry of await readdir(join(this.#of.folder, below), { withFileTypes: true })) {
      const name = join(below, entry.name);
      if (entry.isDirectory()) await this.#walk(name, depth + 1);
      else if (/\.tiff?$/i.test(entry.name)) this.#take(name, entry);
    }
  }

  #take(name: string, entry: Dirent): void {
    if (!entry.isFile()) this.#refuse(name, 'is no file of its own; links are not followed');
    else if (this.#names.length < LIMITS.terrain.tiles) this.#names.push(name);
    else this.#refuse(name, `comes after ${LIMITS.terrain.tiles} others`);
  }

  async #tileAt(name: string): Promise<Tile | null> {
    const path = join(this.#of.folder, name);
    try {
      const identity = identityOf(await lstat(path));
      const before = this.#of.known.get(path);
      if (before !== undefined && isSameFile(before.identity, identity)) return before;
      const { grid, blocks, noData } = await withTile(path, identity, openRaster);
      return { id: (lastId += 1), name, path, identity, grid, blocks, noData };
    } catch (error) {
      this.#refuse(name, whyOf(error));
      return null;
    }
  }

  #refuse(name: string, why: string): void {
    this.#of.refused.push({ name, why });
  }
}

function whyOf(error: unknown): string {
  if (error instanceof RasterRefused || error instanceof TileUnreadable) return error.message;
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined ? `cannot be read (${String(error)})` : `cannot be read (${code})`;
}

function areaOf({ grid }: Tile): number {
  return grid.cellX * grid.cellY;
}
