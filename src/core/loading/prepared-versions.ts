/**
 * Versions of the next instant, loaded before it and matched by content; others are built as usual.
 */
import { rename, rm } from 'node:fs/promises';
import { LIMITS } from '../../kernel/limits.ts';
import type { MirrorId } from '../../layers/keys.ts';
import { isSameVersion } from '../../layers/published-copy.ts';
import type { PublishedVersion } from '../../layers/published-copy.ts';
import type { FileEnding, VersionFiles } from './version-files.ts';

export interface ComingVersion<M extends MirrorId = MirrorId> {
  readonly layer: M;
  readonly version: number;
  readonly content: string;
  readonly atMs: number;
}

export interface PreparedKind<M extends MirrorId, A extends ComingVersion<M>, T> {
  readonly mirrors: readonly M[];
  readonly endings: readonly FileEnding[];
  /** Throws when the store does not answer. */
  readonly readComing: () => Promise<readonly A[]>;
  /** Builds and saves it; null when the current rows do not lead to its content. */
  readonly build: (
    coming: A,
    options: { readonly pathOf: (ending: FileEnding) => string; readonly signal: AbortSignal },
  ) => Promise<SharedArrayBuffer | null>;
  readonly open: (coming: A, buffer: SharedArrayBuffer) => T;
  readonly readContent: (layer: M) => Promise<PublishedContent>;
  readonly nowMs: () => number;
}

export type PublishedContent = Pick<PublishedVersion, 'version' | 'publishedAtMs'> & {
  readonly content: string;
};

interface Prepared<A, T> {
  readonly coming: A;
  readonly buffer: SharedArrayBuffer;
  readonly opened: T;
}

export class PreparedVersions<M extends MirrorId, A extends ComingVersion<M>, T> {
  readonly #kind: PreparedKind<M, A, T>;
  readonly #files: VersionFiles;
  readonly #log: (message: string) => void;
  readonly #held = new Map<M, Prepared<A, T>>();
  readonly #hopeless = new Map<M, string>();
  #isTidy = false;

  constructor(
    kind: PreparedKind<M, A, T>,
    { files, log }: { readonly files: VersionFiles; readonly log: (message: string) => void },
  ) {
    this.#kind = kind;
    this.#files = files;
    this.#log = log;
  }

  get layers(): readonly M[] {
    return [...this.#held.keys()];
  }

  get isDue(): boolean {
    const nowMs = this.#kind.nowMs();
    return [...this.#held.values()].some(
      ({ coming: { atMs } }) => atMs <= nowMs && nowMs < atMs + LIMITS.datedTogetherMs,
    );
  }

  /**
   * Drops versions that are no longer coming and prepares one, so that a published one waits for at
   * most one. Returns whether there is another. Never throws.
   */
  async prepareOne(signal: AbortSignal): Promise<boolean> {
    try {
      const coming = await this.#kind.readComing();
      await this.#dropAllBut(coming);
      const missing = coming.filter(
        (each) => !this.#held.has(each.layer) && this.#hopeless.get(each.layer) !== idOf(each),
      );
      const [next] = missing;
      if (next === undefined) return false;
      await this.#prepare(next, signal);
      return missing.length > 1;
    } catch (error) {
      if (!signal.aborted) this.#log(`What is to come cannot be prepared: ${String(error)}`);
      return false;
    }
  }

  async take(
    wanted: PublishedVersion<M>,
  ): Promise<{ readonly buffer: SharedArrayBuffer; readonly opened: T } | null> {
    const held = this.#held.get(wanted.layer);
    if (held?.coming.version !== wanted.version) return null;
    try {
      const published = await this.#kind.readContent(wanted.layer);
      const isSame = isSameVersion({ ...wanted, ...published }, wanted);
      if (!isSame || published.content !== held.coming.content) return null;
      for (const ending of this.#kind.endings) {
        await rename(this.#pathOf(held.coming, ending), this.#files.pathOf(wanted, ending));
      }
    } catch (error) {
      // Another process may have moved the files first.
      this.#log(`What was prepared of ${wanted.layer} is not used: ${String(error)}`);
      return null;
    }
    this.#held.delete(wanted.layer);
    const { buffer, opened } = held;
    return { buffer, opened };
  }

  async #prepare(coming: A, signal: AbortSignal): Promise<void> {
    this.#hopeless.set(coming.layer, idOf(coming));
    await this.#files.prepare();
    const pathOf = (ending: FileEnding): string => this.#pathOf(coming, ending);
    const buffer = await this.#kind.build(coming, { pathOf, signal });
    if (buffer === null) return;
    this.#held.set(coming.layer, { coming, buffer, opened: this.#kind.open(coming, buffer) });
    this.#hopeless.delete(coming.layer);
  }

  async #dropAllBut(coming: readonly A[]): Promise<void> {
    const wanted = new Set(coming.map(idOf));
    const dropped = [...this.#held.values()].filter((held) => !wanted.has(idOf(held.coming)));
    for (const { coming: gone } of dropped) this.#held.delete(gone.layer);
    // A killed process leaves its files.
    const left = this.#isTidy ? dropped.map((held) => held.coming.layer) : this.#kind.mirrors;
    this.#isTidy = true;
    const still = new Set(coming.map(({ layer }) => layer));
    for (const layer of left.filter((each) => !still.has(each))) {
      for (const ending of this.#kind.endings) {
        await rm(this.#files.comingPathOf(layer, ending), { force: true });
      }
    }
  }

  #pathOf({ layer }: A, ending: FileEnding): string {
    return this.#files.comingPathOf(layer, ending);
  }
}

function idOf({ layer, version, content }: ComingVersion): string {
  return `${layer} ${version} ${content}`;
}
