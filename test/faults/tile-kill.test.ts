/**
 * kill -9 of a process that looks through the tiles of DHM_DIR. Of its index nothing is on the disk: the folder is
 * as it was, nothing lies beside it, and the look of the next process is whole.
 */
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRandom } from '../../sample/data/random.ts';
import { lookThrough } from '../../src/registers/terrain/tile-folder.ts';
import { killAt } from '../support/crash-kit.ts';
import { TEST_SEED, amountOf } from '../support/run-settings.ts';
import { gridAt, makeTileFolder, tiffOf, toldOf } from '../support/terrain-tiles.ts';
import type { TileFolder } from '../support/terrain-tiles.ts';

const KILLS = amountOf({ gate: 2, night: 40 });
const TILES = 200;
/** A look at so many takes some 30 ms. */
const LONGEST_MS = 60;

let folder: TileFolder;
beforeAll(() => {
  folder = makeTileFolder();
  for (let n = 0; n < TILES; n += 1) {
    const grid = gridAt(640_000 + 640 * (n % 20), 6_320_000 - 640 * Math.floor(n / 20));
    folder.put(
      join('terraen', `${n}.tif`),
      tiffOf(grid, () => n),
    );
  }
  folder.put(join('terraen', 'no-raster.tif'), Buffer.from('<html/>'));
});
afterAll(() => folder.remove());

function content(): string {
  const names = readdirSync(folder.path, { recursive: true, encoding: 'utf8' }).sort();
  return JSON.stringify(
    names.map((name) => {
      const path = join(folder.path, name);
      const { size, mtimeMs } = statSync(path);
      return [name, size, mtimeMs, statSync(path).isFile() ? readFileSync(path, 'hex') : null];
    }),
  );
}

test('a look at the tiles that is killed leaves the folder as it was, and the next is whole', async () => {
  const draw = createRandom(`tile kills ${TEST_SEED}`);
  const [before, whole] = [content(), toldOf(await lookThrough(folder.path, null))];
  expect(whole).toContain('no-raster.tif');
  for (let n = 0; n < KILLS; n += 1) {
    const path = join(import.meta.dirname, 'tile-kill-child.ts');
    const afterMs = draw.between(0, LONGEST_MS);
    const told = await killAt(path, folder.path, { isTime: () => true, afterMs });
    // A look that ended before was whole, too.
    expect(new Set(told)).toEqual(new Set(told.length > 1 ? ['begun', whole] : ['begun']));
    expect(content()).toBe(before);
    expect(toldOf(await lookThrough(folder.path, null))).toBe(whole);
  }
});
