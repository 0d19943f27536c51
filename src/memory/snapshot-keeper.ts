/**
 * Keeps the memory rung up to date: looks for newly published versions, loads or builds their
 * snapshots, and swaps the whole set at once. While the store is away the set stays and answers; its
 * copies just grow older. A start without the store answers from the files of the last run. A
 * snapshot that is refused leaves its layer to the store.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '../kernel/limits.ts';
import type { LayerId } from '../layers/keys.ts';
import type { PublishedCopy } from '../layers/published-copy.ts';
import { openLayerSnapshot } from '../snapshot/layer.ts';
import type { LayerSnapshot } from '../snapshot/layer.ts';
import type { RegisterStanding } from './register-standing.ts';
import { EngineShelf, SnapshotSet } from './snapshot-set.ts';
import type { SetLayer } from './snapshot-set.ts';

/** What the store says is published, read in one statement. */
export interface PublishedVersion extends PublishedCopy {
  readonly layer: LayerId;
  readonly sourceRows: number | null;
  /** With the version, the identity of the copy: another store's version 1 is another moment's. */
  readonly publishedAtMs: number;
}

export interface Published {
  readonly generation: number;
  readonly versions: readonly PublishedVersion[];
  /** Layers whose latest reading a guard refused, those without a copy among them. */
  readonly refused: readonly LayerId[];
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
  /** What was in service when this was last told, or null. */
  readonly recall: () => Promise<Published | null>;
  /** Keeps what is in service now for a start without the store. */
  readonly remember: (published: Published) => Promise<void>;
  /** Forgets the files of other versions of these layers. */
  readonly tidy: (kept: readonly PublishedVersion[]) => Promise<void>;
  readonly log: (message: string) => void;
}

/** What the rung holds, for operators. */
export interface KeeperView {
  /** null: nothing is in memory yet. */
  readonly generation: number | null;
  /** Layers in service from memory. */
  readonly layers: readonly LayerId[];
  /** Layers taken out of service, which the store answers. */
  readonly suspended: readonly LayerId[];
  /** Bytes of shared memory in service. */
  readonly bytes: number;
}

interface Held {
  readonly wanted: PublishedVersion;
  readonly snapshot: LayerSnapshot;
}

interface Failed {
  readonly wanted: PublishedVersion;
  /** By the process's own monotonic clock. */
  readonly retryAtMs: number;
}

export class SnapshotKeeper {
  readonly #deps: SnapshotKeeperDeps;
  readonly #held = new Map<LayerId, Held>();
  /** As the store last told, whatever is in memory of it. */
  #told: Pick<Published, 'versions' | 'refused'> = { versions: [], refused: [] };
  readonly #failed = new Map<LayerId, Failed>();
  readonly #shelf = new EngineShelf();
  readonly #suspended = new WeakSet<SharedArrayBuffer>();
  readonly #stop = new AbortController();
  #set: SnapshotSet | null = null;
  #remembered = '';
  #isOpen = false;
  #loop: Promise<void> | null = null;
  #wake = Promise.withResolvers<undefined>();

  constructor(deps: SnapshotKeeperDeps) {
    this.#deps = deps;
  }

  /** What answers from memory now; hold on to it for the length of one answer. */
  get current(): SnapshotSet | null {
    return this.#set;
  }

  /** It has looked for what to answer from: in the store, or in the files of the last run. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  start(): void {
    this.#loop ??= this.#run();
  }

  /** Looks at once instead of at the next round: something was published here. */
  nudge(): void {
    this.#wake.resolve(undefined);
  }

  /** Takes this very snapshot of a layer out of service: the store answers until the next version. */
  suspend(layer: LayerId, buffer: SharedArrayBuffer): void {
    this.#suspended.add(buffer);
    const inService = this.#set?.layers.get(layer)?.snapshot.buffer;
    if (this.#set === null || inService !== buffer) return;
    const layers = new Map(this.#set.layers);
    layers.delete(layer);
    this.#set = new SnapshotSet(this.#set.generation, layers, this.#shelf, this.#standings());
    void this.#remember();
  }

  view(): KeeperView {
    const inService = [...(this.#set?.layers ?? [])];
    return {
      generation: this.#set?.generation ?? null,
      layers: inService.map(([layer]) => layer),
      suspended: [...this.#held]
        .filter(([, { snapshot }]) => this.#suspended.has(snapshot.buffer))
        .map(([layer]) => layer),
      bytes: inService.reduce((sum, [, { snapshot }]) => sum + snapshot.buffer.byteLength, 0),
    };
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.nudge();
    await this.#loop;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    await this.#begin();
    while (!signal.aborted) {
      this.#wake = Promise.withResolvers();
      // The store is away, or what it published cannot be read yet: the set in service stays.
      await this.refresh().then(
        () => {
          this.#isOpen = true;
        },
        () => undefined,
      );
      await Promise.race([
        sleep(LIMITS.snapshotPollMs, undefined, { signal }).catch(() => undefined),
        this.#wake.promise,
      ]);
    }
  }

  /**
   * Loads what the last run answered from while the store is asked. Does the store not answer by
   * then, that goes into service as it was; does it answer, the first round finds the files loaded.
   */
  async #begin(): Promise<void> {
    const { signal } = this.#stop;
    const asked = this.#deps.readPublished().catch(() => null);
    const last = await this.#deps.recall().catch(() => null);
    if (last === null) return;
    this.#told = last;
    await Promise.all(
      last.versions.map(async (wanted) => {
        const snapshot = this.#open(wanted, await this.#deps.load(wanted));
        if (snapshot !== null) this.#held.set(wanted.layer, { wanted, snapshot });
      }),
    );
    const patience = sleep(LIMITS.snapshotStartMs, null, { signal }).catch(() => null);
    const published = await Promise.race([asked, patience]);
    if (published !== null || this.#held.size === 0 || signal.aborted) return;
    this.#swap(last.generation);
    this.#isOpen = true;
    this.#deps.log(
      `The store does not answer: lookups answer from the saved generation ${last.generation}.`,
    );
  }

  /** One round. Throws when the store does not answer. */
  async refresh(): Promise<void> {
    const published = await this.#deps.readPublished();
    this.#learn(published);
    let changed = false;
    for (const wanted of published.versions) {
      if (this.#stop.signal.aborted) return;
      if (isSame(this.#held.get(wanted.layer)?.wanted, wanted) || this.#isHopeless(wanted))
        continue;
      const snapshot = await this.#obtain(wanted);
      // Moved on: the next round starts from what is published then.
      if (snapshot === 'moved-on') {
        this.nudge();
        return;
      }
      changed = true;
      if (snapshot === null) this.#held.delete(wanted.layer);
      else this.#held.set(wanted.layer, { wanted, snapshot });
    }
    this.#renew(published.versions);
    this.#swap(published.generation);
    await this.#remember();
    if (changed) await this.#tidy();
  }

  /** A register that was refused is not asked from now on, however long the new versions take to load. */
  #learn(published: Published): void {
    const before = this.#told.refused;
    this.#told = published;
    const isNews = published.refused.some((layer) => !before.includes(layer));
    if (this.#set === null || !isNews) return;
    const { generation, layers } = this.#set;
    this.#set = new SnapshotSet(generation, layers, this.#shelf, this.#standings());
  }

  #standings(): ReadonlyMap<LayerId, RegisterStanding> {
    const { versions, refused } = this.#told;
    const copies = new Map(versions.map((version) => [version.layer, version]));
    const known = new Set([...copies.keys(), ...refused]);
    return new Map(
      [...known].map((layer) => {
        const { held = false, sourceRows = null } = copies.get(layer) ?? {};
        return [layer, { held, refused: refused.includes(layer), sourceRows }];
      }),
    );
  }

  /** When the copies were last proved; and away with layers that this store does not know. */
  #renew(versions: readonly PublishedVersion[]): void {
    const held = new Map(this.#held);
    this.#held.clear();
    for (const wanted of versions) {
      const kept = held.get(wanted.layer);
      if (kept !== undefined) this.#held.set(wanted.layer, { ...kept, wanted });
    }
  }

  async #obtain(wanted: PublishedVersion): Promise<LayerSnapshot | 'moved-on' | null> {
    const saved = this.#open(wanted, await this.#deps.load(wanted));
    if (saved !== null) return saved;
    try {
      const built = await this.#deps.build(wanted, this.#stop.signal);
      if (built === null) return 'moved-on';
      // Made by a thread of ours a moment ago: its sum need not hold up the requests.
      return this.#open(wanted, built, { verified: true });
    } catch (error) {
      if (!this.#stop.signal.aborted) {
        this.#deps.log(`The snapshot of ${wanted.layer} cannot be built: ${String(error)}`);
      }
      const retryAtMs = performance.now() + LIMITS.snapshotRetryMs;
      this.#failed.set(wanted.layer, { wanted, retryAtMs });
      return null;
    }
  }

  /** Could not be built a moment ago: not tried again each round. */
  #isHopeless(wanted: PublishedVersion): boolean {
    const failed = this.#failed.get(wanted.layer);
    if (failed === undefined || !isSame(failed.wanted, wanted)) return false;
    return performance.now() < failed.retryAtMs;
  }

  /** Checks magic, version, checksum, layer and version; a refusal is told and null. */
  #open(
    wanted: PublishedVersion,
    buffer: SharedArrayBuffer | null,
    options: { readonly verified?: boolean } = {},
  ): LayerSnapshot | null {
    if (buffer === null) return null;
    try {
      const snapshot = openLayerSnapshot(buffer, options);
      const { layer, version } = snapshot.meta;
      if (layer !== wanted.layer || version !== wanted.version) {
        this.#deps.log(`The snapshot saved for ${wanted.layer} holds ${layer} version ${version}.`);
        return null;
      }
      this.#shelf.warm(snapshot);
      return snapshot;
    } catch (error) {
      this.#deps.log(`The snapshot saved for ${wanted.layer} is not used: ${String(error)}`);
      return null;
    }
  }

  #swap(generation: number): void {
    const layers = new Map<LayerId, SetLayer>();
    for (const [id, { wanted, snapshot }] of this.#held) {
      if (this.#suspended.has(snapshot.buffer)) continue;
      const { version, syncedAtMs, held, sourceRows, outdatedAtMs = null } = wanted;
      const copy = { version, syncedAtMs, held, sourceRows, outdatedAtMs };
      layers.set(id, { copy, snapshot });
    }
    this.#set = new SnapshotSet(generation, layers, this.#shelf, this.#standings());
  }

  async #remember(): Promise<void> {
    const set = this.#set;
    if (set === null || set.layers.size === 0) return;
    const versions = [...this.#held.values()].map(({ wanted }) => wanted);
    const published = {
      generation: set.generation,
      versions: versions.filter(({ layer }) => set.layers.has(layer)),
      refused: this.#told.refused,
    };
    const text = JSON.stringify(published);
    if (text === this.#remembered) return;
    try {
      await this.#deps.remember(published);
      this.#remembered = text;
    } catch (error) {
      this.#deps.log(`What is in memory cannot be written down: ${String(error)}`);
    }
  }

  /** After what is kept was written down: a crash in between leaves too many files, never too few. */
  async #tidy(): Promise<void> {
    const kept = [...this.#held.values()].map(({ wanted }) => wanted);
    await this.#deps.tidy(kept).catch((error: unknown) => {
      this.#deps.log(`Old snapshots cannot be removed: ${String(error)}`);
    });
  }
}

function isSame(held: PublishedVersion | undefined, wanted: PublishedVersion): boolean {
  return held?.version === wanted.version && held.publishedAtMs === wanted.publishedAtMs;
}
