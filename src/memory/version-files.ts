/** The files of published versions in one directory: their names, loading them, removing old ones. */
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ADDRESSES } from '../layers/keys.ts';
import type { PublishedVersion } from '../layers/published-copy.ts';
import { loadSnapshot } from '../snapshot/files.ts';

/**
 * What the engines load, what any GIS opens, the address index; where the records of
 * properties lie, and they themselves; the geometries of places.
 */
export type FileEnding = 'idx' | 'fgb' | 'book' | 'bfe' | 'rec' | 'wkb';

/** Files of a version, unfinished ones included: what it is of, and of which mirror. */
const NAME = /^((\w+)-v\d+-\d+)\.(?:idx|fgb|book|bfe|rec|wkb)(?:\.\w+\.part)?$/;

/** As files have been called since the first release. */
function prefixOf(layer: PublishedVersion['layer']): string {
  return layer === ADDRESSES ? 'addresses' : layer;
}

function stemOf({ layer, version, publishedAtMs }: PublishedVersion): string {
  return `${prefixOf(layer)}-v${version}-${publishedAtMs}`;
}

export class VersionFiles {
  readonly #directory: string;
  readonly #log: (message: string) => void;

  constructor(directory: string, log: (message: string) => void) {
    this.#directory = directory;
    this.#log = log;
  }

  /** Where the file of a version lies; it may not be there yet. */
  pathOf(version: PublishedVersion, ending: FileEnding): string {
    return join(this.#directory, `${stemOf(version)}.${ending}`);
  }

  /** Where the file of a version that is to come lies meanwhile. */
  comingPathOf(layer: PublishedVersion['layer'], ending: FileEnding): string {
    return join(this.#directory, `${prefixOf(layer)}-coming.${ending}`);
  }

  /** Before anything is written. */
  async prepare(): Promise<void> {
    await mkdir(this.#directory, { recursive: true });
  }

  /** The saved bytes, unchecked, in shared memory; null: none can be read, and why is told. */
  async load(version: PublishedVersion, ending: FileEnding): Promise<SharedArrayBuffer | null> {
    try {
      return await loadSnapshot(this.pathOf(version, ending));
    } catch (error) {
      const isThere = (error as NodeJS.ErrnoException).code !== 'ENOENT';
      if (isThere) this.#log(`${version.layer}: ${String(error)}`);
      return null;
    }
  }

  /** Removes the files of other versions of the same mirrors. */
  async keepOnly(versions: readonly PublishedVersion[]): Promise<void> {
    const stems = new Map(versions.map((each) => [prefixOf(each.layer), stemOf(each)]));
    for (const name of await readdir(this.#directory)) {
      const [, stem, prefix = ''] = NAME.exec(name) ?? [];
      const kept = stems.get(prefix);
      if (kept === undefined || kept === stem) continue;
      await rm(join(this.#directory, name), { force: true });
    }
  }
}
