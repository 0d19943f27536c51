import type { MirrorId } from '../../layers/keys.ts';
import { without } from '../../kernel/log.ts';
import { isSameVersion } from '../../layers/published-copy.ts';
import type { Published, PublishedVersion } from '../../layers/published-copy.ts';
import type { SharedManifest, VersionEntry } from '../../snapshot-store/entries.ts';
import type { SharedFiles } from '../../snapshot-store/shared-files.ts';
import type { Loaded } from './loaded-kind.ts';
import { publishedFrom } from './published-manifest.ts';
import { stemOf } from './version-files.ts';
import type { FileEnding, VersionFiles } from './version-files.ts';

export interface SharedVersionsOptions<M extends MirrorId> {
  readonly shared: SharedFiles;
  readonly files: VersionFiles;
  readonly mirrors: readonly M[];
  readonly name: string;
  readonly manifest: string;
  readonly log: (message: string) => void;
}

export interface NewerManifest<M extends MirrorId> {
  readonly published: Published<M>;
  readonly manifest: SharedManifest;
  readonly entryOf: (version: PublishedVersion<M>) => VersionEntry | null;
}

export class SharedVersions<M extends MirrorId> {
  readonly #options: SharedVersionsOptions<M>;
  #lookedAtMs = -Infinity;

  constructor(options: SharedVersionsOptions<M>) {
    this.#options = options;
  }

  /** False: no front has published the files. `entry`: as a manifest names them. */
  async fetch(version: PublishedVersion<M>, entry?: VersionEntry | null): Promise<boolean> {
    const { shared, files } = this.#options;
    if (entry === null) return false;
    await files.prepare();
    const pathOf = this.#pathsOf(version);
    if (entry !== undefined) return await shared.fetchEntry(entry, pathOf);
    return await shared.fetch(stemOf(version), pathOf);
  }

  /** Publishes in the background, each version once. */
  offer(versions: readonly PublishedVersion<M>[]): void {
    const { shared, files } = this.#options;
    for (const version of versions) {
      const endings = () => files.endingsOf(version);
      shared.offer(stemOf(version), this.#pathsOf(version), endings);
    }
  }

  offerManifest(published: Published<M>): void {
    const { shared, manifest } = this.#options;
    const stems = published.versions.map(stemOf);
    shared.offerManifest(manifest, { generation: published.generation, published, stems });
  }

  storeAnswers(): void {
    this.#options.shared.serves(null);
  }

  /** null: not newer than what is in service, or asked a moment ago. */
  async newer(current: Published<M>, generation: number | null): Promise<NewerManifest<M> | null> {
    const { shared, mirrors, manifest: name, log } = this.#options;
    if (performance.now() - this.#lookedAtMs < shared.manifestPollMs) return null;
    this.#lookedAtMs = performance.now();
    const manifest = await shared.manifest(name);
    if (manifest === null) return null;
    const published = publishedFrom(manifest.published, mirrors);
    if (published === null) {
      log(`The manifest ${name} of ${shared.name} is not used: it is of another form.`);
      return null;
    }
    if (generation !== null && !isNewer(published, { ...current, generation })) return null;
    const entries = new Map(manifest.entries.map((entry) => [entry.stem, entry]));
    return { published, manifest, entryOf: (version) => entries.get(stemOf(version)) ?? null };
  }

  async collect<T>(
    { published, entryOf }: NewerManifest<M>,
    held: ReadonlyMap<M, Loaded<M, T>>,
    load: (wanted: PublishedVersion<M>) => Promise<Pick<Loaded<M, T>, 'buffer' | 'opened'> | null>,
  ): Promise<ReadonlyMap<M, Loaded<M, T>>> {
    const { generation } = published;
    const found = new Map<M, Loaded<M, T>>();
    for (const wanted of published.versions) {
      const before = held.get(wanted.layer);
      const known = isSameVersion(before?.wanted, wanted) ? before : await load(wanted);
      const isFetched = !known && (await this.fetch(wanted, entryOf(wanted)));
      const loaded = isFetched ? await load(wanted) : known;
      if (loaded) found.set(wanted.layer, { ...loaded, wanted, generation });
    }
    return found;
  }

  tellServed({ published, manifest }: NewerManifest<M>, missing: readonly M[]): void {
    const { shared, name, log } = this.#options;
    shared.serves(manifest);
    const oldestMs = Math.min(...published.versions.map(({ syncedAtMs }) => syncedAtMs));
    const [written, verified] = [manifest.writtenAtMs, oldestMs].map((ms) =>
      new Date(ms).toISOString(),
    );
    log(
      `The store does not answer: ${name} answer from generation ${published.generation} of ` +
        `${shared.name}, written ${written}, its oldest copy verified ${verified}${without(missing)}.`,
    );
  }

  #pathsOf(version: PublishedVersion<M>): (ending: string) => string {
    return (ending) => this.#options.files.pathOf(version, ending as FileEnding);
  }
}

function isNewer(one: Published, other: Published): boolean {
  if (one.generation !== other.generation) return one.generation > other.generation;
  return latestOf(one) > latestOf(other);
}

function latestOf({ versions }: Published): number {
  return Math.max(0, ...versions.map(({ syncedAtMs }) => syncedAtMs));
}
