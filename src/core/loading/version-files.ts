import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ADDRESSES } from '../../layers/keys.ts';
import type { PublishedVersion } from '../../layers/published-copy.ts';
import { loadSnapshot } from '../../snapshot/files.ts';

/**
 * idx: engines; fgb: any GIS; book: address index; bfe, rec: index and records of properties; wkb:
 * geometries of places.
 */
const ENDINGS = ['idx', 'fgb', 'book', 'bfe', 'rec', 'wkb'] as const;
export type FileEnding = (typeof ENDINGS)[number];

const NAME = new RegExp(String.raw`^((\w+)-v\d+-\d+)\.(?:${ENDINGS.join('|')})(?:\.\w+\.part)?$`);

/** Unchanged since the first release. */
function prefixOf(layer: PublishedVersion['layer']): string {
  return layer === ADDRESSES ? 'addresses' : layer;
}

export function stemOf({ layer, version, publishedAtMs }: PublishedVersion): string {
  return `${prefixOf(layer)}-v${version}-${publishedAtMs}`;
}

export class VersionFiles {
  readonly #directory: string;
  readonly #log: (message: string) => void;

  constructor(directory: string, log: (message: string) => void) {
    this.#directory = directory;
    this.#log = log;
  }

  /** The file may not exist yet. */
  pathOf(version: PublishedVersion, ending: FileEnding): string {
    return join(this.#directory, `${stemOf(version)}.${ending}`);
  }

  /** Only of files that are complete. */
  async endingsOf(version: PublishedVersion): Promise<readonly FileEnding[]> {
    const names = new Set(await readdir(this.#directory));
    return ENDINGS.filter((ending) => names.has(`${stemOf(version)}.${ending}`));
  }

  comingPathOf(layer: PublishedVersion['layer'], ending: FileEnding): string {
    return join(this.#directory, `${prefixOf(layer)}-coming.${ending}`);
  }

  async prepare(): Promise<void> {
    await mkdir(this.#directory, { recursive: true });
  }

  /** Unchecked, in shared memory; null: unreadable, with the reason logged. */
  async load(version: PublishedVersion, ending: FileEnding): Promise<SharedArrayBuffer | null> {
    try {
      return await loadSnapshot(this.pathOf(version, ending));
    } catch (error) {
      const isThere = (error as NodeJS.ErrnoException).code !== 'ENOENT';
      if (isThere) this.#log(`${version.layer}: ${String(error)}`);
      return null;
    }
  }

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
