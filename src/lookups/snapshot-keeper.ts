/**
 * Keeps the memory rung up to date: looks for newly published versions, loads or builds their
 * snapshots, and swaps the whole set at once. While the store is away the set stays and answers; its
 * copies just grow older. A snapshot that is refused leaves its layer to the store.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '../kernel/limits.ts';
import type { LayerId } from '../layers/keys.ts';
import { openLayerSnapshot } from '../snapshot/layer.ts';
import type { LayerSnapshot } from '../snapshot/layer.ts';
import { EngineShelf, SnapshotSet } from './snapshot-set.ts';
import type { SetLayer } from './snapshot-set.ts';

/** What the store says is published, read in one statement. */
export interface PublishedVersion {
  readonly layer: LayerId;
  readonly version: number;
  readonly syncedAtMs: number;
  /** With the version, the identity of the copy: another store's version 1 is another moment's. */
  readonly publishedAtMs: number;
}

export interface Published {
  readonly generation: number;
  readonly versions: readonly PublishedVersion[];
}

export interface SnapshotKeeperDeps {
  /** Throws when the store does not answer. */
  readonly readPublished: () => Promise<Published>;
  /** The saved snapshot of a version, or null; a damaged file is reported and null as well. */
  readonly load: (wanted: PublishedVersion) => Promise<SharedArrayBuffer | null>;
  /** Builds and saves it; null when the store has moved on meanwhile. */
  readonly build: (
    wanted: PublishedVersion,
    signal: AbortSignal,
  ) => Promise<SharedArrayBuffer | null>;
  /** Forgets the files of other versions of the layer. */
  readonly tidy: (kept: PublishedVersion) => Promise<void>;
  readonly log: (message: string) => void;
}

interface Held {
  readonly wanted: PublishedVersion;
  readonly snapshot: LayerSnapshot;
}

export class SnapshotKeeper {
  readonly #deps: SnapshotKeeperDeps;
  readonly #held = new Map<LayerId, Held>();
  readonly #shelf = new EngineShelf();
  readonly #suspended = new Set<SharedArrayBuffer>();
  readonly #stop = new AbortController();
  #set: SnapshotSet | null = null;
  #loop: Promise<void> | null = null;
  #wake = Promise.withResolvers<undefined>();

  constructor(deps: SnapshotKeeperDeps) {
    this.#deps = deps;
  }

  /** What answers from memory now; hold on to it for the length of one answer. */
  get current(): SnapshotSet | null {
    return this.#set;
  }

  start(): void {
    this.#loop ??= this.#run();
  }

  /** Looks at once instead of at the next round: something was published here. */
  nudge(): void {
    this.#wake.resolve(undefined);
  }

  /** Takes a layer's present snapshot out of service: the store answers until the next version. */
  suspend(layer: LayerId): void {
    const held = this.#held.get(layer);
    if (held === undefined) return;
    this.#suspended.add(held.snapshot.buffer);
    if (this.#set !== null) this.#swap(this.#set.generation);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.nudge();
    await this.#loop;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      this.#wake = Promise.withResolvers();
      // The store is away, or what it published cannot be read yet: the set in service stays.
      await this.refresh().catch(() => undefined);
      await Promise.race([
        sleep(LIMITS.snapshotPollMs, undefined, { signal }).catch(() => undefined),
        this.#wake.promise,
      ]);
    }
  }

  /** One round. Throws when the store does not answer. */
  async refresh(): Promise<void> {
    const published = await this.#deps.readPublished();
    for (const wanted of published.versions) {
      if (this.#stop.signal.aborted) return;
      if (isSame(this.#held.get(wanted.layer)?.wanted, wanted)) continue;
      const snapshot = await this.#obtain(wanted);
      // Moved on: the next round starts from what is published then.
      if (snapshot === 'moved-on') {
        this.nudge();
        return;
      }
      if (snapshot === null) this.#held.delete(wanted.layer);
      else this.#held.set(wanted.layer, { wanted, snapshot });
    }
    for (const wanted of published.versions) {
      const held = this.#held.get(wanted.layer);
      if (held !== undefined) this.#held.set(wanted.layer, { ...held, wanted });
    }
    this.#swap(published.generation);
  }

  async #obtain(wanted: PublishedVersion): Promise<LayerSnapshot | 'moved-on' | null> {
    const saved = await this.#open(wanted, await this.#deps.load(wanted));
    if (saved !== null) return saved;
    try {
      const built = await this.#deps.build(wanted, this.#stop.signal);
      if (built === null) return 'moved-on';
      const opened = await this.#open(wanted, built);
      await this.#deps.tidy(wanted);
      return opened;
    } catch (error) {
      if (!this.#stop.signal.aborted) {
        this.#deps.log(`The snapshot of ${wanted.layer} cannot be built: ${String(error)}`);
      }
      return null;
    }
  }

  /** Checks magic, version, checksum, layer and version; a refusal is told and null. */
  async #open(
    wanted: PublishedVersion,
    buffer: SharedArrayBuffer | null,
  ): Promise<LayerSnapshot | null> {
    if (buffer === null) return null;
    try {
      const snapshot = openLayerSnapshot(buffer);
      const { layer, version } = snapshot.meta;
      if (layer === wanted.layer && version === wanted.version) return snapshot;
      this.#deps.log(`The snapshot saved for ${wanted.layer} holds ${layer} version ${version}.`);
    } catch (error) {
      this.#deps.log(`The snapshot saved for ${wanted.layer} is not used: ${String(error)}`);
    }
    return await Promise.resolve(null);
  }

  #swap(generation: number): void {
    const layers = new Map<LayerId, SetLayer>();
    for (const [id, { wanted, snapshot }] of this.#held) {
      if (this.#suspended.has(snapshot.buffer)) continue;
      const { version, syncedAtMs } = wanted;
      layers.set(id, { copy: { version, syncedAtMs }, snapshot });
    }
    this.#set = new SnapshotSet(generation, layers, this.#shelf);
  }
}

function isSame(held: PublishedVersion | undefined, wanted: PublishedVersion): boolean {
  return held?.version === wanted.version && held.publishedAtMs === wanted.publishedAtMs;
}
