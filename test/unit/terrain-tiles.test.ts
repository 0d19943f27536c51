/** Heights from tiles in a folder: what is read, what is refused, and that nothing refused becomes 0. */
import { renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/kernel/limits.ts';
import { lookThrough } from '../../src/registers/terrain/tile-folder.ts';
import type { TileIndex } from '../../src/registers/terrain/tile-folder.ts';
import { TileReader } from '../../src/registers/terrain/tiles.ts';
import type { TileHeight } from '../../src/registers/terrain/tiles.ts';
import { TileWatch } from '../../src/registers/terrain/tile-watch.ts';
import { makeTileFolder, gridAt, tiffOf } from '../support/terrain-tiles.ts';
import type { TileFolder } from '../support/terrain-tiles.ts';

const [WEST, NORTH] = [650_000, 6_314_000];
const GRID = gridAt(WEST, NORTH);
/** Heights that are the same between the cells as in them. */
const slope = (x: number, y: number): number => (x - WEST) / 100 + (NORTH - y) / 200;

let folder: TileFolder;
beforeEach(() => {
  folder = makeTileFolder();
});

async function ask(index: TileIndex, x: number, y: number): Promise<TileHeight | null> {
  return await new TileReader().heightAt(index, 'terraen', { xUtm32: x, yUtm32: y });
}

/** What tiles of these names tell so far east and south of the corner. */
async function laid(tiles: Readonly<Record<string, Buffer>>) {
  for (const [name, bytes] of Object.entries(tiles)) folder.put(`terraen/${name}.tif`, bytes);
  const index = await lookThrough(folder.path, null);
  return (east: number, south: number) => ask(index, WEST + east, NORTH - south);
}

/** The reasons why the files of the folder are not taken. */
async function refusals(): Promise<string[]> {
  const { tiles, refused } = await lookThrough(folder.path, null);
  expect(tiles.terraen).toEqual([]);
  return refused.map(({ why }) => why);
}

describe('a tile', () => {
  test('goes on in the next one, without a step at the seam', async () => {
    const at = await laid({
      a: tiffOf(GRID, slope),
      b: tiffOf(gridAt(WEST + 640, NORTH), slope),
      'c/d': tiffOf(gridAt(WEST + 640, NORTH - 640), slope),
      'c/e': tiffOf(gridAt(WEST, NORTH - 640), slope),
    });
    for (const [dx, dy] of [
      [638, 100],
      [640, 100],
      [642, 100],
      [644.9, 639],
      [700, 640],
      [700, 643],
    ] as const) {
      expect((await at(dx, dy))?.heightM, `${dx} ${dy}`).toBeCloseTo(dx / 100 + dy / 200, 4);
    }
  });

  test('tells its outermost cell within half a cell of its edge', async () => {
    const at = await laid({ a: tiffOf(GRID, slope) });
    expect((await at(1, 1))?.heightM).toBeCloseTo(slope(WEST + 5, NORTH - 5), 5);
  });

  test('with a hole tells null inside of it and the nearest cell at its edge', async () => {
    const holed = (x: number, y: number) =>
      x > WEST + 200 && x < WEST + 300 ? -9999 : slope(x, y);
    const at = await laid({ a: tiffOf(GRID, holed) });
    expect(await at(250, 300)).toMatchObject({ heightM: null });
    expect((await at(203, 305))?.heightM).toBeCloseTo(slope(WEST + 195, NORTH - 305), 5);
  });

  test('that is finer answers first, and a coarser one where it has nothing', async () => {
    const coarse = { ...GRID, cellX: 20, cellY: 20 };
    const holed = (x: number) => (x > WEST + 320 ? -9999 : 5);
    const at = await laid({ coarse: tiffOf(coarse, () => 7), fine: tiffOf(GRID, holed) });
    expect(await at(100, 100)).toMatchObject({ heightM: 5, resolutionM: 10 });
    expect(await at(500, 100)).toMatchObject({ heightM: 7, resolutionM: 20 });
    expect(await at(900, 100)).toMatchObject({ heightM: 7, resolutionM: 20 });
    expect(await at(-100, 100)).toBeNull();
  });
});

describe('refused, with the reason, is', () => {
  test('what is no TIFF, is cut off, or is of another place', async () => {
    folder.put('terraen/1.tif', Buffer.from('<html>Not found</html>'));
    folder.put('terraen/2.tif', Buffer.alloc(0));
    folder.put('terraen/3.tif', tiffOf(GRID, slope).subarray(0, 100));
    folder.put('terraen/4.tif', tiffOf(gridAt(-500, 50), slope));
    const reasons = await refusals();
    expect(reasons).toHaveLength(4);
    expect(reasons.join()).toMatch(/no TIFF/);
    expect(reasons.join()).toMatch(/does not lie in Denmark/);
  });

  test('a link, also within the folder, and what lies behind one', async () => {
    const outside = makeTileFolder();
    const tile = outside.put('terraen/a.tif', tiffOf(GRID, slope));
    folder.put('terraen/readme.txt', Buffer.from(''));
    symlinkSync(tile, join(folder.path, 'terraen/linked.tif'));
    symlinkSync(join(outside.path, 'terraen'), join(folder.path, 'terraen/further.tif'));
    symlinkSync(join(outside.path, 'terraen'), join(folder.path, 'terraen/further'));
    symlinkSync(join(outside.path, 'terraen'), join(folder.path, 'overflade'));
    const reasons = await refusals();
    expect(reasons).toHaveLength(3);
    for (const reason of reasons) expect(reason).toContain('links are not followed');
  });

  /** The entry of a field in a header as the sample writes it: type, count and value behind its tag. */
  const forged = (tag: number, count: number, value: number | null = null): Buffer => {
    const bytes = tiffOf(GRID, slope);
    for (let at = 10; at < 10 + 14 * 12; at += 12) {
      if (bytes.readUInt16LE(at) !== tag) continue;
      bytes.writeUInt32LE(count, at + 4);
      if (value !== null) bytes.writeUInt32LE(value, at + 8);
    }
    return bytes;
  };

  test.each([
    ['four thousand million offsets', forged(273, 0xffff_ffff)],
    ['a width of four thousand million', forged(256, 1, 0xffff_ffff)],
    ['no width', forged(256, 1, 0)],
    ['two bands', forged(258, 2)],
    ['cells of 16 bits', forged(258, 1, 16)],
    ['whole numbers', forged(339, 1, 1)],
    ['JPEG', forged(259, 1, 7)],
    ['strips of four thousand million rows', forged(278, 1, 0xffff_fff0)],
    [
      'a directory behind the end',
      Buffer.concat([Buffer.from('II*\0\0\0\0\x7f'), Buffer.alloc(64)]),
    ],
    ['the byte order of others', Buffer.from('MM\0*\0\0\0\x08 and so on, for some bytes')],
  ])('a header that says %s', async (_, bytes) => {
    folder.put('terraen/a.tif', bytes);
    expect(await refusals()).toHaveLength(1);
  });

  test('too many fields', async () => {
    const bytes = tiffOf(GRID, slope);
    bytes.writeUInt16LE(LIMITS.terrain.headerFields + 1, 8);
    folder.put('terraen/a.tif', bytes);
    expect((await refusals())[0]).toContain(`at most ${LIMITS.terrain.headerFields}`);
  });
});

test('a tile whose header does not fit its blocks is a failure when it is read', async () => {
  const bytes = tiffOf(GRID, slope);
  bytes.writeUInt32LE(65, 10 + 8);
  const at = await laid({ a: bytes });
  await expect(at(100, 100)).rejects.toThrow('bytes of');
});

describe('a tile that is not what it was', () => {
  test('deleted, written over, or a link by now is a failure', async () => {
    const bytes = tiffOf(GRID, slope);
    const at = await laid({ a: bytes });
    const path = join(folder.path, 'terraen/a.tif');
    const here = () => at(100, 100);
    expect((await here())?.heightM).toBeCloseTo(1.5, 4);
    renameSync(path, join(folder.path, 'moved'));
    await expect(here()).rejects.toThrow('ENOENT');
    symlinkSync(join(folder.path, 'moved'), path);
    await expect(here()).rejects.toThrow('ELOOP');
    rmSync(path);
    writeFileSync(path, bytes);
    await expect(here()).rejects.toThrow('another file');
    renameSync(join(folder.path, 'moved'), path);
    expect((await here())?.heightM).toBeCloseTo(1.5, 4);
    utimesSync(path, 1, 1);
    await expect(here()).rejects.toThrow('another file');
  });

  test.each([
    ['whose blocks are bombs', Buffer.from('x\x9c' + 'A'.repeat(40), 'latin1')],
    ['whose blocks are overwritten', Buffer.alloc(60)],
  ])('%s is a failure, never 0', async (_, junk) => {
    const bytes = tiffOf(GRID, slope);
    bytes.set(junk, bytes.length - 400);
    bytes.fill(7, bytes.length - 200);
    const at = await laid({ a: bytes });
    await expect(at(100, 620)).rejects.toThrow(/unpacked|bytes of/);
  });

  test('does not hide behind a coarser one that has nothing', async () => {
    const coarse = { ...GRID, cellX: 20, cellY: 20 };
    const at = await laid({ coarse: tiffOf(coarse, () => -9999), fine: tiffOf(GRID, slope) });
    rmSync(join(folder.path, 'terraen/fine.tif'));
    await expect(at(100, 100)).rejects.toThrow('ENOENT');
  });
});

test('the folder is watched: new tiles answer, deleted ones do not, the last look stands', async () => {
  folder.put('terraen/a.tif', tiffOf(GRID, slope));
  const said: string[] = [];
  let nowMs = 1_000;
  const clock = { nowMs: () => nowMs };
  const watch = new TileWatch({ folder: folder.path, clock, log: (text) => said.push(text) });
  expect(watch.view()).toMatchObject({ index: null, version: 0, lookedMs: null });
  watch.start();
  const names = () => watch.view().index?.tiles.terraen.map(({ name }) => name);
  await expect.poll(names).toEqual(['terraen/a.tif']);
  const [first] = watch.view().index?.tiles.terraen ?? [];
  folder.put('terraen/b.tif', tiffOf(gridAt(WEST + 640, NORTH), slope));
  await expect.poll(names).toEqual(['terraen/a.tif', 'terraen/b.tif']);
  // What did not change was not read again.
  expect(watch.view().index?.tiles.terraen[0]).toBe(first);
  expect(watch.view().version).toBe(2);
  folder.put('terraen/c.tif', Buffer.from('nothing of the kind'));
  await expect.poll(() => said.join()).toContain('terraen/c.tif: ');
  rmSync(join(folder.path, 'terraen/a.tif'));
  await expect.poll(names).toEqual(['terraen/b.tif']);
  expect(said.join()).toContain('no longer there: terraen/a.tif');
  rmSync(join(folder.path, 'terraen/c.tif'));
  await expect.poll(() => said.at(-1)).toContain('every tile is taken again');
  // An empty folder of another machine: nothing is taken for gone, and the look is no proof.
  nowMs = 2_000;
  rmSync(join(folder.path, 'terraen/b.tif'));
  await expect.poll(() => watch.view().failure).toContain('terraen holds none of the 1 tiles');
  expect(watch.view().lookedMs).toBe(1_000);
  expect(names()).toEqual(['terraen/b.tif']);
  await expect(ask(watch.view().index!, WEST + 700, NORTH - 100)).rejects.toThrow('ENOENT');
  rmSync(folder.path, { recursive: true });
  await expect.poll(() => watch.view().failure).toContain('ENOENT');
  expect(names()).toEqual(['terraen/b.tif']);
  await watch.stop();
});
