/** Looks through a folder of terrain tiles, whole each time, until it is killed. */
import { lookThrough } from '../../src/registers/terrain/tile-folder.ts';
import { victimSettings } from '../support/crash-kit.ts';
import { toldOf } from '../support/terrain-tiles.ts';

const folder = victimSettings() as string;
process.send?.('begun');
for (;;) process.send?.(toldOf(await lookThrough(folder, null)));
