/**
 * The set of versions is swapped whole. Without the store it ages; a start then uses the files of
 * the last run.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CopyInMemory } from '../../ops/health.ts';
import { join } from 'node:path';
import { LIMITS } from '../../kernel/limits.ts';
import type { MirrorId } from '../../layers/keys.ts';
import type { LoaderBase, LoaderView, MemoryIndex, MemoryThreads } from '../memory-index.ts';
import type { Follower } from '../../threads/feed.ts';
import { isSameVersion } from '../../layers/published-copy.ts';
import type { Published, PublishedVersion } from '../../layers/published-copy.ts';
import type { Loaded, LoadedKind } from './loaded-kind.ts';
import { readManifest, saveManifest } from './published-manifest.ts';
import type { ManifestFile } from './published-manifest.ts';
import { SharedVersions } from './shared-versions.ts';
import { VersionFiles } from './version-files.ts';
import type { FileEnding } from './version-files.ts';
import { without } from '../../kernel/log.ts';
import { Rounds } from '../../kernel/rounds.ts';

interface Failed<M extends MirrorId> {
  readonly wanted: PublishedVersion<M>;
  readonly retryAtMs: number;
}

interface InService<M extends MirrorId, P> {
  readonly isOpen: boolean;
  readonly hasLooked: boolean;
  readonly generation: number | null;
  readonly published: Published<M>;
  readonly reported: P | null;
  readonly loaded: readonly Omit<Loaded<M, never>, 'opened'>[];
}

export class PublishedLoader<
  M extends MirrorId,
  T,
  S,
  P extends Published<M> = Published<M>,
> implements MemoryIndex {
  readonly #kind: LoadedKind<M, T, S, P>;
  readonly #threads: MemoryThreads | undefined;
  readonly #followed: Follower | null;
  readonly #files: VersionFiles;
  readonly #manifest: ManifestFile;
  readonly #shared: SharedVersions<M> | null;
  readonly #log: (message: string) => void;
  readonly #held = new Map<M, Loaded<M, T>>();
  readonly #failed = new Map<M, Failed<M>>();
  readonly #suspended = new WeakSet<SharedArrayBuffer>();
  readonly #rounds = new Rounds();
  #published: Published<M> = { generation: 0, versions: [], refused: [] };
  #reported: P | null = null;
  #inService: ReadonlyMap<M, Loaded<M, T>> = new Map();
  #generation: number | null = null;
  #current: S | null = null;
  #remembered = '';
  #isOpen = false;
  #hasLooked = false;

  constructor(
    kind: LoadedKind<M, T, S, P>,
    { directory, storeName, log, threads, shared = null }: LoaderBase,
  ) {
    this.#kind = kind;
    this.#threads = threads;
    this.#followed = threads !== undefined && 'followed' in threads ? threads.followed : null;
    this.#files = new VersionFiles(directory, log);
    this.#manifest = { path: join(directory, kind.manifest), store: storeName };
    this.#log = log;
    this.#shared = shared && new SharedVersions({ ...kind, shared, files: this.#files, log });
  }

  /** Keep it for the whole of one answer. */
  get current(): S | null {
    this.#followed?.look();
    return this.#current;
  }

  get prepared(): readonly M[] {
    return this.#kind.prepared?.layers ?? [];
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Something published is not in memory, in no version. */
  get isLacking(): boolean {
    return this.#published.versions.some(({ layer }) => !this.#inService.has(layer));
  }

  get hasLooked(): boolean {
    return this.#hasLooked;
  }

  pathOf(version: PublishedVersion<M>, ending: FileEnding): string {
    return this.#files.pathOf(version, ending);
  }

  pathInService(mirror: M, ending: FileEnding): string | null {
    const loaded = this.#inService.get(mirror);
    return loaded === undefined ? null : this.#files.pathOf(loaded.wanted, ending);
  }

  get isAwaited(): boolean {
    return this.#kind.isAwaited;
  }

  copies(): readonly CopyInMemory[] {
    return this.#current === null ? [] : this.#kind.copiesOf(this.#current);
  }

  start(): void {
    if (this.#followed === null) this.#rounds.start(() => this.#round());
    else this.#followed.follow(this.#kind.name, (state: InService<M, P>) => this.#adopt(state));
  }

  nudge(): void {
    this.#rounds.wake();
  }

  suspend(mirror: M, buffer: SharedArrayBuffer): void {
    this.#suspended.add(buffer);
    if (this.#generation === null || this.#inService.get(mirror)?.buffer !== buffer) return;
    const rest = new Map(this.#inService);
    rest.delete(mirror);
    this.#inService = rest;
    this.#serve(this.#generation);
    void this.#remember();
  }

  view(): LoaderView<M> {
    const inService = [...this.#inService];
    return {
      generation: this.#generation,
      layers: inService.map(([mirror]) => mirror),
      missing: this.#kind.mirrors.filter((mirror) => !this.#inService.has(mirror)),
      suspended: [...this.#held]
        .filter(([, { buffer }]) => this.#suspended.has(buffer))
        .map(([mirror]) => mirror),
      bytes: inService.reduce((sum, [, { buffer }]) => sum + buffer.byteLength, 0),
      ...(this.#current !== null &&
        this.#kind.recordsOf && { records: this.#kind.recordsOf(this.#current) }),
    };
  }

  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  async #round(): Promise<number> {
    if (!this.#hasLooked) {
      await this.#begin();
      this.#hasLooked = true;
      this.#announce();
      if (this.#isStopping) return 0;
    }
    // The store is unavailable or its version is unreadable: the current set stays.
    await this.refresh().then(
      async () => {
        this.#setOpen();
        await this.lookAhead();
      },
      () => this.#followFiles(),
    );
    const isDue = this.#kind.prepared?.isDue === true;
    return untilNextRound(isDue ? LIMITS.datedPollMs : LIMITS.snapshotPollMs);
  }

  async lookAhead(): Promise<void> {
    const isMore = await this.#kind.prepared?.prepareOne(this.#rounds.signal);
    if (isMore === true) this.nudge();
  }

  /**
   * Loads what the last run served while the store is asked; without an answer, that or newer files
   * of other fronts go into service.
   */
  async #begin(): Promise<void> {
    const { signal } = this.#rounds;
    const { mirrors, name } = this.#kind;
    const asked = this.#kind.readPublished().catch(() => null);
    const last = await readManifest(this.#manifest, mirrors, (why) =>
      this.#log(`${this.#manifest.path} is not used: ${why}.`),
    );
    if (last !== null) await this.#loadLast(last);
    const deadline = sleep(LIMITS.snapshotStartMs, null, { signal }).catch(() => null);
    const published = await Promise.race([asked, deadline]);
    if (signal.aborted) return;
    const isLast = last !== null && this.#held.size > 0;
    if (isLast && (published === null || this.#kind.keepsOlder)) this.#swap(last.generation);
    if (published !== null) return;
    if (isLast) {
      this.#setOpen();
      const { generation } = last;
      this.#log(
        `The store does not answer: ${name} answer from the saved generation ${generation}, ` +
          `with ${this.#held.size} of ${mirrors.length} layers${without(this.view().missing)}.`,
      );
    }
    await this.#followFiles();
  }

  async #loadLast(last: Published<M>): Promise<void> {
    this.#published = last;
    const { generation } = last;
    await Promise.all(
      last.versions.map(async (wanted) => {
        const saved = await this.#loadSaved(wanted);
        if (saved !== null) this.#held.set(wanted.layer, { wanted, generation, ...saved });
      }),
    );
  }

  /**
   * Without the store: what other fronts have in service, once newer and complete. Never throws.
   */
  async #followFiles(): Promise<void> {
    const shared = this.#shared;
    const manifest = await shared?.newer(this.#published, this.#generation);
    if (!shared || !manifest) return;
    const found = await shared.collect(manifest, this.#held, (wanted) => this.#loadSaved(wanted));
    const isEnough =
      found.size > 0 &&
      (found.size === manifest.published.versions.length || this.#current === null);
    if (!isEnough || this.#isStopping) return;
    this.#held.clear();
    for (const [layer, loaded] of found) this.#held.set(layer, loaded);
    this.#published = manifest.published;
    this.#swap(manifest.published.generation);
    this.#setOpen();
    shared.tellServed(manifest, this.view().missing);
  }

  get #isStopping(): boolean {
    return this.#rounds.signal.aborted;
  }

  #setOpen(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#announce();
  }

  #announce(): void {
    if (this.#threads === undefined || !('first' in this.#threads)) return;
    const loaded = [...this.#inService.values()].map(({ opened: _, ...each }) => each);
    this.#threads.first.announce(this.#kind.name, {
      isOpen: this.#isOpen,
      hasLooked: this.#hasLooked,
      generation: this.#generation,
      published: this.#published,
      reported: this.#reported,
      loaded,
    } satisfies InService<M, P>);
  }

  /** What the first thread has in service; versions that are open here stay open. */
  #adopt({ generation, published, reported, loaded, ...state }: InService<M, P>): void {
    this.#isOpen = state.isOpen;
    this.#hasLooked = state.hasLooked;
    this.#published = published;
    if (reported !== null) this.#kind.learned?.(reported);
    if (generation === null) return;
    const inService = new Map<M, Loaded<M, T>>();
    for (const each of loaded) {
      const { layer } = each.wanted;
      const held = this.#inService.get(layer);
      const open =
        held !== undefined && isSameVersion(held.wanted, each.wanted)
          ? held
          : this.#open(each.wanted, each.buffer, { verified: true });
      if (open === null) continue;
      inService.set(layer, { ...each, buffer: open.buffer, opened: open.opened });
    }
    this.#inService = inService;
    this.#serve(generation);
  }

  /** Throws when the store does not answer. */
  async refresh(): Promise<void> {
    const published = await this.#kind.readPublished();
    this.#shared?.storeAnswers();
    this.#reported = published;
    this.#kind.learned?.(published);
    this.#learn(published);
    const { generation } = published;
    let changed = false;
    for (const wanted of published.versions) {
      if (this.#isStopping) return;
      const { layer } = wanted;
      if (this.#holds(wanted) || this.#isHopeless(wanted)) continue;
      const obtained = await this.#obtain(wanted);
      if (obtained === 'moved-on') {
        this.nudge();
        return;
      }
      changed = true;
      if (obtained !== null) this.#held.set(layer, { wanted, generation, ...obtained });
      else if (!this.#kind.keepsOlder) this.#held.delete(layer);
    }
    this.#renew(published);
    this.#swap(generation);
    this.#shared?.offer([...this.#held.values()].map(({ wanted }) => wanted));
    const remembered = await this.#remember();
    if (remembered !== null) this.#shared?.offerManifest(remembered);
    if (changed) await this.#tidy();
  }

  /** A refused register, or one whose first copy is published, is not asked while versions load. */
  #learn(published: Published<M>): void {
    const { refused, versions } = this.#published;
    const known = new Set(versions.map(({ layer }) => layer));
    this.#published = published;
    const isNews =
      published.refused.some((mirror) => !refused.includes(mirror)) ||
      published.versions.some(({ layer }) => !known.has(layer));
    if (this.#generation !== null && isNews) this.#serve(this.#generation);
    else if (published.versions.some((each) => !this.#holds(each))) this.#announce();
  }

  #holds(wanted: PublishedVersion<M>): boolean {
    return isSameVersion(this.#held.get(wanted.layer)?.wanted, wanted);
  }

  /** Updates when copies were verified, and drops mirrors that this store does not know. */
  #renew({ versions, generation }: Published<M>): void {
    const held = new Map(this.#held);
    this.#held.clear();
    for (const wanted of versions) {
      const kept = held.get(wanted.layer);
      if (kept === undefined) continue;
      const isPublished = isSameVersion(kept.wanted, wanted);
      this.#held.set(wanted.layer, isPublished ? { ...kept, wanted, generation } : kept);
    }
  }

  async #obtain(wanted: PublishedVersion<M>): Promise<Opened<T> | 'moved-on' | null> {
    const ready = await this.#kind.prepared?.take(wanted);
    if (ready !== undefined && ready !== null) return ready;
    const saved = await this.#loadSaved(wanted);
    if (saved !== null) return saved;
    if ((await this.#shared?.fetch(wanted)) === true) {
      const fetched = await this.#loadSaved(wanted);
      if (fetched !== null) return fetched;
    }
    this.#learn(await this.#kind.readPublished());
    const { signal } = this.#rounds;
    try {
      await this.#files.prepare();
      const built = await this.#kind.build(wanted, { files: this.#files, signal });
      // Our own thread just built it: its checksum need not block requests.
      return built === null ? 'moved-on' : this.#open(wanted, built, { verified: true });
    } catch (error) {
      if (!signal.aborted) {
        this.#log(`The snapshot of ${wanted.layer} cannot be built: ${String(error)}`);
      }
      const retryAtMs = performance.now() + LIMITS.snapshotRetryMs;
      this.#failed.set(wanted.layer, { wanted, retryAtMs });
      return null;
    }
  }

  /** Its build failed a moment ago: not retried each round. */
  #isHopeless(wanted: PublishedVersion<M>): boolean {
    const failed = this.#failed.get(wanted.layer);
    if (failed === undefined || !isSameVersion(failed.wanted, wanted)) return false;
    return performance.now() < failed.retryAtMs;
  }

  async #loadSaved(wanted: PublishedVersion<M>): Promise<Opened<T> | null> {
    const buffer = await this.#files.load(wanted, this.#kind.ending);
    return buffer === null ? null : this.#open(wanted, buffer, { verified: false });
  }

  #open(
    wanted: PublishedVersion<M>,
    buffer: SharedArrayBuffer,
    options: { readonly verified: boolean },
  ): Opened<T> | null {
    try {
      return { buffer, opened: this.#kind.open(wanted, buffer, options) };
    } catch (error) {
      this.#log(`The snapshot saved for ${wanted.layer} is not used: ${String(error)}`);
      return null;
    }
  }

  #swap(generation: number): void {
    this.#inService = new Map(
      [...this.#held].filter(([, { buffer }]) => !this.#suspended.has(buffer)),
    );
    this.#serve(generation);
  }

  #serve(generation: number): void {
    this.#generation = generation;
    this.#current = this.#kind.serve(this.#inService, { ...this.#published, generation });
    this.#announce();
  }

  async #remember(): Promise<Published<M> | null> {
    if (this.#generation === null || this.#inService.size === 0) return null;
    const published: Published<M> = {
      generation: this.#generation,
      versions: [...this.#inService.values()].map(({ wanted }) => wanted),
      refused: this.#published.refused,
    };
    const text = JSON.stringify(published);
    if (text === this.#remembered) return null;
    try {
      await this.#files.prepare();
      await saveManifest(this.#manifest, published);
      this.#remembered = text;
      return published;
    } catch (error) {
      this.#log(`What is in memory cannot be written down: ${String(error)}`);
      return null;
    }
  }

  /** After the manifest is written: a crash in between leaves too many files, never too few. */
  async #tidy(): Promise<void> {
    const kept = [...this.#held.values()].map(({ wanted }) => wanted);
    await this.#files.keepOnly(kept).catch((error: unknown) => {
      this.#log(`Old snapshots cannot be removed: ${String(error)}`);
    });
  }
}

type Opened<T> = Pick<Loaded<MirrorId, T>, 'buffer' | 'opened'>;

/** All loaders of a process ask in the same millisecond, and so by one statement. */
function untilNextRound(everyMs: number): number {
  return everyMs - (performance.now() % everyMs);
}
