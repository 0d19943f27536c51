/** Looks through a folder of terrain tiles, whole each time, until it is killed. */
import { lookThrough } from '../../src/registers/terrain/tile-folder.ts';
import { toldOf } from '../support/terrain-tiles.ts';

const [, , folder] = process.argv;
if (folder === undefined) throw new Error('Which folder?');
process.send?.('begun');
for (;;) process.send?.(toldOf(await lookThrough(folder, null)));
