/**
 * Keeps the index of tiles current: scans at start, soon after a change, and periodically where
 * changes are not reported (network folders).
 */
import { watch } from 'node:fs';
import type { FSWatcher } from 'node:fs';
import type { Clock } from '../../kernel/clock.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { TERRAIN_MODELS } from './terrain.ts';
import { lookThrough } from './tile-folder.ts';
import type { TileIndex } from './tile-folder.ts';

export interface TileWatchView {
  readonly index: TileIndex | null;
  /** Changes with the set of tiles; 0: none yet. */
  readonly version: number;
  readonly lookedMs: number | null;
  readonly failure: string | null;
}

export interface TileWatchOptions {
  readonly folder: string;
  readonly clock: Clock;
  readonly log: (message: string) => void;
}

const NAMED = 5;

export class TileWatch {
  readonly #options: TileWatchOptions;
  #index: TileIndex | null = null;
  #version = 0;
  #lookedMs: number | null = null;
  #failure: string | null = null;
  #gone: readonly string[] = [];
  #reported = '';
  #watcher: FSWatcher | null = null;
  #timer: NodeJS.Timeout | null = null;
  #looking: Promise<void> | null = null;
  #isStopped = false;

  constructor(options: TileWatchOptions) {
    this.#options = options;
  }

  view(): TileWatchView {
    return {
      index: this.#index,
      version: this.#version,
      lookedMs: this.#lookedMs,
      failure: this.#failure,
    };
  }

  start(): void {
    this.#listen();
    this.#lookIn(0);
  }

  nudge(): void {
    this.#lookIn(LIMITS.terrain.lookAgainMs.changed);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#watcher?.close();
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#looking;
  }

  /** Where the system cannot report changes, only the periodic scan remains. */
  #listen(): void {
    try {
      this.#watcher = watch(this.#options.folder, { recursive: true, persistent: false });
      this.#watcher.on('change', () => this.nudge());
      this.#watcher.on('error', () => this.#watcher?.close());
    } catch {
      this.#watcher = null;
    }
  }

  #lookIn(ms: number): void {
    if (this.#isStopped) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#look(), ms).unref();
  }

  #look(): void {
    // A running scan may already have passed the change, so another follows.
    this.#looking = (this.#looking ?? Promise.resolve()).then(() => this.#lookNow());
  }

  async #lookNow(): Promise<void> {
    if (this.#isStopped) return;
    const { folder, clock } = this.#options;
    try {
      const before = this.#index;
      const index = await lookThrough(folder, before);
      const emptied = emptiedModel(before, index);
      if (emptied !== null) throw new FolderEmptied(emptied);
      this.#gone = goneTiles(before, index);
      if (before === null || !isSame(before, index)) this.#version += 1;
      this.#index = index;
      this.#lookedMs = clock.nowMs();
      this.#failure = null;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      this.#failure =
        error instanceof FolderEmptied
          ? error.message
          : `the folder cannot be read (${code ?? String(error)})`;
    }
    this.#tell();
    this.#lookIn(LIMITS.terrain.lookAgainMs.unchanged);
  }

  /** Logged once: points in these tiles now have another answer, or none. */
  #tellGone(): void {
    if (this.#gone.length === 0) return;
    const more = this.#gone.length > NAMED ? ` and ${this.#gone.length - NAMED} more` : '';
    this.#options.log(`DHM_DIR: no longer there: ${this.#gone.slice(0, NAMED).join(', ')}${more}`);
    this.#gone = [];
  }

  /** Logs changes of the failure, not each scan. */
  #tell(): void {
    const refused = this.#index?.refused ?? [];
    const some = refused.slice(0, NAMED).map(({ name, why }) => `${name}: ${why}`);
    const more = refused.length > NAMED ? ` and ${refused.length - NAMED} more` : '';
    const files = refused.length === 0 ? '' : `not taken: ${some.join('; ')}${more}`;
    const said = [this.#failure ?? '', files].filter((text) => text !== '').join('; ');
    this.#tellGone();
    if (said === this.#reported) return;
    this.#reported = said;
    this.#options.log(said === '' ? 'DHM_DIR: every tile is taken again' : `DHM_DIR: ${said}`);
  }
}

/** An unmounted network folder looks like this. */
function emptiedModel(before: TileIndex | null, now: TileIndex): string | null {
  if (now.refused.length > 0) return null;
  const model = TERRAIN_MODELS.find(
    (each) => (before?.tiles[each].length ?? 0) > 0 && now.tiles[each].length === 0,
  );
  if (model === undefined) return null;
  const known = before?.tiles[model].length ?? 0;
  return `${model} holds none of the ${known} tiles that were known: they are taken for gone at the next start only`;
}

class FolderEmptied extends Error {
  override readonly name = 'FolderEmptied';
}

function goneTiles(before: TileIndex | null, now: TileIndex): readonly string[] {
  if (before === null) return [];
  const there = new Set(
    TERRAIN_MODELS.flatMap((model) => now.tiles[model]).map(({ name }) => name),
  );
  const known = TERRAIN_MODELS.flatMap((model) => before.tiles[model]).map(({ name }) => name);
  return known.filter((name) => !there.has(name));
}

function isSame(a: TileIndex, b: TileIndex): boolean {
  return TERRAIN_MODELS.every((model) => {
    const [before, after] = [a.tiles[model], b.tiles[model]];
    return before.length === after.length && before.every(({ id }, n) => id === after[n]?.id);
  });
}
