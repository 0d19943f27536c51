/**
 * A process publishes the files it builds and verifies those it downloads. Never rejects: without
 * the store, it builds.
 */
import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { pipeline } from 'node:stream/promises';
import { sentenceOf } from '../kernel/log.ts';
import type { SharedLastKnown } from '../kernel/last-known-file.ts';
import type { Sealing } from '../kernel/sealed.ts';
import type { SharedFilesView } from '../kernel/shared-files-view.ts';
import { within } from '../kernel/within.ts';
import { FORMAT_VERSION } from '../snapshot/format.ts';
import { entrySchema, lastKnownSchema, manifestSchema, sealed, unsealed } from './entries.ts';
import type { SharedManifest, StoredFile, VersionEntry } from './entries.ts';
import { SNAPSHOT_STORE_LIMITS } from './limits.ts';
import type { SnapshotStoreLimits } from './limits.ts';
import { NotAnObject } from './object-store.ts';
import type { ObjectStore } from './object-store.ts';
import { Patience, StoreSkipped, isFull } from './patience.ts';
import { removeUnpublished } from './tidy.ts';

/** Local paths by file name ending. */
export type PathOf = (ending: string) => string;

export interface SharedFilesOptions {
  readonly store: ObjectStore;
  /** Invented and real data never meet. */
  readonly sources: 'sample' | 'live';
  readonly nowMs: () => number;
  readonly log: (message: string) => void;
  /** Seal and open shared objects; without keys, whatever is in the store is believed. Secrets. */
  readonly snapshotKeys?: readonly string[] | undefined;
  readonly limits?: Partial<SnapshotStoreLimits>;
}

export class SharedFiles {
  readonly #options: SharedFilesOptions;
  readonly #limits: SnapshotStoreLimits;
  readonly #patience: Patience;
  readonly #root: string;
  /** Replaced when published again. */
  readonly #damaged = new Set<string>();
  /** The last manifest read or written, by name. */
  readonly #newest = new Map<string, Pick<SharedManifest, 'generation' | 'writtenAtMs'>>();
  readonly #offered = new Set<string>();
  readonly #counts = { fetched: 0, published: 0, refused: 0, failed: 0 };
  readonly #stop = new AbortController();
  #offeredSinceMs = performance.now();
  #publishing: Promise<void> = Promise.resolve();
  #waiting = 0;
  #isAsked = false;
  #tidiedAtMs = -Infinity;
  #isFull = false;
  #servedManifestAtMs: number | null = null;

  constructor(options: SharedFilesOptions) {
    this.#options = options;
    this.#limits = { ...SNAPSHOT_STORE_LIMITS, ...options.limits };
    this.#root = `${options.sources}/v${FORMAT_VERSION}`;
    this.#patience = new Patience({
      limits: this.#limits,
      onChange: (failure) => this.#tell(failure),
    });
  }

  get name(): string {
    return this.#options.store.name;
  }

  get manifestPollMs(): number {
    return this.#limits.manifestPollMs;
  }

  view(): SharedFilesView {
    return {
      isAnswering: this.#isAsked ? !this.#patience.isFailing : null,
      ...this.#counts,
      servedManifestAtMs: this.#servedManifestAtMs,
    };
  }

  /** False: not published whole, or the store is unavailable. */
  async fetch(stem: string, pathOf: PathOf): Promise<boolean> {
    const fetched = await this.#tried(`${stem} is not fetched`, async () => {
      const bytes = await this.#small(this.#entryKey(stem));
      if (bytes === null) return false;
      const entry = this.#entryIn(bytes, stem);
      if (entry !== null) return await this.#fetchAll(entry, pathOf);
      this.#refuse(`the list of files of ${stem}`);
      return false;
    });
    return fetched ?? false;
  }

  async fetchEntry(entry: VersionEntry, pathOf: PathOf): Promise<boolean> {
    const what = `${entry.stem} is not fetched`;
    return (await this.#tried(what, () => this.#fetchAll(entry, pathOf))) ?? false;
  }

  /** In the background, unless it is published. `endings`: read when its turn comes. */
  offer(stem: string, pathOf: PathOf, endings: () => Promise<readonly string[]>): void {
    // Failed uploads are retried once this is cleared.
    if (performance.now() - this.#offeredSinceMs > this.#limits.tidyMs) {
      this.#offered.clear();
      this.#offeredSinceMs = performance.now();
    }
    if (this.#offered.has(stem)) return;
    this.#offered.add(stem);
    this.#later(`${stem} is not published`, async () => {
      const before = await this.#small(this.#entryKey(stem));
      const known = before && this.#entryIn(before, stem);
      if (known !== null && !known.files.some(({ sha256 }) => this.#damaged.has(sha256))) return;
      const files: StoredFile[] = [];
      for (const ending of await endings()) files.push(await this.#put(ending, pathOf(ending)));
      if (files.length === 0) return;
      await this.#write(this.#entryKey(stem), { stem, files });
      this.#counts.published += 1;
    });
  }

  /** Does not replace a newer one of another front. */
  offerManifest(
    name: string,
    manifest: Pick<SharedManifest, 'generation' | 'published'> & {
      readonly stems: readonly string[];
    },
  ): void {
    this.#later(`the manifest ${name} is not published`, async () => {
      const writtenAtMs = this.#options.nowMs();
      const { generation, published, stems } = manifest;
      const before = await this.#readManifest(name);
      const stands =
        before !== null && writtenAtMs - before.writtenAtMs < this.#limits.manifestStandsMs;
      if (stands && before.generation > generation) return;
      const entries: VersionEntry[] = [];
      for (const stem of stems) {
        const bytes = await this.#small(this.#entryKey(stem));
        const entry = bytes && this.#entryIn(bytes, stem);
        // The next manifest includes it.
        if (entry === null) return;
        entries.push(entry);
      }
      const written = { generation, writtenAtMs, published, entries };
      await this.#write(this.#manifestKey(name), written);
      this.#newest.set(name, written);
      await this.#tidy();
    });
  }

  /** null: none, or the store is unavailable. */
  manifest(name: string): Promise<SharedManifest | null> {
    return this.#tried(`the manifest ${name} is not read`, () => this.#readManifest(name));
  }

  /** null without SNAPSHOT_KEY: whoever writes to the store could grant access to anyone. */
  lastKnown(name: string, storeNames: readonly string[]): SharedLastKnown | null {
    const key = `${this.#options.sources}/known/${name}`;
    const what = `${name} as last known`;
    const { knownBytes, bytesPerSecond } = this.#limits;
    const paceMs = (1000 * knownBytes) / bytesPerSecond;
    if ((this.#options.snapshotKeys ?? []).length === 0) return null;
    return {
      read: () =>
        this.#tried(`${what} is not read`, async () => {
          const bytes = await this.#small(key, knownBytes);
          if (bytes === null) return null;
          const known = unsealed(bytes, lastKnownSchema, this.#sealing(key));
          if (known === null) this.#refuse(what);
          const isOurs = known?.stores.some((store) => storeNames.includes(store)) === true;
          return isOurs ? known.content : null;
        }),
      save: (content) =>
        this.#later(`${what} is not published`, () =>
          this.#write(key, { stores: storeNames, content }, paceMs),
        ),
    };
  }

  /** null: the database answers again. */
  serves(manifest: SharedManifest | null): void {
    const atMs = manifest?.writtenAtMs ?? null;
    const isOlder = atMs !== null && atMs < (this.#servedManifestAtMs ?? Infinity);
    if (atMs === null || isOlder) this.#servedManifestAtMs = atMs;
  }

  /** Drops pending uploads. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await within(this.#limits.askMs, this.#publishing, () => undefined);
  }

  async #readManifest(name: string): Promise<SharedManifest | null> {
    const bytes = await this.#small(this.#manifestKey(name));
    if (bytes === null) return null;
    const manifest = unsealed(bytes, manifestSchema, this.#sealing(this.#manifestKey(name)));
    if (manifest === null || this.#isReplayed(name, manifest)) {
      this.#refuse(`the manifest ${name}`);
      return null;
    }
    this.#newest.set(name, manifest);
    return manifest;
  }

  /** A store that was restored has a lower generation, written later. */
  #isReplayed(name: string, { generation, writtenAtMs }: SharedManifest): boolean {
    const newest = this.#newest.get(name);
    if (newest === undefined) return false;
    return generation < newest.generation && writtenAtMs <= newest.writtenAtMs;
  }

  #entryIn(bytes: Uint8Array, stem: string): VersionEntry | null {
    const entry = unsealed(bytes, entrySchema, this.#sealing(this.#entryKey(stem)));
    return entry?.stem === stem ? entry : null;
  }

  #sealing(name: string): Sealing {
    return { name, keys: this.#options.snapshotKeys ?? [] };
  }

  async #fetchAll({ stem, files }: VersionEntry, pathOf: PathOf): Promise<boolean> {
    for (const file of files) {
      if (await this.#fetchOne(file, pathOf(file.ending))) continue;
      // The next publication replaces all of it.
      for (const { sha256 } of files) this.#damaged.add(sha256);
      this.#options.log(`${stem} is built here: a file of ${this.name} is missing or damaged.`);
      return false;
    }
    this.#counts.fetched += 1;
    return true;
  }

  /** False: missing or damaged. Rejects when the store fails. */
  async #fetchOne({ sha256, bytes }: StoredFile, path: string): Promise<boolean> {
    if (bytes > this.#limits.fileBytes) return false;
    const { fetchMs, bytesPerSecond } = this.#limits;
    const paceMs = (1000 * bytes) / bytesPerSecond;
    const temporary = `${path}.${randomBytes(6).toString('hex')}.part`;
    const startedMs = performance.now();
    try {
      const found = await this.#ask(fetchMs + paceMs, (signal) =>
        this.#receive(sha256, { temporary, mostBytes: bytes, signal }),
      );
      this.#patience.tookLonger(performance.now() - startedMs - paceMs);
      if (found === null) return false;
      if (found !== sha256) {
        this.#refuse(`the file ${sha256}`);
        return false;
      }
      await rename(temporary, path);
      return true;
    } finally {
      await rm(temporary, { force: true });
    }
  }

  /** The hash of what came; null: no such file. */
  async #receive(
    sha256: string,
    to: { readonly temporary: string; readonly mostBytes: number; readonly signal: AbortSignal },
  ): Promise<string | null> {
    await using file = await open(to.temporary, 'w');
    const pieces = await this.#plain(this.#options.store.open(fileKey(sha256), to.signal));
    if (pieces === null) return null;
    const hash = createHash('sha256');
    let received = 0;
    for await (const piece of pieces) {
      received += piece.length;
      if (received > to.mostBytes) throw new Error('it is longer than published');
      hash.update(piece);
      await file.writeFile(piece);
    }
    await file.sync();
    return hash.digest('hex');
  }

  async #put(ending: string, path: string): Promise<StoredFile> {
    const { size: bytes } = await stat(path);
    if (bytes > this.#limits.fileBytes) {
      throw new Error(`${path} is ${bytes} bytes, at most ${this.#limits.fileBytes} are published`);
    }
    const hash = createHash('sha256');
    await pipeline(createReadStream(path), hash, { signal: this.#stop.signal });
    const sha256 = hash.digest('hex');
    const key = fileKey(sha256);
    const there = await this.#ask(this.#limits.askMs, (signal) =>
      this.#options.store.sizeOf(key, signal),
    );
    if (there !== bytes || this.#damaged.has(sha256)) {
      await this.#ask(this.#limits.publishMs, (signal) =>
        this.#options.store.copyIn(key, { path, sha256 }, signal),
      );
      this.#damaged.delete(sha256);
    }
    return { ending, sha256, bytes };
  }

  #small(key: string, mostBytes = this.#limits.smallBytes): Promise<Uint8Array | null> {
    return this.#ask(this.#limits.askMs, (signal) =>
      this.#plain(this.#options.store.read(key, mostBytes, signal)),
    );
  }

  /** null: no object, but something else in its place, which the next publication replaces. */
  async #plain<T>(asked: Promise<T>): Promise<T | null> {
    return await asked.catch((error: unknown) => {
      if (!(error instanceof NotAnObject)) throw error;
      this.#refuse(error.message);
      return null;
    });
  }

  #write(key: string, content: object, paceMs = 0): Promise<void> {
    const bytes = sealed(content, this.#sealing(key));
    return this.#ask(this.#limits.askMs + paceMs, (signal) =>
      this.#options.store.write(key, bytes, signal),
    );
  }

  #ask<T>(mostMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.#isAsked = true;
    return this.#patience.run(mostMs, work);
  }

  #later(what: string, work: () => Promise<void>): void {
    if (this.#waiting >= this.#limits.publishWaiting) return;
    this.#waiting += 1;
    this.#publishing = this.#publishing
      .then(() => this.#attempt(what, work))
      .finally(() => (this.#waiting -= 1));
  }

  async #attempt(what: string, work: () => Promise<void>): Promise<void> {
    const { publishTries, publishRetryMs } = this.#limits;
    for (let tries = 1; !this.#stop.signal.aborted; tries += 1) {
      try {
        await work();
        this.#isFull = false;
        return;
      } catch (error) {
        // Removed meanwhile: another version is in service.
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
        // Else nothing is ever published, and what was published once never leaves.
        if (isFull(error)) await this.#tidy().catch(() => undefined);
        if (tries >= publishTries) {
          this.#failed(what, error);
          return;
        }
      }
      await sleep(publishRetryMs * tries, undefined, {
        ref: false,
        signal: this.#stop.signal,
      }).catch(() => undefined);
    }
  }

  async #tidy(): Promise<void> {
    const nowMs = this.#options.nowMs();
    if (nowMs - this.#tidiedAtMs < this.#limits.tidyMs) return;
    this.#tidiedAtMs = nowMs;
    const { publishMs, ...limits } = this.#limits;
    await this.#ask(publishMs, (signal) =>
      removeUnpublished(this.#options.store, { nowMs, signal, limits, ...this.#sealing('') }),
    );
  }

  #refuse(what: string): void {
    this.#counts.refused += 1;
    this.#options.log(`${what} in ${this.name} is refused: its bytes are not those published.`);
  }

  /** null: it failed. */
  async #tried<T>(what: string, work: () => Promise<T>): Promise<T | null> {
    return await work().catch((error: unknown) => {
      this.#failed(what, error);
      return null;
    });
  }

  #failed(what: string, error: unknown): void {
    this.#counts.failed += 1;
    // The pause, or that it is full, is already logged.
    if (error instanceof StoreSkipped || (isFull(error) && this.#isFull)) return;
    this.#isFull = isFull(error);
    this.#options.log(`SNAPSHOT_STORE ${this.name}: ${what}: ${String(error)}`);
  }

  #tell(failure: unknown): void {
    const { log } = this.#options;
    if (failure === null) {
      log(`SNAPSHOT_STORE ${this.name} answers again.`);
      return;
    }
    const restS = this.#limits.pauseMs / 1000;
    log(
      `SNAPSHOT_STORE ${this.name} does not answer (${sentenceOf(failure)}): ` +
        `files are built here, and it is asked again in ${restS} s.`,
    );
  }

  #entryKey(stem: string): string {
    return `${this.#root}/versions/${stem}.json`;
  }

  #manifestKey(name: string): string {
    return `${this.#root}/manifests/${name}`;
  }
}

function fileKey(sha256: string): string {
  return `files/${sha256}`;
}
