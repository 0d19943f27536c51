/** Which files of published versions are kept, and which are removed when another version is in service. */
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { PublishedVersion } from '../../src/layers/published-copy.ts';
import { VersionFiles } from '../../src/core/loading/version-files.ts';
import type { FileEnding } from '../../src/core/loading/version-files.ts';
import { testFolder } from '../support/opened.ts';

function version(layer: PublishedVersion['layer'], number: number): PublishedVersion {
  return { layer, version: number, syncedAtMs: 0, held: false, publishedAtMs: number };
}

// One of each ending: a new one must be known to what removes old files.
const ENDINGS: Record<FileEnding, PublishedVersion['layer']> = {
  idx: 'kommune',
  fgb: 'kommune',
  book: 'adresser',
  bfe: 'bbr',
  rec: 'bbr',
  wkb: 'stednavne',
};

test.each(Object.entries(ENDINGS) as [FileEnding, PublishedVersion['layer']][])(
  'of a mirror with files .%s those of other versions are removed, unfinished ones too',
  async (ending, layer) => {
    const directory = testFolder('version-files');
    const files = new VersionFiles(directory, () => undefined);
    const [old, kept] = [1, 2].map((number) => files.pathOf(version(layer, number), ending));
    const unfinished = `${old ?? ''}.0a1b2c.part`;
    for (const path of [old ?? '', unfinished, kept ?? '']) await writeFile(path, '');
    await files.keepOnly([version(layer, 2)]);
    const left = await readdir(directory);
    expect(left.map((name) => join(directory, name))).toEqual([kept]);
  },
);
