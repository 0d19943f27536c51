/**
 * Keeps the addresses in memory up to date: looks for a newly published version, loads or builds its
 * book, and puts it in service whole. While the store is away the book stays and answers; its copy
 * just grows older. A start without the store answers from the file of the last run.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '../kernel/limits.ts';
import type { AddressFinder } from '../layers/addresses.ts';
import type { PublishedCopy } from '../layers/published-copy.ts';
import type { AddressesInMemory } from './address-copy.ts';

/** What the store says is published of the addresses, read in one statement. */
export interface PublishedAddresses extends PublishedCopy {
  /** Of the store. */
  readonly generation: number;
  /** With the version, the identity of the copy: another store's version 1 is another moment's. */
  readonly publishedAtMs: number;
}

export interface AddressKeeperDeps {
  /** null: never mirrored. Throws when the store does not answer. */
  readonly readPublished: () => Promise<PublishedAddresses | null>;
  /** The saved book of a version, or null. */
  readonly load: (wanted: PublishedAddresses) => Promise<SharedArrayBuffer | null>;
  /** Builds and saves it; null when the store has moved on meanwhile. */
  readonly build: (
    wanted: PublishedAddresses,
    signal: AbortSignal,
  ) => Promise<SharedArrayBuffer | null>;
  /** Throws when the buffer is no sound book. `verified`: its checksum needs no second look. */
  readonly open: (
    buffer: SharedArrayBuffer,
    options: { readonly verified: boolean },
  ) => AddressFinder;
  /** What was in service when this was last told, or null. */
  readonly recall: () => Promise<PublishedAddresses | null>;
  readonly remember: (published: PublishedAddresses) => Promise<void>;
  /** Forgets the files of other versions. */
  readonly tidy: (kept: PublishedAddresses) => Promise<void>;
  readonly log: (message: string) => void;
}

/** A book in service: what lookups answer from, and its bytes for threads. */
export interface AddressesInService extends AddressesInMemory {
  readonly buffer: SharedArrayBuffer;
}

export class AddressKeeper {
  readonly #deps: AddressKeeperDeps;
  readonly #stop = new AbortController();
  #wanted: PublishedAddresses | null = null;
  #current: AddressesInService | null = null;
  #remembered = '';
  #failed: { readonly wanted: PublishedAddresses; readonly retryAtMs: number } | null = null;
  #isOpen = false;
  #loop: Promise<void> | null = null;
  #wake = Promise.withResolvers<undefined>();

  constructor(deps: AddressKeeperDeps) {
    this.#deps = deps;
  }

  /** What answers now; hold on to it for the length of one answer. */
  get current(): AddressesInService | null {
    return this.#current;
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
      // The store is away: the book in service stays.
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

  /** Does the store not answer within moments, the book of the last run goes into service. */
  async #begin(): Promise<void> {
    const { signal } = this.#stop;
    const asked = this.#deps.readPublished().then(
      () => 'up' as const,
      () => 'away' as const,
    );
    const last = await this.#deps.recall().catch(() => null);
    if (last === null) return;
    const patience = sleep(LIMITS.snapshotStartMs, 'away' as const, { signal }).catch(() => 'away');
    if ((await Promise.race([asked, patience])) === 'up' || signal.aborted) return;
    const buffer = await this.#deps.load(last);
    const finder = buffer === null ? null : this.#open(last, buffer, false);
    if (buffer === null || finder === null) return;
    this.#serve(last, { finder, buffer });
    this.#isOpen = true;
    this.#deps.log(
      `The store does not answer: addresses answer from the saved version ${last.version}.`,
    );
  }

  /** One round. Throws when the store does not answer. */
  async refresh(): Promise<void> {
    const published = await this.#deps.readPublished();
    if (published === null) {
      // Another store than the one the book was of.
      this.#wanted = null;
      this.#current = null;
      return;
    }
    if (this.#current !== null && isSame(this.#wanted, published)) {
      this.#serve(published, this.#current);
      await this.#remember(published);
      return;
    }
    if (this.#isHopeless(published)) return;
    const obtained = await this.#obtain(published);
    if (obtained === 'moved-on') {
      this.nudge();
      return;
    }
    // What is in service is older than what is published: it goes on answering, marked by its age.
    if (obtained === null) return;
    this.#serve(published, obtained);
    await this.#remember(published);
    await this.#deps.tidy(published).catch((error: unknown) => {
      this.#deps.log(`Old books of addresses cannot be removed: ${String(error)}`);
    });
  }

  async #obtain(wanted: PublishedAddresses): Promise<Opened | 'moved-on' | null> {
    const saved = await this.#deps.load(wanted);
    const found = saved === null ? null : this.#open(wanted, saved, false);
    if (saved !== null && found !== null) return { finder: found, buffer: saved };
    try {
      const buffer = await this.#deps.build(wanted, this.#stop.signal);
      if (buffer === null) return 'moved-on';
      const finder = this.#open(wanted, buffer, true);
      return finder === null ? null : { finder, buffer };
    } catch (error) {
      if (!this.#stop.signal.aborted) {
        this.#deps.log(`The book of addresses cannot be built: ${String(error)}`);
      }
      this.#failed = { wanted, retryAtMs: performance.now() + LIMITS.snapshotRetryMs };
      return null;
    }
  }

  /** Could not be built a moment ago: not tried again each round. */
  #isHopeless(wanted: PublishedAddresses): boolean {
    const failed = this.#failed;
    return failed !== null && isSame(failed.wanted, wanted) && performance.now() < failed.retryAtMs;
  }

  /** A refusal is told and null. */
  #open(
    wanted: PublishedAddresses,
    buffer: SharedArrayBuffer,
    verified: boolean,
  ): AddressFinder | null {
    try {
      const finder = this.#deps.open(buffer, { verified });
      if (finder.book.version === wanted.version) return finder;
      this.#deps.log(`The book of addresses saved is of version ${finder.book.version}.`);
    } catch (error) {
      this.#deps.log(`The book of addresses saved is not used: ${String(error)}`);
    }
    return null;
  }

  #serve(published: PublishedAddresses, { finder, buffer }: Opened): void {
    const { version, syncedAtMs, held, generation, outdatedAtMs = null } = published;
    const copy = { version, syncedAtMs, held, outdatedAtMs };
    this.#wanted = published;
    this.#current = { finder, buffer, generation, copy };
  }

  async #remember(published: PublishedAddresses): Promise<void> {
    const text = JSON.stringify(published);
    if (text === this.#remembered) return;
    try {
      await this.#deps.remember(published);
      this.#remembered = text;
    } catch (error) {
      this.#deps.log(`What is known of the addresses cannot be written down: ${String(error)}`);
    }
  }
}

type Opened = Pick<AddressesInService, 'finder' | 'buffer'>;

function isSame(held: PublishedAddresses | null, wanted: PublishedAddresses): boolean {
  return held?.version === wanted.version && held.publishedAtMs === wanted.publishedAtMs;
}
